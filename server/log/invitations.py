"""Seats kept for house players, and what becomes of that with each entry, in its transaction.

A table's creator asks for a house player of a level at an empty seat; where he named a `stand_in`, one is asked for
each seat that absence frees. One account is picked, told by an event, and the seat is kept for it for some minutes,
unless somebody sits there, the holder is back, or the game ends. It sits down as everybody does: by a signed act.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import canonical
from engine.record.log.table import Table
from server.kernel.db.models import Account, FormerHolder, Game, Invitation, Seat
from server.kernel.db.tables import Row
from server.log import seats
from server.log.outbox import SeatEvent

MOST = 16  # live tables of one account at which house players sit or are asked to
# For so long the seat is nobody else's; the invited player may still sit down later, if it is free.
RESERVATION = timedelta(minutes=10)


def of_entry(session: Session, game: Row, before: Table, table: Table, now: datetime) -> list[tuple[int, SeatEvent]]:
    """What the entry that made `table` ends and begins; the events of those who are asked."""
    _end(session, table)
    if game.stand_in is None:
        return []
    freed = [seat for seat in range(table.seats) if _is_freed(table, seat) and not _is_freed(before, seat)]
    if freed and not has_room(session, game.creator_id, game.id):
        return []
    return [invited for seat in freed if (invited := invite(session, table, seat, game.stand_in, now)) is not None]


def invite(session: Session, table: Table, seat: int, level: str, now: datetime) -> tuple[int, SeatEvent] | None:
    """Keep a seat for a house player of that level, and the event that tells him; None if there is none left."""
    account = _pick(session, table.game_id, level)
    if account is None:
        return None
    session.add(Invitation(game_id=table.game_id, seat=seat, account_id=account, created_at=now))
    session.flush()
    at = seats.moment(canonical.seconds(table.at))
    return account, SeatEvent("invited", table.game_id, seat, table.size - 1, at, None)


def has_room(session: Session, account: int, game_id: str) -> bool:
    """May house players sit at this table too? Machines that think cost the operator: so many of an account's may."""
    house = sa.select(Account.id).where(Account.level.is_not(None))
    sits = sa.exists().where(Seat.game_id == Game.id, Seat.account_id.in_(house))
    invited = sa.exists().where(Invitation.game_id == Game.id)
    live = (Game.creator_id == account, Game.status.in_(("lobby", "running")), Game.id != game_id)
    counted = sa.select(sa.func.count()).select_from(Game).where(*live, sa.or_(sits, invited))
    return (session.scalar(counted) or 0) < MOST


def is_reserved(now: datetime) -> sa.ColumnElement[bool]:
    """Who is asked comes within moments; if nobody plays for it today, the seat waits no longer than this."""
    return Invitation.created_at > now - RESERVATION


def reserved_for(session: Session, game_id: str, seat: int, now: datetime) -> int | None:
    """The account that a seat is kept for."""
    return session.scalar(sa.select(Invitation.account_id).where(*_at(game_id, seat), is_reserved(now)))


def withdraw(session: Session, game_id: str, seat: int) -> bool:
    """Keep a seat no longer; whether it was kept."""
    gone = sa.delete(Invitation).where(*_at(game_id, seat)).returning(Invitation.seat)
    return session.scalar(gone) is not None


def _at(game_id: str, seat: int) -> tuple[sa.ColumnElement[bool], ...]:
    return Invitation.game_id == game_id, Invitation.seat == seat


def _is_freed(table: Table, seat: int) -> bool:
    """By absence: a seat that its holder has offered is for people first."""
    return table.stage == "running" and table.is_free(seat) and table.is_absent(seat)


def _can_be_reserved(table: Table, seat: int) -> bool:
    return table.occupants[seat] is None if table.stage == "lobby" else _is_freed(table, seat)


def _end(session: Session, table: Table) -> None:
    """Nobody is asked to a seat at which nobody can sit down any more."""
    query = sa.select(Invitation.seat).where(Invitation.game_id == table.game_id)
    for seat in session.scalars(query).all():
        if not _can_be_reserved(table, seat):
            withdraw(session, table.game_id, seat)


def _pick(session: Session, game_id: str, level: str) -> int | None:
    """The one who has fewest seats now, of those who have never sat at this table nor are asked to."""
    seated = sa.select(Seat.account_id).where(Seat.game_id == game_id, Seat.account_id.is_not(None))
    before = sa.select(FormerHolder.account_id).where(
        FormerHolder.game_id == game_id, FormerHolder.account_id.is_not(None)
    )
    invited = sa.select(Invitation.account_id).where(Invitation.game_id == game_id)
    live = sa.select(sa.func.count()).select_from(Seat).join(Game, Game.id == Seat.game_id)
    busy = live.where(Seat.account_id == Account.id, Game.status.in_(("lobby", "running"))).scalar_subquery()
    house = sa.select(Account.id).where(Account.level == level, Account.bot, Account.erased_at.is_(None))
    free = house.where(Account.id.not_in(sa.union_all(seated, before, invited)))
    return session.scalar(free.order_by(busy, Account.id).limit(1))
