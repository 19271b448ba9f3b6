"""Seats: their rows, which repeat parts of the log.

Clocks, lists and mails read the row and need not fold the log. The table is the source: a row is written only in the
transaction of an entry that changes it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from engine.record.encoding import canonical
from engine.record.log.table import Table
from server.kernel import text
from server.kernel.db.models import Place, Seat
from server.kernel.db.session import moment_of


def row_of(table: Table, seat: int) -> dict[str, Any]:
    """The columns of the seat's row that follow from the log alone; `server.log.deadlines` has those of its clock."""
    question, promised = table.questions[seat], table.deadline(seat)
    return {
        "question_seq": question.seq if question and seat not in table.gone else None,
        "active_since": since(table, seat),
        "promised": None if promised is None else moment_of(promised),
        "bank": bank(table, seat),
        "absent": is_absent(table, seat),
        "open": is_open(table, seat),
        "free_from": free_from(table, seat),
    }


def since(table: Table, seat: int) -> datetime | None:
    """When the seat's time began to run, or without a clock, when the seat was asked. None if it owes nothing."""
    question, stretch = table.questions[seat], table.times[seat].stretch
    if question is None:
        return None
    return moment_of(canonical.seconds(question.at) if stretch is None or seat in table.gone else stretch.start)


def bank(table: Table, seat: int) -> int | None:
    """The seat's bank in seconds as the log has it; None without a clock. A stretch takes from it when it ends."""
    return None if table.created["clock"] is None else table.times[seat].bank


def bank_left(table: Table, seat: int, now: datetime) -> int | None:
    """The bank in seconds, less what the present stretch has used."""
    time, clock = table.times[seat], table.created["clock"]
    if clock is None or time.stretch is None or table.stage != "running":
        return bank(table, seat)
    used: int = int(now.timestamp()) - time.stretch.start - time.stretch.granted - clock["move"]
    return max(0, time.bank - max(0, used))


def grace(seat: Seat) -> timedelta:
    """The time between the end of the seat's own time and its deadline; an absent seat has only the grace period."""
    return seat.deadline - seat.own_until if seat.deadline and seat.own_until else timedelta(0)


def is_absent(table: Table, seat: int) -> bool:
    """Does the table wait for this seat only for the grace period, after several missed turns?"""
    return table.stage == "running" and table.is_absent(seat)


def keepable(table: Table) -> list[int]:
    """Seats that may be kept for somebody: empty ones before the start, then those freed by absence.

    A seat that its holder offered is for people first.
    """
    if table.stage == "lobby":
        return [seat for seat, occupant in enumerate(table.occupants) if occupant is None]
    by_absence = table.created["handover"]["by"] in ("absent", "both")
    return [seat for seat in range(table.seats) if by_absence and is_absent(table, seat)]


ASKED = Place.state == "asked"


def is_kept(now: datetime) -> sa.ColumnElement[bool]:
    """Is the seat of this place kept? For a house player not for long: one that runs joins within moments."""
    return sa.and_(ASKED, Place.until > now)


def is_open(table: Table, seat: int) -> bool:
    """Is the seat offered to others?"""
    return table.stage == "running" and table.is_open(seat)


def free_from(table: Table, seat: int) -> datetime | None:
    """When another account may take the seat; the beginning of time means "at once"."""
    since = table.free_from(seat)
    return None if since is None else moment_of(since)


def offered_from(table: Table, seat: int) -> datetime | None:
    """The same, from an offer by its holder alone."""
    since = table.offered_from(seat)
    return None if since is None else moment_of(since)


def is_free(since: datetime | None, now: datetime) -> bool:
    """May the seat of this `free_from` be taken over now?"""
    return since is not None and since <= now


def waits_until(since: datetime | None, now: datetime) -> datetime | None:
    """When the seat of this `free_from` can be taken over; None if it already can be, or never."""
    return since if since is not None and since > now else None


def standing(table: Table, seat: int) -> str:
    """The seat's standing, shown beside its name."""
    return text.standing(gone=seat in table.gone, absent=is_absent(table, seat), is_open=is_open(table, seat))


def free_says(table: Table, seat: int, now: datetime) -> str:
    """A sentence for people if the seat may be taken over now, else ""."""
    is_offered = is_free(offered_from(table, seat), now)
    return text.free(seat + 1, is_open=is_offered) if is_free(free_from(table, seat), now) else ""
