"""Exact members: an object of the record has the members that the specification names, each of its kind, and no others.

Each kind of member is defined twice. Its function is the law: it returns None for a good value, or the text of what is
wrong. Its type is for msgspec, which accepts a whole object at once, in a tenth of the time. The type may be wider than
the law, never narrower; where it is wider, the function is called too. So only the functions refuse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding.canonical import MAX_INTEGER


class MemberCheck:
    """One kind of member: BadRecord for any other value. With `whole` the type accepts what the law accepts."""

    def __init__(self, law: Callable[[Any], object], type_: Any = Any, *, whole: bool = False) -> None:
        self.law, self.type, self.whole = law, type_, whole

    def __call__(self, value: object) -> None:
        self.law(value)


Members = Mapping[str, MemberCheck]

NONE: Members = {}


class Shape(MemberCheck):
    """An object with every required member, perhaps optional ones, and no others; `what` is its name in messages."""

    def __init__(self, what: str, required: Members, optional: Members = NONE) -> None:
        self.what, self.required, self.optional = what, required, optional
        fields = [(name, check.type) for name, check in required.items()]
        perhaps = [(name, check.type | UnsetType, UNSET) for name, check in optional.items()]
        struct = msgspec.defstruct("Shape", [*fields, *perhaps], forbid_unknown_fields=True, kw_only=True)
        wider = {name: check.law for name, check in {**required, **optional}.items() if not check.whole}
        self._wider = tuple(wider.items())
        super().__init__(self, struct, whole=not wider)

    def __call__(self, value: Any) -> None:
        try:
            msgspec.convert(value, self.type)
            for name, law in self._wider:
                if name in value:
                    law(value[name])
        except (msgspec.ValidationError, BadRecord):
            self.explain(value)

    def explain(self, value: object) -> None:
        """The law, member by member in the order of the object; BadRecord names the first one at fault."""
        if not isinstance(value, dict):
            raise BadRecord("not-an-object", f"{self.what} must be an object")
        if not self.required.keys() <= value.keys():
            lacking = next(name for name in self.required if name not in value)
            raise BadRecord("missing-member", f"{self.what} lacks the member {lacking}")
        for name, member in value.items():
            self._explain_member(name, member)

    def _explain_member(self, name: str, member: object) -> None:
        check = self.required.get(name) or self.optional.get(name)
        if check is None:
            raise BadRecord("unknown-member", f"{self.what} has no member {name[:40]!r}")
        try:
            check(member)
        except BadRecord as error:
            raise BadRecord(error.code, f"{name}: {error.says}") from None


def bad(says: str) -> BadRecord:
    return BadRecord("bad-member", says)


def integer(low: int, high: int = MAX_INTEGER) -> MemberCheck:
    def law(value: object) -> None:
        if type(value) is not int or not low <= value <= high:
            raise bad(f"expected an integer from {low} to {high}")

    return MemberCheck(law, Annotated[int, Meta(ge=low, le=high)], whole=True)


def matching(pattern: str, says: str) -> MemberCheck:
    compiled = re.compile(pattern)

    def law(value: object) -> None:
        if not isinstance(value, str) or not compiled.fullmatch(value):
            raise bad(f"expected {says}")

    return MemberCheck(law, Annotated[str, Meta(pattern=rf"^(?:{pattern})\Z")], whole=True)


def nullable(check: MemberCheck) -> MemberCheck:
    def law(value: object) -> None:
        if value is not None:
            check(value)

    return MemberCheck(law, check.type | None, whole=check.whole)


def one_of(*names: str) -> MemberCheck:
    def law(value: object) -> None:
        if not isinstance(value, str) or value not in names:
            raise bad(f"expected one of {', '.join(names)}")

    return MemberCheck(law, Literal[names], whole=True)


def _boolean(value: object) -> None:
    if not isinstance(value, bool):
        raise bad("expected true or false")


def _text(value: object) -> None:
    if not isinstance(value, str):
        raise bad("expected a string")


def _binary32(value: object) -> None:
    if not canonical.is_base64url_32(value):
        canonical.from_base64url(value, 32)  # says what is wrong


def _object(value: object) -> None:
    if not isinstance(value, dict):
        raise bad("expected an object")


def _objects(value: object) -> None:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise bad("expected a list of objects")


def _seats(value: object) -> None:
    if not isinstance(value, list) or not value:
        raise bad("expected a list of seats")
    for item in value:
        seat(item)
    if any(a >= b for a, b in pairwise(value)):
        raise bad("seats must be in ascending order, each once")


def _seals(value: object) -> None:
    if not isinstance(value, list):
        raise bad("expected a list of hashes")
    for item in value:
        binary32(item)
    if not 2 <= len(value) <= MOST_SEALS:
        raise bad(f"expected 2 to {MOST_SEALS} hashes, found {len(value)}")


MOST_SEATS = 64
MOST_SEALS = MOST_SEATS + 1  # one for each seat, and one for the full events
MOST_ENTRIES = 2**20
MOST_SECONDS = 2**25

_b32 = Annotated[str, Meta(pattern=rf"^{canonical.BASE64URL_32}\Z")]

boolean = MemberCheck(_boolean, bool, whole=True)
text = MemberCheck(_text, str, whole=True)
binary32 = MemberCheck(_binary32, _b32, whole=True)
an_object = MemberCheck(_object, dict[str, Any], whole=True)
objects = MemberCheck(_objects, list[dict[str, Any]], whole=True)
seats = MemberCheck(_seats)  # each once, ascending
seals = MemberCheck(_seals, Annotated[list[_b32], Meta(min_length=2, max_length=MOST_SEALS)], whole=True)
game_id = matching("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "a UUID in lower case")
host = matching(r"[A-Za-z0-9._:\[\]-]{1,255}", "a host, with its port if it has one")
name = matching("[a-z][a-z0-9_-]{0,63}", "a name in lower case")
file_name = matching(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", "a file name")
seat = integer(0, MOST_SEATS - 1)
seq = integer(0, MOST_ENTRIES - 1)
seconds = integer(0, MOST_SECONDS)
