"""The analysis as sentences: a line for each turning point, and what the better line would have done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.analysis.results import Analysis, Point

OPINION = "This is the opinion of the {level} house player, not a part of the record."
NONE = "No player missed anything that would have changed the chances by {least} in 100 or more."
_SEAT = re.compile(r"\bSeat ([1-9]\d?)\b")


def sentence(point: Point, names: Sequence[str]) -> str:
    """What the player did and what was better, such as "Turn 34: Ada played `end`. `sell 1 blue` was better: ..."."""
    before, after = per_hundred(point.chance), per_hundred(point.better_chance)
    played, better = "; ".join(point.played), "; ".join(point.better)
    return (
        f"Turn {point.turn}: {names[point.seat]} played `{played}`. "
        f"`{better}` was better: a chance of {after} in 100 instead of {before}."
    )


def brings(point: Point, names: Sequence[str]) -> str:
    """What the better line does, with the players' names."""
    return _SEAT.sub(lambda found: names[int(found[1]) - 1], " ".join(point.brings))


def per_hundred(chance: float) -> int:
    return round(100 * chance)


def opinion(analysis: Analysis) -> str:
    return OPINION.format(level=analysis.level)
