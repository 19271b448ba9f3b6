"""Moves as they are written: the form of each command, a move as text and on the wire. Reading: `grammar.py`.

A move has 1 to 64 steps. In text they are separated by `;` or line ends, and `try` before a step lets it be skipped if
refused; `parse(format(c))` is `c`. A command's `notation` is a template of words of three kinds, and the types of its
fields give their values:

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
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from engine.errors import Refused
from engine.game import Command, Game

MOST_STEPS = 64
NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
FREE = "-"  # the kind of a field that names nothing on the table
_PARTS = re.compile(r"\[([^\]]*)\]|(\S+)")


class Step(msgspec.Struct, frozen=True, gc=False):
    """A command of a move; `may_skip` is the word `try` in text, `{"try": ...}` on the wire."""

    command: Command
    may_skip: bool = False


class Group(msgspec.Struct, frozen=True):
    """A run of template words: required, or an option that is present for a flag or a given first field."""

    tokens: tuple[str, ...]
    optional: bool
    fields: tuple[str, ...]
    flag: str | None


@cache
def template(kind: type[Command]) -> tuple[Group, ...]:
    """The groups of a kind's notation."""
    return tuple(_group((inner or token).split(), bool(inner)) for inner, token in _PARTS.findall(kind.notation))


def _group(tokens: Sequence[str], optional: bool) -> Group:
    fields = tuple(token[1:-1] for token in tokens if token.startswith("{"))
    return Group(tuple(tokens), optional, fields, flag=tokens[0] if optional and not fields else None)


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


# --- as text --------------------------------------------------------------------------------------------------------


def format_command(command: Command) -> str:
    """The one text form of a command."""
    return " ".join(word for _, words in write(command) for word in words)


def format_steps(steps: Iterable[Step]) -> str:
    """The one text form of a move."""
    return "; ".join(("try " if step.may_skip else "") + format_command(step.command) for step in steps)


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


def group(commands: Iterable[Command]) -> tuple[str, ...]:
    """Few lines that name exactly these commands, each varying in one word at most: `donate 1..7`, `raise 2 3|5`."""
    kinds: dict[tuple[type[Command], int], list[list[str]]] = {}
    for command in commands:
        words = format_command(command).split()
        kinds.setdefault((type(command), len(words)), []).append(words)
    return tuple(line for rows in kinds.values() for line in _fewest(rows))


def _fewest(rows: list[list[str]]) -> list[str]:
    """The shortest of the listings that vary in one word."""
    return min((_vary(rows, place) for place in reversed(range(len(rows[0])))), key=len)


def _vary(rows: list[list[str]], place: int) -> list[str]:
    buckets: dict[tuple[str, ...], list[str]] = {}
    for words in rows:
        buckets.setdefault((*words[:place], "", *words[place + 1 :]), []).append(words[place])
    return [" ".join(word or _range(found) for word in rest) for rest, found in buckets.items()]


def _range(words: Sequence[str]) -> str:
    if len(words) > 2 and all(word.isdigit() for word in words):
        numbers = sorted(map(int, words))
        if numbers == list(range(numbers[0], numbers[-1] + 1)):
            return f"{numbers[0]}..{numbers[-1]}"
    return "|".join(words)


# --- on the wire ----------------------------------------------------------------------------------------------------


def load_steps(game: Game[Any], listed: object) -> tuple[Step, ...]:
    """The steps of a signed list of commands; Refused `bad-move` if it is not one. Duplicate keys are refused
    earlier.
    """
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_STEPS:
        raise Refused("bad-move", says=f"a move is a list of 1 to {MOST_STEPS} commands")
    return tuple(_load(game, item) for item in listed)


def _load(game: Game[Any], item: object) -> Step:
    may_skip = isinstance(item, dict) and item.keys() == {"try"}
    try:
        return Step(convert(item["try"] if may_skip else item, game.commands), may_skip)  # type: ignore[index]
    except msgspec.ValidationError as no:
        raise Refused("bad-move", says=str(no).replace("`", "'")) from None


def dump_steps(steps: Iterable[Step]) -> list[Any]:
    """The signed form of a move: plain JSON values."""
    plain = ((msgspec.to_builtins(step.command), step.may_skip) for step in steps)
    return [{"try": command} if may_skip else command for command, may_skip in plain]


def convert(plain: object, kinds: tuple[type[Any], ...]) -> Any:
    """Make the Struct of one of these tagged kinds from its plain value, or raise msgspec.ValidationError.

    The tag chooses the kind, because msgspec would analyse the union at every call: 20 times as long as the reading
    itself.
    """
    tag = plain.get(kinds[0].__struct_config__.tag_field) if isinstance(plain, dict) else None
    kind = _by_tag(kinds).get(tag) if isinstance(tag, str) else None
    return msgspec.convert(plain, kind or union(kinds))  # its message says what is wrong


@cache
def _by_tag(kinds: tuple[type[Any], ...]) -> dict[str, type[Any]]:
    return {kind.__struct_config__.tag: kind for kind in kinds}


@cache
def union(kinds: tuple[type[Any], ...]) -> Any:
    """The union type of tagged Structs, for msgspec."""
    whole: Any = kinds[0]
    for kind in kinds[1:]:
        whole = whole | kind
    return whole
