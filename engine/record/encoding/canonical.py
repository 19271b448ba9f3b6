"""One spelling for each value: canonical JSON, bytes as base64url, times as text; and the hashes over such bytes.

JSON is RFC 8785 over a small model: objects, arrays, strings of printable ASCII, integers within ±(2^53-1), booleans
and null, at most 32 deep. Over it RFC 8785 is plain: members sorted, no spaces, the shortest escapes. So a line is read
by writing it again: anything that does not come back byte for byte is refused, and duplicate keys, other escapes and
other encodings need no rule of their own. JSON from players follows the same rules, except that its members may be in
any order, because libraries differ. So its size follows from its content, and nobody can blow up a record with spaces.

Bytes are base64url without padding (RFC 4648, section 5), and times are UTC in whole seconds, `2026-11-21T10:00:00Z`,
which sort in order of time. Both are read only if writing them again gives the same text. The engine has no clock; this
module only does arithmetic on the times in the log.
"""

from __future__ import annotations

import binascii
import hashlib
import json
import re
from functools import lru_cache, reduce
from typing import Annotated, Any, NoReturn, TypeGuard

import msgspec

from engine.chance import hmac_of
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
# A string that never closes matches to the end: a new try at each quote would take quadratic time.
_string = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_bracket = re.compile(rb"[\[\]{}]")


def dumps(value: object) -> bytes:
    """The canonical bytes of a value of the model; tuples and msgspec Structs count as arrays and objects.

    A value outside the model, a float or a letter beyond ASCII for instance, raises BadRecord.
    """
    try:
        line: bytes = _sorted.encode(value)
    except (TypeError, msgspec.MsgspecError, RecursionError, OverflowError) as error:
        raise BadRecord("bad-value", f"this value has no canonical form: {error}") from None
    loads(line)
    if b"null" in line and _holds_float(msgspec.to_builtins(value)):
        raise BadRecord("bad-value", "NaN and Infinity have no canonical form")
    return line


def loads(line: bytes) -> Any:
    """The value of a canonical line (without its line feed); BadRecord unless writing it again gives the same bytes."""
    if len(line) > MAX_LINE:
        raise BadRecord("too-long", f"a line has at most {MAX_LINE} bytes; this one has {len(line)}")
    return _read(line, _sorted, _line_decoder)


def loads_sent(text: bytes | str) -> dict[str, Any]:
    """The object that a player sent: in canonical form, except that its members may be in any order."""
    if len(text) > MAX_SENT:
        raise BadRecord("too-long", f"a text has at most {MAX_SENT} bytes; this one has {len(text)}")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    value = _read(data, _as_given, _sent_decoder)
    if not isinstance(value, dict):
        raise BadRecord("not-an-object", "the text must be one JSON object")
    return value


def _read(data: bytes, encoder: msgspec.json.Encoder, decoder: json.JSONDecoder) -> Any:
    """The value, if the encoder writes the same bytes again; if not, the slow path finds the reason."""
    if (quick := _quick(data, encoder)) is not _UNSURE:
        return quick
    if bad := _unprintable.search(data):
        raise BadRecord("not-ascii", f"byte {bad.start()} is not printable ASCII")
    value = _decode(data, decoder)
    if _has_other_escapes(data) or encoder.encode(value) != data:
        raise BadRecord("not-canonical", "this is JSON, but not in canonical form")
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
    """Called only if there is a null: the encoder silently writes null for NaN and Infinity."""
    if isinstance(value, dict):
        return any(map(_holds_float, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_holds_float, value))
    return isinstance(value, float)


def _has_other_escapes(line: bytes) -> bool:
    """Printable strings need only two escapes; any other is for a forbidden character or a second spelling."""
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
            raise BadRecord("too-deep", f"values are nested at most {MAX_DEPTH} levels deep")


def _integer(text: str) -> int:
    # The length first: Python's conversion of a long numeral is quadratic, or refused with an error of its own.
    if text == "-0" or len(text) > 17 or not -MAX_INTEGER <= int(text) <= MAX_INTEGER:
        raise BadRecord("bad-number", "numbers must be integers from -(2^53-1) to 2^53-1")
    return int(text)


def _no_number(_text: str) -> NoReturn:
    raise BadRecord("bad-number", "numbers must be integers, without fractions, exponents, NaN or Infinity")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise BadRecord("duplicate-key", "an object must name each member once")
    for name, member in pairs:
        _check_text(name)
        _check_text(member)
    return value


def _check_text(value: object) -> None:
    """Escapes can produce characters that the bytes cannot; strings inside arrays are reached through the array."""
    if isinstance(value, str) and _unprintable_text.search(value):
        raise BadRecord("not-ascii", "strings must be printable ASCII, also when escaped")
    if isinstance(value, list):
        for item in value:
            _check_text(item)


_line_decoder = json.JSONDecoder(parse_float=_no_number, parse_int=_integer, parse_constant=_no_number)
_sent_decoder = json.JSONDecoder(
    parse_float=_no_number, parse_int=_integer, parse_constant=_no_number, object_pairs_hook=_object
)
_model = msgspec.json.Decoder(_nested(6))  # nearly all lines; each level more takes twice as long to prepare


# --- bytes as text ----------------------------------------------------------------------------------------------------

# 32 bytes are 43 letters, the last of which carries four bits: nearly every binary value of a record.
BASE64URL_32 = "[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]"
_base64url_32 = re.compile(BASE64URL_32)
# The letters allowed at the end, by the number of bytes left over from groups of three: no spare bits are set.
_LAST_LETTERS = ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", "AQgw", "AEIMQUYcgkosw048")
_to_url = bytes.maketrans(b"+/", b"-_")
_from_url = bytes.maketrans(b"-_+/=\n\r \t", b"+/*******")


def to_base64url(data: bytes) -> str:
    """The one text of these bytes."""
    return binascii.b2a_base64(data, newline=False).translate(_to_url, b"=").decode("ascii")


def is_base64url_32(text: object) -> TypeGuard[str]:
    """True if `from_base64url` would read 32 bytes here."""
    return isinstance(text, str) and _base64url_32.fullmatch(text) is not None


@lru_cache(maxsize=256)
def _decode_32(text: str) -> bytes | None:
    """Cached, because an audit meets each hash and key several times; None for text that must be refused."""
    return binascii.a2b_base64(text.encode().translate(_from_url) + b"=") if is_base64url_32(text) else None


def from_base64url(text: object, length: int | None = None) -> bytes:
    """The bytes of `text`, `length` of them if it is given; BadRecord for any text that `to_base64url` never makes."""
    if length == 32 and isinstance(text, str) and len(text) == 43 and (data := _decode_32(text)) is not None:
        return data
    if not isinstance(text, str) or not text.isascii():
        raise BadRecord("bad-base64url", "binary values must be base64url text")
    try:
        data = binascii.a2b_base64(text.encode().translate(_from_url) + b"=" * (-len(text) % 4), strict_mode=True)
    except binascii.Error:
        raise BadRecord("bad-base64url", "expected base64url without padding") from None
    if data and text[-1] not in _LAST_LETTERS[len(data) % 3]:
        raise BadRecord("bad-base64url", "this base64url is not the canonical spelling of its bytes")
    if length is not None and len(data) != length:
        raise BadRecord("bad-length", f"expected {length} bytes, found {len(data)}")
    return data


# --- hashes -----------------------------------------------------------------------------------------------------------


def H(data: bytes) -> bytes:
    """SHA-256: 32 bytes."""
    return hashlib.sha256(data).digest()


def M(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA256 (RFC 2104): 32 bytes."""
    return hmac_of(key, data)


def leaf(line: bytes) -> bytes:
    """The hash of an entry: the leaf hash that a Merkle tree would take later (RFC 6962, section 2.1)."""
    return H(b"\x00" + line)


# --- times ------------------------------------------------------------------------------------------------------------

_time = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)Z", re.ASCII)


@lru_cache(maxsize=64)
def seconds(at: str) -> int:
    """Seconds since 1970-01-01T00:00:00Z, leap seconds not counted; BadRecord for a text that `instant` never makes."""
    found = _time.fullmatch(at)
    if not found:
        raise BadRecord("bad-time", "times must look like 2026-11-21T10:00:00Z")
    midnight, hour, minute, second = _midnight(found[1]), int(found[2]), int(found[3]), int(found[4])
    if midnight is None or hour > 23 or minute > 59 or second > 59:
        raise BadRecord("bad-time", f"{at} is not a valid date and time")
    return midnight + hour * 3600 + minute * 60 + second


@lru_cache(maxsize=64)
def _midnight(date: str) -> int | None:
    """The first second of a date like 2026-11-21; None if the calendar has no such date."""
    year, month, day = map(int, date.split("-"))
    if not (year >= 1970 and 1 <= month <= 12):
        return None
    first, after = _days(year, month, 1), _days(year + month // 12, month % 12 + 1, 1)
    return (first + day - 1) * 86400 if 1 <= day <= after - first else None


def instant(seconds: int) -> str:
    """The text of a number of seconds since 1970, up to the year 9999."""
    days, rest = divmod(seconds, 86400)
    year = 1970 + (days - 366) * 400 // 146097  # at most two years early: a log may name any number of seconds
    while _days(year + 1, 1, 1) <= days:
        year += 1
    month = 1
    while month < 12 and _days(year, month + 1, 1) <= days:
        month += 1
    day = days - _days(year, month, 1) + 1
    return f"{year:04}-{month:02}-{day:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}Z"


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01, counting years from March, so that the leap day comes last."""
    shifted = year - (month < 3)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return shifted * 365 + shifted // 4 - shifted // 100 + shifted // 400 + of_year - 719468
