"""Places: seats that are kept for somebody, updated with each entry in its transaction.

A table's host invites a person to an empty seat, or a house player of a level; with a `stand_in`, a house player is
also invited to each seat that absence frees; a rematch keeps seats for those who played before. The seat is kept until
a time, unless somebody sits there, the holder is back, or the game ends. An invited player joins like everybody else,
by a signed act.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import canonical
from engine.record.log.table import Table
from server.kernel.db.models import IN_FORCE, Account, FormerHolder, Game, Place, Seat
from server.kernel.db.session import moment_of
from server.kernel.db.tables import Row
from server.kernel.services import Services
from server.log import quotas
from server.log.outbox import SeatEvent
from server.log.seats import ASKED, is_kept, keepable

MOST_HOUSE_TABLES = 16  # live tables of one account with house players seated or invited
# Until then nobody else may take the seat; an invited house player may still join later, if it is free.
RESERVATION = timedelta(minutes=10)


def of_entry(
    services: Services, session: Session, game: Row, before: Table, table: Table
) -> list[tuple[int, SeatEvent]]:
    """End and begin the places that the entry behind `table` calls for; the events of the invited house players."""
    now = services.now()
    if any(seat not in keepable(table) for seat in keepable(before)):
        end(session, table, since=before.size)
    if game.stand_in is None or table.stage != "running":
        return []
    freed = [seat for seat in keepable(table) if before.stage != "running" or seat not in keepable(before)]
    if freed and not has_house_room(services, session, game.creator_id, game.id):
        return []
    return [invited for seat in freed if (invited := invite_house(session, table, seat, game.stand_in, now))]


def invite_house(session: Session, table: Table, seat: int, level: str, now: datetime) -> tuple[int, SeatEvent] | None:
    """Keep a seat for a house player of that level and return the event; None if none is free."""
    account = _pick(session, table.game_id, level)
    if account is None:
        return None
    keep(
        session, Place(game_id=table.game_id, seat=seat, account_id=account, kind="house", until=now + RESERVATION), now
    )
    return account, invited_event(table, seat)


def keep(session: Session, place: Place, now: datetime) -> int:
    """Keep a seat; an earlier place there, and one of the same account, must have run out and ends. Returns its id."""
    same = sa.or_(Place.seat == place.seat, Place.account_id == place.account_id)
    ended = sa.update(Place).where(Place.game_id == place.game_id, same, ASKED, Place.until <= now)
    session.execute(ended.values(state="over", email=None))
    place.made_at = now
    session.add(place)
    session.flush()
    return place.id


def invited_event(table: Table, seat: int) -> SeatEvent:
    """The event for an invited account."""
    return SeatEvent("invited", table.game_id, seat, table.size - 1, moment_of(canonical.seconds(table.at)), None)


def has_house_room(services: Services, session: Session, account: int, game_id: str) -> bool:
    """May house players sit at this table too? Their thinking costs the operator, so each account has a limit."""
    quotas.lock(services, session, account)
    others = house_tables(account).where(Game.id != game_id).subquery()
    return (session.scalar(sa.select(sa.func.count()).select_from(others)) or 0) < MOST_HOUSE_TABLES


def house_tables(account: int) -> sa.Select[str]:
    """The live tables of this account where house players sit or are invited."""
    house = sa.select(Account.id).where(Account.level.is_not(None))
    sits = sa.exists().where(Seat.game_id == Game.id, Seat.account_id.in_(house))
    invited = sa.exists().where(Place.game_id == Game.id, Place.kind == "house", ASKED)
    live = (Game.creator_id == account, Game.status.in_(("lobby", "running")))
    return sa.select(Game.id).where(*live, sa.or_(sits, invited))


def kept_at(session: Session, game_id: str, seat: int, now: datetime) -> Place | None:
    """The place by which a seat is kept."""
    return session.scalar(sa.select(Place).where(*at(game_id, seat), is_kept(now)))


def at(game_id: str, seat: int) -> tuple[sa.ColumnElement[bool], ...]:
    """The place of a seat for which somebody is asked; there is at most one."""
    return Place.game_id == game_id, Place.seat == seat, ASKED


def is_of(account: Account) -> sa.ColumnElement[bool]:
    """Is the place for this account, or for the address that it has now?"""
    own = Place.account_id == account.id
    return own if account.email is None else sa.or_(own, Place.email == account.email)


def belongs_to(place: Place, account: Account) -> bool:
    """The same of a row that is here."""
    return place.account_id == account.id or (place.email is not None and place.email == account.email)


def withdraw(session: Session, game_id: str, seat: int, kind: str = "house") -> bool:
    """Let others take the seat; whether it was kept."""
    gone = sa.update(Place).where(*at(game_id, seat), Place.kind == kind).values(state="withdrawn", email=None)
    return session.scalar(gone.returning(Place.seat)) is not None


def end(session: Session, table: Table, since: int = 0) -> None:
    """End the places of those who have sat down, and of seats that nobody can take any more.

    An address is compared with those who sat down with entry `since` or later: its inviter must not learn that it
    belongs to somebody who sat here before.
    """
    seated = sa.select(Account, Seat.since_seq).join(Seat, Seat.account_id == Account.id)
    holders = session.execute(seated.where(Seat.game_id == table.game_id)).all()
    accounts = {one.id for one, _ in holders}
    emails = {one.email for one, came in holders if one.email and came >= since}
    for place in session.scalars(sa.select(Place).where(Place.game_id == table.game_id, ASKED)).all():
        sits = place.account_id in accounts or place.email in emails
        if sits or place.seat not in keepable(table):
            place.state, place.email = "sat" if sits else "over", None
    session.flush()


def _pick(session: Session, game_id: str, level: str) -> int | None:
    """The house player with the fewest seats, of those never seated at this table nor invited to it."""
    seated = sa.select(Seat.account_id).where(Seat.game_id == game_id, Seat.account_id.is_not(None))
    before = sa.select(FormerHolder.account_id).where(
        FormerHolder.game_id == game_id, FormerHolder.account_id.is_not(None)
    )
    asked = sa.select(Place.account_id).where(Place.game_id == game_id, ASKED, Place.account_id.is_not(None))
    live = sa.select(sa.func.count()).select_from(Seat).join(Game, Game.id == Seat.game_id)
    busy = live.where(Seat.account_id == Account.id, Game.status.in_(("lobby", "running"))).scalar_subquery()
    house = sa.select(Account.id).where(Account.level == level, Account.bot, *IN_FORCE)
    free = house.where(Account.id.not_in(sa.union_all(seated, before, asked)))
    return session.scalar(free.order_by(busy, Account.id).limit(1))
