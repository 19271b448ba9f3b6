"""Seats: their rows, which repeat parts of the log.

Clocks, lists and mails read the row and need not fold the log. The table is the source: a row is written only in the
transaction of an entry that changes it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import canonical
from engine.record.log.table import Table
from server.kernel import text
from server.kernel.db.models import Account, Base, Place, Seat
from server.kernel.db.models.entries import EntryRow
from server.kernel.db.session import Prepared, UtcDateTime, moment_of
from server.kernel.db.tables import Row


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
        "resigned": seat in table.gone,
    }


def waits_for_people(session: Session, game: Row) -> bool:
    """Is somebody at the table not ready, so that it does not start although it is full?"""
    waits = sa.select(Seat.seat).join(Account, Account.id == Seat.account_id)
    waits = waits.where(Seat.game_id == game.id, Seat.ready.is_(False), Account.bot.is_(False))
    return game.start == "ready" and session.scalar(waits.limit(1)) is not None


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


def may_be_offered(table: Table, seat: int) -> bool:
    """May its holder offer the seat to others now?"""
    if table.stage != "running" or table.seats == 1 or table.created["handover"]["by"] not in ("offer", "both"):
        return False
    return seat not in table.gone and not is_open(table, seat)


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


def seat_marks(table: Table, seat: int) -> str:
    """The words beside the name of the seat in this table."""
    return text.seat_marks(gone=seat in table.gone, absent=is_absent(table, seat), is_open=is_open(table, seat))


def free_says(table: Table, seat: int, now: datetime) -> str:
    """A sentence for people if the seat may be taken over now, else ""."""
    is_offered = is_free(offered_from(table, seat), now)
    return text.free(seat + 1, is_open=is_offered) if is_free(free_from(table, seat), now) else ""


# --- Turns that ended, for the figures of players: a row for each, in the transaction of the entry that ends it -------
# Only a turn with a clock, at a public table with another person, makes a row. Other tables are nobody else's business,
# and nobody earns figures alone. Moves of the clock for a player who has resigned are not turns of that player.


ENDS = ("moved", "expired")
_turn, _seat, _account = (Base.metadata.tables[name] for name in ("played_turn", "seat", "account"))
_beside, _person = _seat.alias(), _account.alias()
_game: sa.BindParameter[str] = sa.bindparam("game")
_number: sa.BindParameter[int] = sa.bindparam("number")
COLUMNS = ("game_id", "seq", "account_id", "at", "seconds", "by_clock")
IS_SHARED = sa.exists().where(
    _beside.c.game_id == _game,
    _beside.c.seat != _number,
    _person.c.id == _beside.c.account_id,
    _person.c.bot.is_(False),
    _person.c.id != sa.func.coalesce(_account.c.owner_id, 0),
)
INSERT_TURN = Prepared(
    sa.insert(_turn).from_select(
        COLUMNS,
        sa.select(
            _game.label("game_id"),
            sa.bindparam("seq", type_=_turn.c.seq.type),
            _account.c.id,
            sa.bindparam("at", type_=UtcDateTime),
            sa.bindparam("seconds", type_=_turn.c.seconds.type),
            sa.bindparam("by_clock", type_=sa.Boolean),
        )
        .select_from(_seat.join(_account, _account.c.id == _seat.c.account_id))
        .where(_seat.c.game_id == _game, _seat.c.seat == _number, _account.c.erased_at.is_(None), IS_SHARED),
    )
)


def ended_turn(game: Row, before: Table, table: Table, entry: EntryRow, seat: int | None) -> dict[str, Any] | None:
    """The parameters of `INSERT_TURN`, if the entry, which is of this seat, ended a turn that counts."""
    if entry.kind not in ENDS or game.door != "open" or seat is None or seat in before.gone:
        return None
    began, runs = before.times[seat].stretch, table.times[seat].stretch
    if began is None or (runs is not None and (runs.seq != entry.seq or before.is_absent(seat))):
        return None
    return {
        "game": game.id,
        "number": seat,
        "seq": entry.seq,
        "at": entry.at,
        "seconds": max(0, int(entry.at.timestamp()) - began.start),
        "by_clock": entry.kind == "expired",
    }
