"""Bids for a tile: a share of what the best one on sale is worth beyond the others.

The winner of a sealed sale pays one more than the second highest ceiling. So the ceiling is what the choice is worth,
and nobody else's need be guessed. It is worth little, because the loser of a sale takes the next best tile.
"""

from __future__ import annotations

from typing import Any

from engine.game import Command
from engine.games.tikal.bids import Bid, Offer, Pass
from engine.games.tikal.meta import SCORINGS
from engine.games.tikal.players.evaluate import appeal
from engine.games.tikal.view import TikalView
from engine.players import Facts, Policy, Rng


class Bidding(Policy):
    """Bid a share of what the choice is worth; leave everything else to another policy."""

    def __init__(self, otherwise: Policy, share: float) -> None:
        self.otherwise = otherwise
        self.share = share

    def line(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> tuple[Command, ...]:
        if view.to_do[0][0] != "sale":
            return self.otherwise.line(facts, view, legal, rng)
        return (called(legal, round(self.share * choice(view))),)


def called(legal: tuple[Command, ...], most: int) -> Command:
    """Return a ceiling of `most` or what is affordable; in an open sale one more than the last, up to `most`."""
    fits = [command for command in legal if _points(command) <= most]
    if isinstance(legal[0], Bid):
        return max(fits, key=_points)
    return min((command for command in fits if isinstance(command, Offer)), key=_points, default=Pass())


def _points(command: Command) -> int:
    if isinstance(command, Bid):
        return command.ceiling
    return command.points if isinstance(command, Offer) else 0


def choice(view: TikalView) -> float:
    """Return what the first choice is worth: the best tile against the mean of the others."""
    liked = sorted(appeal(tile, scorings(view)) for tile in view.open)
    return liked[-1] - sum(liked[:-1]) / len(liked[:-1]) if len(liked) > 1 else 0.0


def scorings(view: TikalView) -> int:
    """Return the scorings to come: one for each volcano that is neither laid nor in hand, and the last."""
    seen = sum(one.site.kind == "volcano" for one in view.sites)
    return SCORINGS - seen - (view.tile is not None and view.tile.kind == "volcano")
