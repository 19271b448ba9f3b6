"""What the row of a seat repeats of the log, so that clocks, lists and mails need not fold it; all from the table.

The table is the truth: a row is written in the transaction of the entry that changed it, and never otherwise.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from engine.record.encoding import canonical
from engine.record.log.table import Table
from server.kernel import text
from server.kernel.db.models import Game, Seat

REMIND_FIFTHS = 4  # of a stretch's own time, grace left out, when the reminder goes out


def row_of(table: Table, seat: int) -> dict[str, Any]:
    """The columns of the seat's row that follow from the log."""
    question, deadline = table.questions[seat], table.deadline(seat)
    return {
        "question_seq": question.seq if question and seat not in table.gone else None,
        "active_since": since(table, seat),
        "deadline": None if deadline is None else moment(deadline),
        "remind_at": remind_at(table, seat),
        "bank": bank(table, seat),
        "absent": is_absent(table, seat),
        "open": is_open(table, seat),
        "free": table.is_free(seat),
    }


def since(table: Table, seat: int) -> datetime | None:
    """When the time of the seat began to run; without a clock, when it was asked. None if it owes nothing."""
    question, stretch = table.questions[seat], table.times[seat].stretch
    if question is None:
        return None
    return moment(canonical.seconds(question.at) if stretch is None or seat in table.gone else stretch.start)


def remind_at(table: Table, seat: int) -> datetime | None:
    """When who sits there is reminded; who counts as absent was told what to do, and who has resigned is not asked."""
    stretch, deadline = table.times[seat].stretch, table.deadline(seat)
    if stretch is None or deadline is None or seat in table.gone or table.is_absent(seat):
        return None
    own = deadline - table.created["clock"]["grace"] - stretch.start
    return moment(stretch.start + own * REMIND_FIFTHS // 5)


def bank(table: Table, seat: int) -> int | None:
    """The seat's bank in seconds as the log has it; None without a clock. A stretch takes from it when it ends."""
    return None if table.created["clock"] is None else table.times[seat].bank


def bank_left(table: Table, seat: int, now: datetime) -> int | None:
    """The same less what the stretch that runs has used up by now."""
    time, clock = table.times[seat], table.created["clock"]
    if clock is None or time.stretch is None or table.stage != "running":
        return bank(table, seat)
    used: int = int(now.timestamp()) - time.stretch.start - time.stretch.granted - clock["move"]
    return max(0, time.bank - max(0, used))


def grace(seat: Seat, game: Game) -> timedelta:
    """How long before the deadline in its row the seat's own time ends; who is absent has nothing but the grace."""
    return timedelta(seconds=0 if seat.absent else game.clock_grace or 0)


def is_absent(table: Table, seat: int) -> bool:
    """Does the clock wait for this seat only for the grace, since it has played for it again and again?"""
    return table.stage == "running" and table.is_absent(seat)


def is_open(table: Table, seat: int) -> bool:
    """Is the seat offered to others?"""
    return table.stage == "running" and table.is_open(seat)


def standing(table: Table, seat: int) -> str:
    """What is to be said of the seat beside its name, for people."""
    return text.standing(gone=seat in table.gone, absent=is_absent(table, seat), is_open=is_open(table, seat))


def free_says(table: Table, seat: int) -> str:
    """A sentence for people if the seat may be taken over now, else ``."""
    return text.free(seat + 1, is_open=is_open(table, seat)) if table.is_free(seat) else ""


def moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
