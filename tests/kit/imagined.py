"""Checks of imagined states: they look like the view, allow the same commands, and draw hidden things fairly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

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
            raise Unlike(f"{seat} sees {seen} and imagines what would look {again}")


def allows_the_same(game: Game[Any], state: Any, imagine: Imagine, rng: Rng) -> None:
    """Each seat that owes a command has the same choices, and default, in the state it imagines. Raises Unlike."""
    for seat in active(game, state):
        again = imagine(view(game, state, seat), rng)
        if list(legal(game, again, seat)) != list(legal(game, state, seat)):
            raise Unlike(f"{seat} may do other things")
        if game.default(again, seat) != game.default(state, seat):
            raise Unlike(f"the clock would play otherwise for {seat}")


def shares(game: Game[Any], state: Any, seat: int, hidden: Callable[[Any], Hashable]) -> dict[Any, float]:
    """The frequency of each hidden value, as a fraction."""
    offered, rng = players(game.meta.key), random.Random(11)
    assert offered is not None
    assert offered.imagine is not None
    seen = view(game, state, seat)
    found = Counter(hidden(offered.imagine(seen, rng)) for _ in range(WORLDS))
    return {value: count / WORLDS for value, count in sorted(found.items())}
