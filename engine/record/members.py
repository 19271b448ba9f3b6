"""Exact members: an object of the record has those that the specification names, each of its kind, and no other.

A check takes a value and returns nothing, or raises BadRecord with a code; `exactly` names the member at fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from engine.errors import BadRecord
from engine.record import base64url
from engine.record.canonical import MAX_INTEGER

Check = Callable[[Any], None]
Members = Mapping[str, Check]

NONE: Members = {}


def exactly(value: object, required: Members, optional: Members = NONE, what: str = "this") -> dict[str, Any]:
    """The value, if it is an object with every required member, perhaps optional ones, and no other."""
    if not isinstance(value, dict):
        raise BadRecord("not-an-object", f"{what} is an object")
    if not required.keys() <= value.keys():
        lacking = next(name for name in required if name not in value)
        raise BadRecord("missing-member", f"{what} lacks the member {lacking}")
    for name, member in value.items():
        check = required.get(name) or optional.get(name)
        if check is None:
            raise BadRecord("unknown-member", f"{what} has no member {name[:40]!r}")
        try:
            check(member)
        except BadRecord as error:
            raise BadRecord(error.code, f"{name}: {error.says}") from None
    return value


def bad(says: str) -> BadRecord:
    return BadRecord("bad-member", says)


def integer(low: int, high: int = MAX_INTEGER) -> Check:
    def check(value: object) -> None:
        if type(value) is not int or not low <= value <= high:
            raise bad(f"an integer from {low} to {high} is due here")

    return check


def matching(pattern: str, says: str) -> Check:
    compiled = re.compile(pattern)

    def check(value: object) -> None:
        if not isinstance(value, str) or not compiled.fullmatch(value):
            raise bad(f"{says} is due here")

    return check


def nullable(check: Check) -> Check:
    def check_unless_null(value: object) -> None:
        if value is not None:
            check(value)

    return check_unless_null


def boolean(value: object) -> None:
    if not isinstance(value, bool):
        raise bad("true or false is due here")


def text(value: object) -> None:
    if not isinstance(value, str):
        raise bad("a string is due here")


def binary32(value: object) -> None:
    if not base64url.is_32(value):
        base64url.decode(value, 32)  # says what is wrong


def one_of(*names: str) -> Check:
    def check(value: object) -> None:
        if not isinstance(value, str) or value not in names:
            raise bad(f"one of {', '.join(names)} is due here")

    return check


def an_object(value: object) -> None:
    if not isinstance(value, dict):
        raise bad("an object is due here")


def objects(value: object) -> None:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise bad("a list of objects is due here")


def seats(value: object) -> None:
    """Seats, each once, ascending."""
    if not isinstance(value, list) or not value:
        raise bad("a list of seats is due here")
    for item in value:
        seat(item)
    if any(a >= b for a, b in pairwise(value)):
        raise bad("seats stand in ascending order, each once")


def hashes(value: object) -> None:
    if not isinstance(value, list) or not value:
        raise bad("a list of hashes is due here")
    for item in value:
        binary32(item)


MOST_SEATS = 64
MOST_ENTRIES = 2**20
MOST_SECONDS = 2**25

game_id = matching("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "a UUID in lower case")
host = matching(r"[A-Za-z0-9._:\[\]-]{1,255}", "a host, perhaps with its port,")
name = matching("[a-z][a-z0-9_-]{0,63}", "a name in lower case")
file_name = matching(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", "a file name")
seat = integer(0, MOST_SEATS - 1)
seq = integer(0, MOST_ENTRIES - 1)
seconds = integer(0, MOST_SECONDS)
