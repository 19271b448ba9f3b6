"""The form of each command: its template, the values of its fields, and how it is written. Reading: `grammar.py`.

A command's `notation` is a template of words of three kinds, and its fields' types say their values:

    tent {die} [row {row}] [explorer]
    ^    ^     ^           ^ a flag: the field of that name is true
    |    |     + an option: left out when its first field is None
    |    + a field
    + a word

A tuple is written with `+` between its parts. A field `seat` or `..._seat` is written the way people count seats, from
1; in the command, as everywhere in the record, seats count from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from engine.game import Command

NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
FREE = "-"  # the kind of a field that names nothing on the table
_PARTS = re.compile(r"\[([^\]]*)\]|(\S+)")


class Group(msgspec.Struct, frozen=True):
    """A run of template words: required, or an option that is present for a flag or a given first field."""

    tokens: tuple[str, ...]
    optional: bool

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(token[1:-1] for token in self.tokens if token.startswith("{"))

    @property
    def flag(self) -> str | None:
        return self.tokens[0] if self.optional and not self.fields else None


@cache
def template(kind: type[Command]) -> tuple[Group, ...]:
    """The groups of a kind's notation."""
    return tuple(Group(tuple((inner or token).split()), bool(inner)) for inner, token in _PARTS.findall(kind.notation))


@cache
def head(kind: type[Command]) -> tuple[str, ...]:
    """The words at the start of every command of this kind: `rest own`."""
    words: list[str] = []
    for group in template(kind):
        if group.optional or group.fields:
            break
        words += group.tokens
    return tuple(words)


def names_seat(field: str) -> bool:
    """Does a field of this name hold a seat?"""
    return field == "seat" or field.endswith("_seat")


# --- the values of a field ------------------------------------------------------------------------------------------


def named(what: str, words: Sequence[str], pattern: str) -> msgspec.Meta:
    """The bounds of a field with many words, for `Card = Annotated[str, ...]`.

    `what` names them in refusals and in the API's document. Typed words are held against `words`; on the wire only the
    pattern counts, since an older command may name something that is gone now.
    """
    return msgspec.Meta(pattern=pattern, description=what, extra={"words": tuple(words)})


class Slot(msgspec.Struct, frozen=True):
    """The values of one field, or of each part of a tuple: words, a number within bounds, or a pattern.

    `kind` and `owner` are what a word points at on the table (`pointing.py`).
    """

    name: str
    what: str = ""
    words: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    pattern: str = ""
    is_number: bool = False
    is_many: bool = False
    is_set: bool = False
    kind: str = ""
    owner: str = ""

    def read(self, word: str) -> Any:
        """The value of a typed word; None if the word does not fit."""
        if not self.is_many:
            return self._part(word)
        parts = [self._part(part) for part in word.split("+")]
        if None in parts:
            return None
        return tuple(sorted(parts, key=self._place) if self.is_set else parts)

    def write(self, value: Any) -> str:
        """The word of a value."""
        if isinstance(value, tuple):
            return "+".join(map(str, value))
        return str(value + 1 if names_seat(self.name) else value)

    def expected(self) -> tuple[str, ...]:
        """The accepted words, or a description of them."""
        if self.words:
            return self.words
        if self.is_number:
            return (f"{self.what or f'a number ({self.name})'} from {self.low} to {self.high}",)
        return (self.what or self.name.upper(),)

    def _part(self, word: str) -> Any:
        if self.is_number:
            number = int(word) if NUMBER.fullmatch(word) else None
            if number is None or not (self.low or 0) <= number <= (number if self.high is None else self.high):
                return None
            return number - 1 if names_seat(self.name) else number
        known = word in self.words if self.words else re.search(self.pattern, word)
        return word if known else None

    def _place(self, part: Any) -> Any:
        return self.words.index(part) if self.words else part


@cache
def slots(kind: type[Command]) -> dict[str, Slot]:
    """The slots of a kind's fields, by name."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: _slot(name, hints[name], name in kind.spelling.sets) for name in kind.__struct_fields__}


def _slot(name: str, hint: Any, is_set: bool) -> Slot:
    facts: dict[str, Any] = {"is_set": is_set}
    _learn(hint, facts)
    if facts.get("is_number") and names_seat(name):
        facts |= {"low": facts["low"] + 1, "high": facts["high"] + 1, "what": facts.get("what", "a seat")}
    kind = facts.pop("kind", "seat" if names_seat(name) else name)
    return Slot(name, kind="" if kind == FREE else kind, **facts)


def _learn(hint: Any, facts: dict[str, Any]) -> None:
    """The bounds that a type gives a field; outer ones take precedence over inner ones."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        _learn(inner[0], facts)
        for meta in inner[1:]:
            facts.update(_told_by(meta, whole=facts.get("is_many", False)))
    elif origin is Literal:
        facts["words"] = inner
    elif origin is tuple:
        facts["is_many"] = False
        _learn(inner[0], facts)
        facts["is_many"] = True
    elif inner:  # a union with None
        _learn(next(part for part in inner if part is not NoneType), facts)
    else:
        facts["is_number"] = hint is int


def _told_by(meta: msgspec.Meta, *, whole: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"what": meta.description, **(meta.extra or {})}
    if not whole:
        low = meta.ge if meta.ge is not None else None if meta.gt is None else meta.gt + 1
        high = meta.le if meta.le is not None else None if meta.lt is None else meta.lt - 1
        told |= {"low": low, "high": high, "pattern": meta.pattern}
    return {name: value for name, value in told.items() if value is not None}


# --- writing --------------------------------------------------------------------------------------------------------


def write(command: Command) -> Iterator[tuple[Group, tuple[str, ...]]]:
    """The groups that a command has, each with its words."""
    known = slots(type(command))
    for group in template(type(command)):
        if group.flag and not getattr(command, group.flag):
            continue
        if group.optional and group.fields and getattr(command, group.fields[0]) is None:
            continue
        yield (
            group,
            tuple(
                known[token[1:-1]].write(getattr(command, token[1:-1])) if token.startswith("{") else token
                for token in group.tokens
            ),
        )
