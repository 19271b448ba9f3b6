"""One text form for each command, made from its `notation` template: `parse(format(c))` is `c`.

A template is words of three kinds:

    tent {die} [row {row}] [explorer]
    ^    ^     ^           ^ a flag: the field of that name is true
    |    |     + a group: left out when its first field is None
    |    + a field
    + a word

A line of text holds 1 to 64 steps, parted by `;` or line ends; `try` before a step lets it be skipped if refused.
A tuple is written with `+` between its parts. A field `seat` or `..._seat` is written as people count seats, from 1; in
the command, as everywhere in the record, seats count from 0. Parsing knows no state, so it cannot answer differently
for hidden reasons; `complete` resolves shortened words among the legal commands a seat sees anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from engine.errors import Ambiguous, BadNotation, Refused
from engine.game import Command, Game

MOST_STEPS = 64
LONGEST_TEXT = 4096
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_PARTS = re.compile(r"\[([^\]]*)\]|(\S+)")


class Step(msgspec.Struct, frozen=True):
    """A command of a move; `may_skip` is the word `try` in text, `{"try": ...}` on the wire."""

    command: Command
    may_skip: bool = False


class Group(msgspec.Struct, frozen=True):
    """A run of template words: required, or present only for a flag or a given first field."""

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


# --- writing --------------------------------------------------------------------------------------------------------


def format_command(command: Command) -> str:
    """The one text form of a command."""
    return " ".join(token for group in template(type(command)) for token in _write(group, command))


def format_steps(steps: Iterable[Step]) -> str:
    """The one text form of a move."""
    return "; ".join(("try " if step.may_skip else "") + format_command(step.command) for step in steps)


def _write(group: Group, command: Command) -> Iterator[str]:
    if group.flag and not getattr(command, group.flag):
        return
    if group.optional and group.fields and getattr(command, group.fields[0]) is None:
        return
    for token in group.tokens:
        yield _text(token[1:-1], getattr(command, token[1:-1])) if token.startswith("{") else token


def _text(name: str, value: Any) -> str:
    if names_seat(name):
        return str(value + 1)
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def names_seat(field: str) -> bool:
    """Does a field of this name hold a seat?"""
    return field == "seat" or field.endswith("_seat")


# --- reading --------------------------------------------------------------------------------------------------------


def parse(game: Game[Any], text: str) -> tuple[Step, ...]:
    """The steps of a text, or BadNotation saying what was found and expected. Any string is answered."""
    lines = [line for line in re.split(r"[;\n]", text[: LONGEST_TEXT + 1]) if line.strip()]
    if len(text) > LONGEST_TEXT or not 1 <= len(lines) <= MOST_STEPS:
        raise BadNotation("bad-notation", found=text[:40], expected=f"1 to {MOST_STEPS} commands")
    return tuple(parse_step(game, line) for line in lines)


def parse_step(game: Game[Any], text: str) -> Step:
    """One step, `try` included."""
    words = text.lower().split()
    may_skip = words[:1] == ["try"]
    return Step(_parse(game, words[1:] if may_skip else words), may_skip)


def _parse(game: Game[Any], words: list[str]) -> Command:
    for kind in game.commands:
        fields = _match(kind, words)
        if fields is not None:
            try:
                return msgspec.convert(fields, kind)
            except msgspec.ValidationError:
                break
    same_verb = [kind.notation for kind in game.commands if kind.notation.split()[0] == "".join(words[:1])]
    expected = tuple(same_verb or (kind.notation for kind in game.commands))
    raise BadNotation("bad-notation", found=" ".join(words), expected=expected)


def _match(kind: type[Command], words: Sequence[str]) -> dict[str, Any] | None:
    """The fields that these words give in this kind's template, or None."""
    fields: dict[str, Any] = {"do": kind.__struct_config__.tag}
    at = 0
    for group in template(kind):
        here = words[at : at + len(group.tokens)]
        if len(here) < len(group.tokens) or any(
            not token.startswith("{") and token != word for token, word in zip(group.tokens, here, strict=True)
        ):
            if group.optional:
                continue
            return None
        at += len(here)
        if group.flag:
            fields[group.flag] = True
        for token, word in zip(group.tokens, here, strict=True):
            if token.startswith("{"):
                fields[token[1:-1]] = _field(kind, token[1:-1], word)
    return fields if at == len(words) and None not in fields.values() else None


def _field(kind: type[Command], name: str, word: str) -> Any:
    value = _value(word, _shape(kind, name))
    return value - 1 if names_seat(name) and value is not None else value


def _value(word: str, shape: str) -> Any:
    """A word as an integer, a string or a tuple of either; None if it cannot be one."""
    if shape.endswith("s"):
        parts = [_value(part, shape[:-1]) for part in word.split("+")]
        return None if None in parts else tuple(parts)
    if shape == "int":
        return int(word) if _NUMBER.fullmatch(word) else None
    return word


@cache
def _shape(kind: type[Command], field: str) -> str:
    """`int`, `text`, `ints` or `texts`: how a field is read, from its type."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return _shape_of(next(f.type for f in info.fields if f.name == field))


def _shape_of(kind: inspect.Type) -> str:
    match kind:
        case inspect.UnionType(types=types):
            return _shape_of(next(t for t in types if not isinstance(t, inspect.NoneType)))
        case inspect.VarTupleType(item_type=item):
            return _shape_of(item) + "s"
        case inspect.TupleType(item_types=(item, *_)):
            return _shape_of(item) + "s"
        case inspect.IntType():
            return "int"
    return "text"


def complete(text: str, legal: Iterable[Command]) -> Step:
    """The one legal command whose words begin with these; Ambiguous lists the candidates if there are several."""
    words = text.lower().split()
    may_skip = words[:1] == ["try"]
    words = words[1:] if may_skip else words
    fits = {format_command(command): command for command in legal if _begins(format_command(command).split(), words)}
    exact = fits.get(" ".join(words))
    if exact is not None:
        return Step(exact, may_skip)
    if len(fits) == 1:
        return Step(next(iter(fits.values())), may_skip)
    if fits:
        raise Ambiguous("ambiguous", found=" ".join(words), candidates=tuple(fits)[:20])
    raise BadNotation("bad-notation", found=" ".join(words), expected="the beginning of a legal command")


def _begins(whole: Sequence[str], words: Sequence[str]) -> bool:
    return len(whole) == len(words) and all(
        full == word if word.isdigit() else full.startswith(word) for full, word in zip(whole, words, strict=True)
    )


# --- on the wire ----------------------------------------------------------------------------------------------------


def load_steps(game: Game[Any], listed: object) -> tuple[Step, ...]:
    """The steps of a signed list of commands; Refused `bad-move` if it is none. Duplicate keys are refused before."""
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
    """The Struct of one of these tagged kinds from its plain value; msgspec.ValidationError if it is none.

    By its tag, since msgspec would work out what a union is at every call: 20 times as long as the reading itself.
    """
    tag = plain.get(kinds[0].__struct_config__.tag_field) if isinstance(plain, dict) else None
    kind = _by_tag(kinds).get(tag) if isinstance(tag, str) else None
    return msgspec.convert(plain, kind or union(kinds))  # which says what is wrong


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
