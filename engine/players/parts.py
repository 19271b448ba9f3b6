"""The parts of a judgement in the words of the rulebook: the reasons that hints and analyses give.

A game's players split their `worth` into parts, which add up to it. What a line changes can then be told part by part:
the sentence names the one that it raises most, such as "It scores 6 points." or "It gains cards worth about 2 points
more." A game without parts has no reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.kit import count

LEAST = 0.3  # a part that changes by less gives no reason
WHOLE = 1e-6  # numbers this near to a whole one are exact
NOTHING = "It brings nothing yet that the house player counts."
ENDS = "The house player sees nothing better than to end the turn."
Unit = tuple[str, str]
POINTS: Unit = ("point", "points")


class Part(msgspec.Struct, frozen=True):
    """A part of what a position is worth to a seat.

    `gain` says what a line does that raises it, after "It": "scores {amount}", or "gains gems worth about {amount}" if
    that is an estimate. `{amount}` becomes "6 points", or "6 points more" where two lines are compared; a part that
    nobody counts in points has none.
    """

    gain: str
    value: float


Parts = Callable[[Any, int], tuple[Part, ...]]  # the parts of a state's worth to a seat; they add up to it


def mean(several: Sequence[Sequence[Part]]) -> tuple[Part, ...]:
    """The mean of each part over several positions; one that a position lacks is 0 there."""
    sums: dict[str, float] = {}
    for parts in several:
        for part in parts:
            sums[part.gain] = sums.get(part.gain, 0.0) + part.value
    return tuple(Part(gain, total / len(several)) for gain, total in sums.items())


def reason(before: Sequence[Part], after: Sequence[Part], unit: Unit = POINTS, more: str = "") -> str:
    """A sentence for the part that is raised most; "" if none is. `more` is added to its amount."""
    old = {part.gain: part.value for part in before}
    new = {part.gain: part.value for part in after}
    raised = {gain: new.get(gain, 0.0) - old.get(gain, 0.0) for gain in {**new, **old}}
    best = max(raised, key=raised.__getitem__, default="")
    if not best or raised[best] < LEAST:
        return ""
    is_exact = "about" in best or abs(raised[best] - round(raised[best])) < WHOLE
    return f"It {best.replace('{amount}', ('' if is_exact else 'about ') + _amount(raised[best], unit) + more)}."


def _amount(value: float, unit: Unit) -> str:
    return count(round(value), *unit) if round(value) else f"half a {unit[0]}"
