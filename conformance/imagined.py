"""Checks of imagined states: they look like the view, allow the same commands, and draw hidden things fairly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

import msgspec

from engine.game import Game
from engine.kit import active, legal, view
from engine.players import Rng, players

WORLDS = 3000
Imagine = Callable[[Any, Rng], Any]


class Unlike(AssertionError):
    """A difference between an imagined state and its view."""


def looks_alike(game: Game[Any], state: Any, imagine: Imagine, rng: Rng) -> None:
    """For every seat and for spectators, a state imagined from a view looks like that view. Raises Unlike."""
    for seat in (None, *range(state.seats)):
        seen = view(game, state, seat)
        again = view(game, imagine(seen, rng), seat)
        if again != seen:
            raise Unlike(
                f"{reader(seat)} sees and imagines {differences(seen, again)}: `imagine` does not carry it over"
            )


def allows_the_same(game: Game[Any], state: Any, imagine: Imagine, rng: Rng) -> None:
    """Each seat that owes a command has the same choices, and default, in the state it imagines. Raises Unlike."""
    for seat in active(game, state):
        again = imagine(view(game, state, seat), rng)
        if list(legal(game, again, seat)) != list(legal(game, state, seat)):
            raise Unlike(
                f"{reader(seat)} may do other things in the state it imagines: {_other(game, state, again, seat)}"
            )
        if (mine := game.default(again, seat)) != (own := game.default(state, seat)):
            raise Unlike(f"the clock would play {mine} for {reader(seat)} in the state it imagines, and plays {own}")


def _other(game: Game[Any], state: Any, again: Any, seat: int) -> str:
    """One command that is legal in one of both states only."""
    real, imagined = (list(legal(game, one, seat)) for one in (state, again))
    for found, others, where in ((real, imagined, "real"), (imagined, real, "imagined")):
        for command in found:
            if command not in others:
                return f"{command} is legal in the {where} one only"
    return "the same ones are in another order"


def reader(seat: int | None) -> str:
    """The reader of a view, for people, who count seats from 1."""
    return "the public" if seat is None else f"seat {seat + 1}"


def differences(one: Any, other: Any, place: str = "") -> str:
    """The places at which two values differ, each with both values: `players[1].coins` 3 and 4."""
    if type(one) is type(other) and isinstance(one, msgspec.Struct):
        parts = ((f"{place}.{n}" if place else n, getattr(one, n), getattr(other, n)) for n in one.__struct_fields__)
    elif isinstance(one, tuple | list) and type(one) is type(other) and len(one) == len(other):
        parts = ((f"{place}[{n}]", *pair) for n, pair in enumerate(zip(one, other, strict=True)))
    else:
        return f"`{place}` {one!r} and {other!r}"
    return "; ".join(differences(x, y, where) for where, x, y in parts if x != y)


def shares(game: Game[Any], state: Any, seat: int, hidden: Callable[[Any], Hashable]) -> dict[Any, float]:
    """The frequency of each hidden value, as a fraction."""
    offered, rng = players(game.meta.key), random.Random(11)
    assert offered is not None
    assert offered.imagine is not None
    seen = view(game, state, seat)
    found = Counter(hidden(offered.imagine(seen, rng)) for _ in range(WORLDS))
    return {value: count / WORLDS for value, count in sorted(found.items())}
