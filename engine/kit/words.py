"""Sentences: one for an event from its fields, one for a refusal from its facts.

A game writes one English template for each; another language is a table of templates by tag, passed as `words`.
Players are always named, never "you", because the same sentence goes to every player. A template holds fields:

    {coins}          the value; a seat by its player's name; the parts of a tuple, or `nothing`
    {coins:coin}     `1 coin`, `2 coins`; {dice:die|dice} for another plural; a tuple counts its parts
    {coins:?is|are}  only the word: the first for one, the second for any other number
    {cells:-none}    the parts of a tuple, or the word after the dash where there are none
    {goods:&}        the parts of a tuple with `and` before the last, or `nothing`
    {places:*}       the same with equal parts only once and their number: `card 8 and the left bank (3)`

In templates of events and commands, a part in brackets is left out if it does not apply:

    [, paying {pay}]          left out if its first field is None or False
    [coins: for {coins}]      only if the field is neither None, False, 0 nor empty; the blank belongs to the part
    [not coins: for free]     only if it is one of these

A field that holds ASCII words of the record is shown as printed, if `printed` of the event or of the game has it; `@2`
in the printed words becomes the name of the second seat's player.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from engine.errors import Refused
from engine.game import Command, Event, Game, Outcome
from engine.kit.letters import readable
from engine.kit.notation import format_command, names_seat
from engine.kit.play import ENDINGS, REFUSALS
from engine.kit.pointing import Word

HIDDEN = "hidden"
ENDED_TURN = "{name} ended the turn."
MOVED = "{name} moved."
_SEAT = re.compile(r"@([1-9])")
_FIELD = re.compile(r"\{(\w+)\}")  # in a notation among the facts: `play {card}` is shown as `play CARD`
Printed = Mapping[str, Mapping[Any, str]]  # by field: the value as the record has it -> as people read it


def count(n: int, one: str, many: str = "") -> str:
    """`1 coin`, `2 coins`; `many` for a plural without an added s. The only place that makes plurals."""
    return f"{n} {_word(n, one, many)}"


def _word(n: int, one: str, many: str) -> str:
    return one if n == 1 else many or f"{one}s"


class _Said(str):
    """A value in words; `n` is its number or the number of its `parts`, for templates that count."""

    __slots__ = ("n", "parts")
    n: int | None
    parts: tuple[str, ...]

    def __format__(self, how: str) -> str:
        if not how or self.n is None:
            return str(self)
        if how.startswith("-"):
            return str(self) if self.n else how.removeprefix("-")
        if how == "&":
            return _joined(self.parts) or str(self)
        if how == "*":
            return _joined([part if n == 1 else f"{part} ({n})" for part, n in Counter(self.parts).items()])
        one, _, many = how.removeprefix("?").partition("|")
        return _word(self.n, one, many) if how.startswith("?") else count(self.n, one, many)


def _joined(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def tell(event: Event, names: Sequence[str] = (), words: Mapping[str, str] | None = None, hidden: str = HIDDEN) -> str:
    """An event's sentence, or "" if it has none. `names` by seat; fields `seat`, `..._seat`, `..._seats` print as
    names.
    """
    template = (words or {}).get(type(event).__name__, event.words)
    if not template:
        return ""
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    return _kept(template, fields).format_map(_all_said(fields, names, hidden, event.printed))


def tell_move(events: Iterable[Event], seat: int, names: Sequence[str] = ()) -> list[str]:
    """The sentences of a move; none if its events have none. The first says what its player did: if that of the first
    event does not, that they ended the turn, or at least that they moved.
    """
    told = [(event, sentence) for event in events if (sentence := tell(event, names))]
    sentences = [sentence for _, sentence in told]
    if not told or _is_about(told[0][0], seat):
        return sentences
    headline = ENDED_TURN if any(event.ends_turn for event, _ in told) else MOVED
    return [headline.format(name=_called(seat, names)), *sentences]


def _is_about(event: Event, seat: int) -> bool:
    return event.words.startswith("{seat}") and getattr(event, "seat", None) == seat


def _all_said(fields: Mapping[str, Any], names: Sequence[str], hidden: str, printed: Printed) -> dict[str, _Said]:
    return {name: _said(name, value, names, hidden, printed) for name, value in fields.items()}


def _said(name: str, value: Any, names: Sequence[str], hidden: str, printed: Printed) -> _Said:
    known = printed.get(name, {})
    said = _Said(_say(name, value, names, hidden, known))
    said.n = len(value) if isinstance(value, tuple) else value if isinstance(value, int) else None
    said.parts = tuple(_parts(name, value, names, hidden, known)) if isinstance(value, tuple) else (str(said),)
    return said


def _parts(
    name: str, value: tuple[Any, ...], names: Sequence[str], hidden: str, printed: Mapping[Any, str]
) -> Iterator[str]:
    one = name.removesuffix("s") if name.endswith("_seats") else ""
    return (_say(one, item, names, hidden, printed) for item in value)


def _say(name: str, value: Any, names: Sequence[str], hidden: str, printed: Mapping[Any, str]) -> str:
    if value is None:
        return hidden
    if names_seat(name):
        return _called(value, names)
    if isinstance(value, tuple):
        return ", ".join(_parts(name, value, names, hidden, printed)) or "nothing"
    known = printed.get(value)
    return _SEAT.sub(lambda seat: _called(int(seat[1]) - 1, names), known) if known else readable(str(value))


def _called(seat: int, names: Sequence[str]) -> str:
    return names[seat] if seat < len(names) else f"Seat {seat + 1}"


def explain(game: Game[Any], refusal: Refused, names: Sequence[str] = ()) -> str:
    """The reason for a refusal in one sentence; facts that are seats print as names, or `Seat 2`.

    In a move of several commands the sentence names the command first, and the forced ones that ran before it.
    """
    template = game.refusals.get(refusal.code) or REFUSALS[refusal.code]
    said = template.format_map(_all_said(refusal.facts, names, HIDDEN, getattr(game, "printed", {})))
    return _which(refusal) + _FIELD.sub(lambda field: field[1].upper(), said)


def _which(refusal: Refused) -> str:
    about = refusal.about
    if about is None or (about.of == 1 and not about.forced):
        return ""
    forced = "; ".join(format_command(command) for command in about.forced)
    after = f", after what was forced ({forced})" if forced else ""
    return f"Command {about.number} ({format_command(about.command)}){after}: "


def unfilled(template: str) -> str:
    """A template as people read it before it is filled: `{have:coin}` as `{have} coins`, `{left:?is|are}` as `are`."""
    return _COUNTED.sub(_of_many, template)


_COUNTED = re.compile(r"\{(\w+):([^}]*)\}")


def _of_many(field: re.Match[str]) -> str:
    name, how = f"{{{field[1]}}}", field[2]
    if how.startswith(("-", "&", "*")):
        return name
    one, _, many = how.removeprefix("?").partition("|")
    word = _word(2, one, many)
    return word if how.startswith("?") else f"{name} {word}"


def describe(game: Game[Any], command: Command, names: Sequence[str] = ()) -> str:
    """The effect of a command in one sentence; for a kind without `words`, the first clause of its docstring."""
    fields = {name: getattr(command, name) for name in command.__struct_fields__}
    template = command.words or f"{_clause(type(command))}{''.join(f'[, {n} {{{n}}}]' for n in fields)}."
    return _kept(template, fields).format_map(_all_said(fields, names, HIDDEN, getattr(game, "printed", {})))


def called(game: Game[Any], command: Command, word: Word, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The name of a word of this command, or of each part of a set: a seat's player, or the word as printed."""
    if not word.field:
        return (word.text,)
    value = getattr(command, word.field)
    printed = getattr(game, "printed", {}).get(word.field, {})
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(_say(word.field, part, names, HIDDEN, printed) for part in parts)


def label(game: Game[Any], state: Any, seat: int, command: Command, names: Sequence[str] = ()) -> str:
    """The effect of a legal command in this state, with its cost."""
    said, costs = describe(game, command, names), command.costs(state, seat)
    return f"{said.removesuffix('.')}, for {costs}." if costs else said


_PART = re.compile(r"\[(?:(not )?(\w+):)?([^\]]*)\]")


def _kept(template: str, fields: Mapping[str, Any]) -> str:
    """The template with the parts in brackets that apply."""
    return _PART.sub(lambda part: _part(part, fields), template)


def _part(part: re.Match[str], fields: Mapping[str, Any]) -> str:
    if part[2]:
        return part[3] if bool(fields[part[2]]) is not bool(part[1]) else ""
    name = re.search(r"\{(\w+)", part[3])[1]  # type: ignore[index]  # the conformance suite checks that a part names a field
    return "" if fields[name] is None or fields[name] is False else part[3]


def kind_of(command: Command) -> str:
    """The effect of this kind of command, whatever its fields: the first line of its docstring."""
    return f"{_clause(type(command))}."


@cache
def _clause(kind: type[Command]) -> str:
    """The first clause of the docstring of this kind."""
    return re.split(r"[.;](?:\s|$)", " ".join((kind.__doc__ or "").split()), maxsplit=1)[0]


def ending(game: Game[Any], ended: Outcome) -> str:
    """The reason for the end of a game, in one sentence."""
    return game.endings.get(ended.reason) or ENDINGS[ended.reason]
