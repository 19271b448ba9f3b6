"""Canonical JSON (RFC 8785 over a small model), and the strict reading of JSON that a player sends.

The model: objects, arrays, strings of printable ASCII, integers within ±(2^53-1), booleans and null, at most 32
deep. Over it RFC 8785 is plain: members sorted, no spaces, the shortest escapes. So a line is read by writing it
again: whatever does not come back byte for byte is refused, and duplicate keys, other escapes and other encodings
need no rule of their own. What a player sends is the same but for the order of members, which libraries choose as
they like: so its size follows from its content, and nobody can blow up a record with spaces.
"""

from __future__ import annotations

import json
import re
from functools import reduce
from typing import Annotated, Any, NoReturn

import msgspec

from engine.errors import BadRecord

MAX_DEPTH = 32
MAX_INTEGER = 2**53 - 1
MAX_LINE = 2**20
MAX_SENT = 2**14

_UNSURE = object()

_sorted = msgspec.json.Encoder(order="sorted")
_as_given = msgspec.json.Encoder()
_unprintable = re.compile(rb"[^\x20-\x7e]")
_unprintable_text = re.compile(r"[^\x20-\x7e]")
# A string that never closes is taken to the end: tried again at each quote, it would cost the square of its length.
_string = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_bracket = re.compile(rb"[\[\]{}]")


def dumps(value: object) -> bytes:
    """The canonical bytes of a value of the model; tuples and msgspec Structs count as arrays and objects.

    A value outside the model, a float or a letter beyond ASCII for instance, raises BadRecord.
    """
    try:
        line: bytes = _sorted.encode(value)
    except (TypeError, msgspec.MsgspecError, RecursionError, OverflowError) as error:
        raise BadRecord("bad-value", f"this has no canonical form: {error}") from None
    loads(line)
    if b"null" in line and _holds_float(msgspec.to_builtins(value)):
        raise BadRecord("bad-value", "NaN and Infinity have no canonical form")
    return line


def loads(line: bytes) -> Any:
    """The value of a canonical line (without its line feed); BadRecord unless writing it again gives the same bytes."""
    if len(line) > MAX_LINE:
        raise BadRecord("too-long", f"a line has at most {MAX_LINE} bytes, this one {len(line)}")
    return _read(line, _sorted, _line_decoder)


def loads_sent(text: bytes | str) -> dict[str, Any]:
    """The object in what a player sent: the canonical form, but that its members may stand in any order."""
    if len(text) > MAX_SENT:
        raise BadRecord("too-long", f"at most {MAX_SENT} bytes may be sent, this has {len(text)}")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    value = _read(data, _as_given, _sent_decoder)
    if not isinstance(value, dict):
        raise BadRecord("not-an-object", "what is sent is one JSON object")
    return value


def _read(data: bytes, encoder: msgspec.json.Encoder, decoder: json.JSONDecoder) -> Any:
    """The value, if the encoder writes it again as it is; the slow way says why if not."""
    if (quick := _quick(data, encoder)) is not _UNSURE:
        return quick
    if bad := _unprintable.search(data):
        raise BadRecord("not-ascii", f"byte {bad.start()} is not printable ASCII")
    value = _decode(data, decoder)
    if _has_other_escapes(data) or encoder.encode(value) != data:
        raise BadRecord("not-canonical", "this is JSON, but not in the one canonical spelling of its value")
    return value


def _quick(data: bytes, encoder: msgspec.json.Encoder) -> Any:
    """The value of bytes that are canonical beyond doubt, four times as fast; else _UNSURE."""
    if not data.isascii() or b"\x7f" in data or _has_other_escapes(data):  # the encoder would escape other controls
        return _UNSURE
    try:
        value = _model.decode(data)
    except msgspec.MsgspecError:
        return _UNSURE
    return value if encoder.encode(value) == data else _UNSURE


def _nested(depth: int) -> Any:
    """The type of values of the model that lie at most so deep: no floats, no integers out of range."""
    flat = Annotated[int, msgspec.Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)] | str | bool | None
    return reduce(lambda inner, _: flat | list[inner] | dict[str, inner], range(depth), flat)  # type: ignore[valid-type]


def _holds_float(value: object) -> bool:
    """Asked only where null stands: the encoder writes it, without a word, for NaN and Infinity."""
    if isinstance(value, dict):
        return any(map(_holds_float, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_holds_float, value))
    return isinstance(value, float)


def _has_other_escapes(line: bytes) -> bool:
    """Printable strings need two escapes; any other spells what may not be there, or spells it in a second way."""
    return b"\\" in line and b"\\" in line.replace(rb"\\", b"").replace(rb"\"", b"")


def _decode(data: bytes, decoder: json.JSONDecoder) -> Any:
    _check_depth(data)
    try:
        return decoder.decode(data.decode("ascii"))
    except ValueError as error:
        raise BadRecord("not-json", f"this is not JSON: {error}") from None


def _check_depth(data: bytes) -> None:
    """Before any parser recurses: brackets outside strings, counted."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for bracket in _bracket.findall(_string.sub(b"", data)):
        depth += 1 if bracket in b"[{" else -1
        if depth > MAX_DEPTH:
            raise BadRecord("too-deep", f"values lie at most {MAX_DEPTH} deep in each other")


def _integer(text: str) -> int:
    # The length first: Python's conversion of a long numeral is quadratic, or refused with an error of its own.
    if text == "-0" or len(text) > 17 or not -MAX_INTEGER <= int(text) <= MAX_INTEGER:
        raise BadRecord("bad-number", "numbers are integers between -(2^53-1) and 2^53-1")
    return int(text)


def _no_number(_text: str) -> NoReturn:
    raise BadRecord("bad-number", "numbers are integers; there are no fractions, exponents, NaN or Infinity")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise BadRecord("duplicate-key", "an object names each member once")
    for name, member in pairs:
        _check_text(name)
        _check_text(member)
    return value


def _check_text(value: object) -> None:
    """Escapes may spell what bytes may not; strings inside arrays are reached through the array."""
    if isinstance(value, str) and _unprintable_text.search(value):
        raise BadRecord("not-ascii", "strings hold printable ASCII, however they are escaped")
    if isinstance(value, list):
        for item in value:
            _check_text(item)


_line_decoder = json.JSONDecoder(parse_float=_no_number, parse_int=_integer, parse_constant=_no_number)
_sent_decoder = json.JSONDecoder(
    parse_float=_no_number, parse_int=_integer, parse_constant=_no_number, object_pairs_hook=_object
)
_model = msgspec.json.Decoder(_nested(6))  # nearly all lines; each level more takes twice as long to prepare
