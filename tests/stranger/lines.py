"""Bytes: hashes and labels (section 2), canonical lines (3.1), base64url (3.2), and texts from players (3.3).

The readers accept only the canonical form, so no value is written again for comparison.
"""

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import Any

SEATS = 64
LONGEST_LINE = 2**20
LONGEST_SENT = 16_384
LARGEST = 2**53 - 1
DEEPEST = 32

Json = Any


class Refused(Exception):
    """The input is not what the specification allows."""


class Newer(Refused):
    """A later version of the record, which this verifier cannot judge."""


def need(condition: object, message: str) -> None:
    if not condition:
        raise Refused(message)


def H(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def M(key: bytes, data: bytes) -> bytes:
    return hmac.digest(key, data, "sha256")


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def D(label: str) -> bytes:
    return b"sealedmove/1/" + label.encode("ascii") + b"\0"


def K(secret: bytes, label: str, a: int, b: int) -> bytes:
    return M(secret, D(label) + u64(a) + u64(b))


def leaf(line: bytes) -> bytes:
    """The hash of an entry: a leaf of RFC 6962."""
    return H(b"\0" + line)


def to_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def from_base64url(text: Json, length: int | None = None) -> bytes:
    need(isinstance(text, str) and re.fullmatch(r"[A-Za-z0-9_-]*", text), "this is not base64url")
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error:
        raise Refused("no bytes have this base64url") from None
    need(to_base64url(data) == text, "its spare bits are not zero")
    need(length is None or len(data) == length, f"{len(data)} bytes where {length} are due")
    return data


def bytes32(text: Json) -> bytes:
    return from_base64url(text, 32)


_STRING = re.compile(r'"([ !#-\[\]-~]*(?:\\["\\][ !#-\[\]-~]*)*)"')
_NUMBER = re.compile(r"(?:0|-?[1-9][0-9]{0,15})(?![0-9.eE])")
_WORDS: dict[str, Json] = {"null": None, "true": True, "false": False}


class _Reader:
    def __init__(self, text: str, *, ordered: bool) -> None:
        self.text, self.at, self.ordered = text, 0, ordered

    def takes(self, token: str) -> bool:
        found = self.text.startswith(token, self.at)
        self.at += len(token) * found
        return found

    def value(self, depth: int = 0) -> Json:
        first = self.text[self.at : self.at + 1]
        if first == '"':
            return self.string()
        if first in ("{", "["):
            need(depth < DEEPEST, f"values lie more than {DEEPEST} deep")
            return self.object(depth + 1) if first == "{" else self.array(depth + 1)
        for word, meaning in _WORDS.items():
            if self.takes(word):
                return meaning
        return self.number()

    def string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise Refused(f"no canonical string at character {self.at}")
        self.at = found.end()
        return re.sub(r"\\(.)", r"\1", found[1])

    def number(self) -> int:
        found = _NUMBER.match(self.text, self.at)
        if found is None or abs(int(found[0])) > LARGEST:
            raise Refused(f"no canonical value at character {self.at}")
        self.at = found.end()
        return int(found[0])

    def array(self, depth: int) -> list[Json]:
        values: list[Json] = []
        self.at += 1
        while not self.takes("]"):
            need(not values or self.takes(","), f"no comma at character {self.at}")
            values.append(self.value(depth))
        return values

    def object(self, depth: int) -> dict[str, Json]:
        members: dict[str, Json] = {}
        last = None
        self.at += 1
        while not self.takes("}"):
            need(not members or self.takes(","), f"no comma at character {self.at}")
            name = self.string()
            need(name not in members, f"the member {name} stands twice")
            need(not self.ordered or last is None or last < name, f"the member {name} is out of order")
            need(self.takes(":"), f"no colon at character {self.at}")
            members[name], last = self.value(depth), name
        return members


def _read(data: bytes, longest: int, *, ordered: bool) -> Json:
    need(len(data) <= longest, f"{len(data)} bytes are more than {longest}")
    need(data.isascii(), "there is a byte beyond ASCII")
    reader = _Reader(data.decode("ascii"), ordered=ordered)
    value = reader.value()
    need(reader.at == len(data), f"something follows at character {reader.at}")
    return value


def read_line(data: bytes) -> Json:
    """The value of a canonical line, given without its line feed."""
    return _read(data, LONGEST_LINE, ordered=True)


def read_sent(data: bytes) -> dict[str, Json]:
    """The object of a JWS header, a JWS payload or the text of a move, its members in any order."""
    value = _read(data, LONGEST_SENT, ordered=False)
    if not isinstance(value, dict):
        raise Refused("this is not an object")
    return value


def write(value: Json) -> bytes:
    """The canonical form of a value."""
    if isinstance(value, dict):
        return b"{" + b",".join(write(name) + b":" + write(value[name]) for name in sorted(value)) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(write, value)) + b"]"
    if isinstance(value, str):
        return b'"' + value.replace("\\", "\\\\").replace('"', '\\"').encode("ascii") + b'"'
    if value is None or isinstance(value, bool):
        return {None: b"null", True: b"true", False: b"false"}[value]
    return str(value).encode("ascii")


def members(value: Json, names: AbstractSet[str], optional: AbstractSet[str] = frozenset()) -> dict[str, Json]:
    """An object with exactly these members, and perhaps the optional ones."""
    if not isinstance(value, dict):
        raise Refused("this is not an object")
    need(names <= value.keys(), f"missing: {', '.join(sorted(names - value.keys()))}")
    need(value.keys() <= names | optional, f"unknown: {', '.join(sorted(value.keys() - names - optional))}")
    return value


def number(value: Json, least: int = 0, most: int = LARGEST) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Refused(f"{value!r:.80} is not a number from {least} to {most}")
    return value


def flag(value: Json) -> bool:
    if not isinstance(value, bool):
        raise Refused(f"{value!r:.80} is neither true nor false")
    return value


def matching(value: Json, pattern: str) -> str:
    if not isinstance(value, str) or not re.fullmatch(pattern, value):
        raise Refused(f"{value!r:.80} is not of the form {pattern}")
    return value


def one_of(value: Json, words: Collection[str]) -> str:
    if not isinstance(value, str) or value not in words:
        raise Refused(f"{value!r:.80} is not one of {', '.join(words)}")
    return value


def name(value: Json) -> str:
    return matching(value, "[a-z][a-z0-9_-]{0,63}")


def array(value: Json, least: int = 0, most: int | None = None) -> list[Json]:
    if not isinstance(value, list):
        raise Refused("this is not an array")
    need(least <= len(value) and (most is None or len(value) <= most), f"an array of {len(value)}")
    return value


def ascending_seats(value: Json, least: int = 0) -> list[int]:
    seats = [number(each, 0, SEATS - 1) for each in array(value, least)]
    need(seats == sorted(set(seats)), "the seats do not ascend")
    return seats
