"""The analysis as sentences: a line for each turning point, and what the better lines would have done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.analysis.results import Analysis, Better, Point, Share

OPINION = "This is the opinion of the {level} house player, not a part of the record."
NONE = "No player missed anything that would have changed the chances by {least} in 100 or more."
_SEAT = re.compile(r"\bSeat ([1-9]\d?)\b")


def sentence(point: Point, names: Sequence[str]) -> str:
    """A turning point in words: "Turn 34: Ada played `end`, a chance of 43 in 100. Better: ...", then the reason."""
    best = point.better[0]
    return (
        f"Turn {point.turn}: {names[point.seat]} played {_line(point.played, point.chance)} "
        f"Better: {_line(best.commands, best.chance)} {best.reason}"
    ).rstrip()


def also(line: Better) -> str:
    """Another better line, with its chance and why."""
    return f"Also better: {_line(line.commands, line.chance)} {line.reason}".rstrip()


def _line(commands: Sequence[str], chance: float) -> str:
    return f"`{'; '.join(commands)}`, a chance of {per_hundred(chance)} in 100."


def brings(line: Better, names: Sequence[str]) -> str:
    """The effect of a better line, in sentences with the players' names."""
    return _SEAT.sub(lambda found: names[int(found[1]) - 1], " ".join(line.brings))


def after(share: Share, analysis: Analysis, names: Sequence[str]) -> str:
    """The cause of a point of the curve: the start, a player's move, or the end."""
    if share is analysis.curve[-1]:
        return "the end"
    return "the start" if share.seat is None else names[share.seat]


def per_hundred(chance: float) -> int:
    return round(100 * chance)


def opinion(analysis: Analysis) -> str:
    return OPINION.format(level=analysis.level)
