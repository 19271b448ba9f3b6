"""Values made from types: their bounds, their choices, and words seen in play where a type has only a pattern."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from typing import Any

import msgspec
from msgspec import inspect

from conformance.turns import lanes, turn_at
from engine import replay
from engine.errors import BadRecord, Refused, SealedMoveError
from engine.game import Command, Game
from engine.kit import active, decide, format_command, view
from engine.selfplay import Walked

FEW = 24  # commands of a kind at one position
MOST_OPTIONS = 60  # combinations of options that are set up
MOST_LISTED = 100  # values of a number that is tried with each of them


class Unlisted(AssertionError):
    """A command that the game accepts and `legal` does not list."""


class Unplayable(AssertionError):
    """Options within their bounds with which a game cannot begin."""


# --- values ---------------------------------------------------------------------------------------------------------

Seen = Mapping[str, tuple[Any, ...]]


def values(info: inspect.Type, seen: Seen) -> tuple[Any, ...]:
    """Values of a type: all of a few, the ends and the middle of many. `seen` has those of types with a pattern."""
    match info:
        case inspect.Metadata(type=inner, extra=extra):
            return (extra or {}).get("words") or values(inner, seen)
        case inspect.LiteralType(values=found):
            return tuple(found)
        case inspect.BoolType():
            return (False, True)
        case inspect.NoneType():
            return (None,)
        case inspect.IntType():
            return _numbers(info)
        case inspect.UnionType(types=types):
            return tuple(value for one in types for value in values(one, seen))
        case inspect.VarTupleType() | inspect.TupleType():
            return _tuples(info, seen)
    return seen.get(repr(info), ())


def _numbers(info: inspect.IntType) -> tuple[int, ...]:
    low = info.ge if info.ge is not None else (info.gt or 0) + 1
    high = info.le if info.le is not None else (info.lt or low + MOST_LISTED) - 1
    if high - low <= MOST_LISTED:
        return tuple(range(low, high + 1))
    return (low, low + 1, (low + high) // 2, high - 1, high)


def _tuples(info: inspect.VarTupleType | inspect.TupleType, seen: Seen) -> tuple[Any, ...]:
    known = seen.get(repr(info), ())
    if isinstance(info, inspect.TupleType):
        return (*known, *product(*(values(one, seen)[:4] for one in info.item_types)))
    parts = values(info.item_type, seen)[:4]
    fewest, most = info.min_length or 0, min(info.max_length or 2, 3)
    return (*known, *(made for length in range(fewest, most + 1) for made in product(parts, repeat=length)))


def words_of(commands: Iterable[Command]) -> dict[str, tuple[Any, ...]]:
    """The values of each type of field among these commands."""
    found: dict[str, dict[Any, None]] = {}
    for command in commands:
        for field in _fields(type(command)):
            value = getattr(command, field.name)
            for info in _inner(field.type):
                found.setdefault(repr(info), {})[value] = None
    return {name: tuple(given) for name, given in found.items()}


def _inner(info: inspect.Type) -> tuple[inspect.Type, ...]:
    """The types of which a value of this field may be."""
    if isinstance(info, inspect.Metadata):
        return _inner(info.type)
    if isinstance(info, inspect.UnionType):
        return tuple(one for part in info.types for one in _inner(part))
    return (info,)


@cache
def _fields(kind: type[Any]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return tuple(info.fields)


# --- commands -------------------------------------------------------------------------------------------------------


def commands(kind: type[Command], listed: Iterable[Command], seen: Seen, rnd: random.Random) -> list[Command]:
    """Commands of a kind: all if there are few, else some of any values and some with one field of a legal one."""
    of_field = {field.name: values(field.type, seen) for field in _fields(kind)}
    number = 1
    for found in of_field.values():
        number *= len(found)
    if number <= 2 * FEW:
        drawn: list[Any] = [dict(zip(of_field, given, strict=True)) for given in product(*of_field.values())]
    else:
        legal = [{name: getattr(one, name) for name in of_field} for one in listed if type(one) is kind]
        drawn = [_drawn(of_field, rnd.choice([*legal, None]) if legal else None, rnd) for _ in range(FEW)]
    return [made for fields in drawn if fields is not None and (made := _valid(kind, fields)) is not None]


def _drawn(of_field: Mapping[str, Any], legal: Mapping[str, Any] | None, rnd: random.Random) -> dict[str, Any] | None:
    if not all(of_field.values()):
        return None
    if legal is None:
        return {name: rnd.choice(found) for name, found in of_field.items()}
    name = rnd.choice(list(of_field))
    return {**legal, name: rnd.choice(of_field[name])}


def _valid(kind: type[Command], fields: Mapping[str, Any]) -> Command | None:
    """The command, if the types allow it on the wire."""
    try:
        return msgspec.convert(msgspec.to_builtins(kind(**fields)), type=kind)
    except msgspec.ValidationError:
        return None


def refuses_what_it_does_not_list(game: Game[Any], step: Walked, seen: Seen, rnd: random.Random) -> None:
    """Commands made from their types are refused unless they are listed, and leave no trace. Raises Unlisted."""
    seat, listed = step.seat, set(step.legal)
    assert seat is not None
    for kind in game.phase(step.before, seat):
        for command in commands(kind, step.legal, seen, rnd):
            if command in listed:
                continue
            turn = turn_at(step.before)
            try:
                decide(game, turn, seat, command)
            except Refused:
                assert (turn.state, turn.events, turn.fixed) == (step.before, [], False)
            else:
                raise Unlisted(
                    f"`{format_command(command)}` is accepted and not listed ({command!r}): "
                    f"`{kind.__name__}.candidates` leaves it out, or `{kind.__name__}.check` does not refuse it"
                )


# --- options --------------------------------------------------------------------------------------------------------


def every_options(game: Game[Any]) -> list[dict[str, Any]]:
    """Each value of each option alone, then combinations; without the edition, which is a file of its own."""
    fields = {field.name: field.type for field in _fields(game.meta.options) if field.name != "edition"}
    of_field = {name: _ends(values(info, {})) for name, info in fields.items()}
    alone = [{}, *({name: value} for name, found in of_field.items() for value in found)]
    pairs = list(product(*of_field.values()))
    together = [dict(zip(of_field, given, strict=True)) for given in pairs[:: len(pairs) // MOST_OPTIONS + 1]]
    return alone + together


def _ends(found: tuple[Any, ...]) -> tuple[Any, ...]:
    """All of a few; of many numbers the first and last two, and some between."""
    if len(found) <= 8 or not isinstance(found[0], int):
        return found
    return tuple(dict.fromkeys([*found[:2], *found[:: len(found) // 5], *found[-2:]]))


def begins_with(game: Game[Any], seats: int, chosen: Mapping[str, Any]) -> None:
    """A table with these options is refused as `bad-options`, or begins and can be shown. Raises Unplayable."""
    options = msgspec.convert(dict(chosen), type=game.meta.options)
    named = ", ".join(f"`{name}` = {value!r}" for name, value in chosen.items()) or "the usual options"
    try:
        options.check(seats)
    except BadRecord:
        return
    try:
        state = replay.start(game, seats, options, *lanes("options", None)).state
        seen = view(game, state, None)
        game.board(seen, tuple(f"P{seat}" for seat in range(seats)))
        waiting = active(game, state)
    except (SealedMoveError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError) as wrong:
        raise Unplayable(
            f"with {named} and {seats} seats no game of {game.meta.key} begins: {wrong!r}. "
            "Narrow the bounds of the option, or refuse it in `Options.check`"
        ) from wrong
    if not waiting:
        raise Unplayable(f"with {named} and {seats} seats a game of {game.meta.key} is over before it begins")
