"""What is imagined, judged: it looks as what is seen, allows the same, and what is hidden is drawn fairly."""

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
    """Where an imagined state parts from what it was made of."""


def looks_alike(game: Game[Any], state: Any, imagine: Imagine, rng: Rng) -> None:
    """From every seat and from none, what is imagined from a view looks like that view. Raises Unlike."""
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
    """How often each value of what is hidden comes up, as shares of one."""
    offered, rng = players(game.meta.key), random.Random(11)
    assert offered is not None
    assert offered.imagine is not None
    seen = view(game, state, seat)
    found = Counter(hidden(offered.imagine(seen, rng)) for _ in range(WORLDS))
    return {value: count / WORLDS for value, count in sorted(found.items())}
