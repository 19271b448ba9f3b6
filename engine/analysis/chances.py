"""The chance of each seat to win, from what its position is worth to it.

    chance of a seat = exp(worth / heat) / the sum over all seats that have not resigned

`heat` is how many points of worth count little: many at the beginning of a game, when the lead still changes, and few
at its end. Each game gives it for both, fitted to games between its own players (`python -m tests.bench.chances`). In
between it changes evenly with the share of the game that has been played.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from engine.game import Outcome
from engine.players import Heat

LEAST = 1e-9


def chances(worths: Sequence[float | None], heat: Heat, played: float) -> tuple[float, ...]:
    """The chances by seat, which add up to 1; None is a seat that can no longer win. `played` is from 0 to 1."""
    degree = max(LEAST, heat.first + (heat.last - heat.first) * played)
    most = max(worth for worth in worths if worth is not None)
    shares = [0.0 if worth is None else exp((worth - most) / degree) for worth in worths]
    return tuple(share / sum(shares) for share in shares)


def decided(outcome: Outcome, seats: int) -> tuple[float, ...]:
    """The chances at the end: shares of the first place, or none if nobody won."""
    first = outcome.places[0] if outcome.won else ()
    return tuple(1 / len(first) if seat in first else 0.0 for seat in range(seats))
