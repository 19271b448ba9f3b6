"""Seats: their rows, which repeat parts of the log, and the reservations for house players.

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
from server.kernel.db.models import IN_FORCE, Account, FormerHolder, Game, Invitation, Seat
from server.kernel.db.session import moment_of
from server.kernel.db.tables import Row
from server.log.outbox import SeatEvent

REMIND_FIFTHS = 4  # share of a stretch's own time, without the grace period, after which the reminder is sent


def row_of(table: Table, seat: int) -> dict[str, Any]:
    """The columns of the seat's row that follow from the log."""
    question, deadline = table.questions[seat], table.deadline(seat)
    return {
        "question_seq": question.seq if question and seat not in table.gone else None,
        "active_since": since(table, seat),
        "deadline": None if deadline is None else moment_of(deadline),
        "remind_at": remind_at(table, seat),
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


def remind_at(table: Table, seat: int) -> datetime | None:
    """When the seat's holder is reminded; absent holders have been notified, and resigned ones are not asked."""
    stretch, deadline = table.times[seat].stretch, table.deadline(seat)
    if stretch is None or deadline is None or seat in table.gone or table.is_absent(seat):
        return None
    own = deadline - table.created["clock"]["grace"] - stretch.start
    return moment_of(stretch.start + own * REMIND_FIFTHS // 5)


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


def grace(seat: Seat, game: Game) -> timedelta:
    """How long before the deadline in its row the seat's own time ends; an absent seat only has the grace period."""
    return timedelta(seconds=0 if seat.absent else game.clock_grace or 0)


def is_absent(table: Table, seat: int) -> bool:
    """Does the table wait for this seat only for the grace period, after several missed turns?"""
    return table.stage == "running" and table.is_absent(seat)


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


# --- Seats reserved for house players, updated with each entry in its transaction -------------------------------------
# A table's creator invites a house player of a level to an empty seat; with a `stand_in`, one is also invited to each
# seat that absence frees. One account is picked and gets an event, and the seat is reserved for it for some minutes,
# unless somebody sits there, the holder is back, or the game ends. It joins like everybody else, by a signed act.


MOST_HOUSE_TABLES = 16  # live tables of one account with house players seated or invited
# Until then nobody else may take the seat; the invited player may still join later, if it is free.
RESERVATION = timedelta(minutes=10)


def invitations_of_entry(
    session: Session, game: Row, before: Table, table: Table, now: datetime
) -> list[tuple[int, SeatEvent]]:
    """End and begin the invitations that the entry behind `table` calls for; the events of the invited players."""
    if any(_can_be_reserved(before, seat) and not _can_be_reserved(table, seat) for seat in range(table.seats)):
        end_invitations(session, table)
    if game.stand_in is None:
        return []
    freed = [seat for seat in range(table.seats) if _is_freed(table, seat) and not _is_freed(before, seat)]
    if freed and not has_house_room(session, game.creator_id, game.id):
        return []
    return [invited for seat in freed if (invited := invite(session, table, seat, game.stand_in, now)) is not None]


def invite(session: Session, table: Table, seat: int, level: str, now: datetime) -> tuple[int, SeatEvent] | None:
    """Reserve a seat for a house player of that level and return the event; None if none is free."""
    account = _pick(session, table.game_id, level)
    if account is None:
        return None
    session.add(Invitation(game_id=table.game_id, seat=seat, account_id=account, created_at=now))
    session.flush()
    at = moment_of(canonical.seconds(table.at))
    return account, SeatEvent("invited", table.game_id, seat, table.size - 1, at, None)


def has_house_room(session: Session, account: int, game_id: str) -> bool:
    """May house players sit at this table too? Their thinking costs the operator, so each account has a limit."""
    house = sa.select(Account.id).where(Account.level.is_not(None))
    sits = sa.exists().where(Seat.game_id == Game.id, Seat.account_id.in_(house))
    invited = sa.exists().where(Invitation.game_id == Game.id)
    live = (Game.creator_id == account, Game.status.in_(("lobby", "running")), Game.id != game_id)
    counted = sa.select(sa.func.count()).select_from(Game).where(*live, sa.or_(sits, invited))
    return (session.scalar(counted) or 0) < MOST_HOUSE_TABLES


def is_reserved(now: datetime) -> sa.ColumnElement[bool]:
    """Is the seat reserved? Not for long: a house player that runs joins within moments."""
    return Invitation.created_at > now - RESERVATION


def reserved_for(session: Session, game_id: str, seat: int, now: datetime) -> int | None:
    """The account for which a seat is reserved."""
    return session.scalar(sa.select(Invitation.account_id).where(*_at(game_id, seat), is_reserved(now)))


def withdraw_invitation(session: Session, game_id: str, seat: int) -> bool:
    """End a seat's reservation; whether there was one."""
    gone = sa.delete(Invitation).where(*_at(game_id, seat)).returning(Invitation.seat)
    return session.scalar(gone) is not None


def _at(game_id: str, seat: int) -> tuple[sa.ColumnElement[bool], ...]:
    return Invitation.game_id == game_id, Invitation.seat == seat


def _is_freed(table: Table, seat: int) -> bool:
    """Was the seat freed by absence? A seat that its holder offered is for people first."""
    return is_absent(table, seat) and table.created["handover"]["by"] in ("absent", "both")


def _can_be_reserved(table: Table, seat: int) -> bool:
    return table.occupants[seat] is None if table.stage == "lobby" else _is_freed(table, seat)


def end_invitations(session: Session, table: Table) -> None:
    """End the invitations to seats that nobody can take any more."""
    query = sa.select(Invitation.seat).where(Invitation.game_id == table.game_id)
    for seat in session.scalars(query).all():
        if not _can_be_reserved(table, seat):
            withdraw_invitation(session, table.game_id, seat)


def _pick(session: Session, game_id: str, level: str) -> int | None:
    """The house player with the fewest seats, of those never seated at this table nor invited to it."""
    seated = sa.select(Seat.account_id).where(Seat.game_id == game_id, Seat.account_id.is_not(None))
    before = sa.select(FormerHolder.account_id).where(
        FormerHolder.game_id == game_id, FormerHolder.account_id.is_not(None)
    )
    invited = sa.select(Invitation.account_id).where(Invitation.game_id == game_id)
    live = sa.select(sa.func.count()).select_from(Seat).join(Game, Game.id == Seat.game_id)
    busy = live.where(Seat.account_id == Account.id, Game.status.in_(("lobby", "running"))).scalar_subquery()
    house = sa.select(Account.id).where(Account.level == level, Account.bot, *IN_FORCE)
    free = house.where(Account.id.not_in(sa.union_all(seated, before, invited)))
    return session.scalar(free.order_by(busy, Account.id).limit(1))
