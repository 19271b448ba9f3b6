"""Helpers for every game's `imagine`: the fields of all states, and drawing hidden things from unseen ones."""

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
    """The reason for an end by the game's own rules; "" while the game is running, and if the kit ended it."""
    return "" if view.ended is None or view.ended.reason in ENDINGS else view.ended.reason


def shuffled(things: Sequence[T], rng: Rng) -> list[T]:
    """The same things, in any order with equal probability."""
    left = list(things)
    for last in range(len(left) - 1, 0, -1):
        at = rng.randrange(last + 1)
        left[at], left[last] = left[last], left[at]
    return left


def drawn(supply: Supply, count: int, rng: Rng) -> tuple[tuple[str, ...], Supply]:
    """This many pieces of the supply, each equally likely, sorted; and the supply without them."""
    pieces = [name for name, n in supply.rest for _ in range(n)]
    taken = tuple(sorted(shuffled(pieces, rng)[:count]))
    return taken, supply.take(taken)
