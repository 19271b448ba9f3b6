"""How quick a table is: the clocks that a form offers, and the words by which a list of tables is cut (pure).

One table for both. A clock belongs to the first pace whose `below` its time for a turn is under: what it gives for each
turn, bank included as far as it grows; if it gives nothing for a turn, all that is in the bank.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.record.encoding.members import MOST_SECONDS

HOUR, DAY = 3600, 86400
Clock = Mapping[str, int]


class TimeControl(NamedTuple):
    """A word for it, what people read, under how many seconds for a turn a clock has it, and the clock to offer."""

    key: str
    title: str
    below: int | None
    clock: Clock | None


def _clock(move: int, bank: int, grace: int) -> Clock:
    return {"move": move, "bank": bank, "increment": 0, "cap": bank, "grace": grace, "missed": 2, "grants": 14 * DAY}


TIME_CONTROLS = (
    TimeControl("sitting", "At one sitting", HOUR, _clock(120, 1200, 60)),
    TimeControl("day", "A turn a day", 2 * DAY, _clock(DAY, 2 * DAY, 6 * HOUR)),
    TimeControl("days", "Some days for a turn", 5 * DAY, _clock(3 * DAY, 0, DAY // 2)),
    TimeControl("week", "A week for a turn", 2 * MOST_SECONDS + 1, _clock(7 * DAY, 0, DAY)),
    TimeControl("none", "Nobody is hurried", None, None),
)
USUAL = "days"  # a new table's, where nothing is said
KEYS = tuple(pace.key for pace in TIME_CONTROLS)


def offered() -> list[dict[str, Any]]:
    """The clocks to choose from, the quickest first."""
    return [{"pace": pace.key, "title": pace.title, "clock": pace.clock} for pace in TIME_CONTROLS]


def matches(key: str, move: Any, bank: Any, increment: Any) -> sa.ColumnElement[bool]:
    """Has a row with these columns of a clock this pace?"""
    turn = sa.case((move + increment > 0, move + increment), else_=bank)
    spans: dict[str, sa.ColumnElement[bool]] = {"none": move.is_(None)}
    above = 0
    for pace in TIME_CONTROLS:
        if pace.below is not None:
            spans[pace.key] = sa.and_(move.is_not(None), turn >= above, turn < pace.below)
            above = pace.below
    return spans[key]
