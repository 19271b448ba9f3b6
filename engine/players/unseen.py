"""What every game's `imagine` needs: what all states carry, and drawing what is hidden from what is unseen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from engine.game import View
from engine.kit import Supply
from engine.kit.play import ENDINGS
from engine.players.contract import Rng

T = TypeVar("T")


def carried(view: View) -> dict[str, Any]:
    """The fields of every game's state: rules version, seats, who began, who resigned."""
    common = view.common
    return {"rules": common.rules, "seats": common.seats, "starter": common.starter, "gone": common.gone}


def own_end(view: View) -> str:
    """The reason for which the game ended by its own rules; "" while it goes on, and if the kit ended it."""
    return "" if view.ended is None or view.ended.reason in ENDINGS else view.ended.reason


def shuffled(things: Sequence[T], rng: Rng) -> list[T]:
    """The same things, in each order alike often."""
    left = list(things)
    for last in range(len(left) - 1, 0, -1):
        at = rng.randrange(last + 1)
        left[at], left[last] = left[last], left[at]
    return left


def drawn(supply: Supply, count: int, rng: Rng) -> tuple[tuple[str, ...], Supply]:
    """So many pieces of the supply, each as likely as another: sorted, and the supply without them."""
    pieces = [name for name, n in supply.rest for _ in range(n)]
    taken = tuple(sorted(shuffled(pieces, rng)[:count]))
    return taken, supply.take(taken)
