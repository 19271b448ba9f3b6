"""House players asked to a table by its host, before the start: one for a seat, by level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.log.table import Table
from server.kernel.db.models import IN_FORCE, Account
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import outbox, places
from server.log.ledger import check_host, open_for_writing
from server.log.outbox import SeatEvent
from server.tables import limits

HouseSeats = Sequence[Mapping[str, Any]]  # {"seat": 1, "level": "fair"}


def invite(services: Services, game_id: str, account_id: int, seat: int, level: str) -> None:
    """Reserve an empty seat for a house player of that level.

    A repeated request changes nothing; once the player has not come for ten minutes, one is picked again.
    """
    with open_for_writing(services, game_id) as ledger:
        check_host(ledger, account_id)
        ledger.check_goes_on()
        _check_lets(ledger.game.bots)
        if _is_asked(ledger.session, game_id, seat, level, services.now()):
            return
        places.withdraw(ledger.session, game_id, seat)
        reserved = reserve(services, ledger.session, ledger.table, seat, level, ledger.game.creator_id)
        ledger.others.append(reserved)


def _is_asked(session: Session, game_id: str, seat: int, level: str, now: datetime) -> bool:
    place = places.kept_at(session, game_id, seat, now)
    account = None if place is None or place.kind != "house" else session.get(Account, place.account_id)
    return account is not None and account.level == level


def withdraw(services: Services, game_id: str, account_id: int, seat: int) -> None:
    """Make the seat free for anybody again."""
    with open_for_writing(services, game_id) as ledger:
        check_host(ledger, account_id)
        if not places.withdraw(ledger.session, game_id, seat):
            raise Problem("not-found")


def reserve(
    services: Services, session: Session, table: Table, seat: int, level: str, creator_id: int
) -> tuple[int, SeatEvent]:
    """The invited player's account, and the event for it; the table counts for the account that opened it."""
    now = services.now()
    if table.stage != "lobby":
        raise Problem("already-started")
    if seat >= table.seats:
        raise Problem("no-such-seat", seat=seat, seats=table.seats)
    if table.occupants[seat] is not None:
        raise Problem("seat-taken", seat=seat)
    if places.kept_at(session, table.game_id, seat, now) is not None:
        raise Problem("seat-kept", seat=seat)
    if not places.has_house_room(services, session, creator_id, table.game_id):
        raise limits.reached("house_tables", places.MOST_HOUSE_TABLES)
    invited = places.invite_house(session, table, seat, level, now)
    if invited is None:
        raise Problem("no-house-player", level=level, levels=levels(session))
    return invited


def check_house_seats(session: Session, bots: str, stand_in: str | None, seats: HouseSeats) -> None:
    """Check that the table allows bots if it asks for house players, and that their levels exist here."""
    if seats or stand_in is not None:
        _check_lets(bots)
    known = levels(session)
    if stand_in is not None and stand_in not in known:
        raise Problem("no-house-player", level=stand_in, levels=known)


def reserve_all(services: Services, session: Session, table: Table, seats: HouseSeats, account_id: int) -> list[int]:
    """Reserve seats for house players in the transaction that makes the table; the accounts to wake."""
    invited = [reserve(services, session, table, one["seat"], one["level"], account_id) for one in seats]
    return outbox.write_events_to(session.connection(), invited, services.now()) if invited else []


def levels(session: Session) -> list[str]:
    """The levels for which there are house players here."""
    found = sa.select(Account.level).where(Account.level.is_not(None), *IN_FORCE).distinct()
    return sorted(level for level in session.scalars(found) if level)


RANKS = ("easy", "fair", "strong")  # any other level comes after these


def overview(services: Services) -> dict[str, Any]:
    """The number of house players of each level, weakest first, and how many tables an account may have with them."""
    live = sa.select(Account.level, sa.func.count()).where(Account.level.is_not(None), *IN_FORCE)
    with services.database.read() as session:
        found = session.execute(live.group_by(Account.level)).all()
    ranked = sorted(found, key=lambda row: (RANKS.index(row[0]) if row[0] in RANKS else len(RANKS), row[0]))
    return {
        "levels": [{"level": level, "players": count} for level, count in ranked],
        "tables": places.MOST_HOUSE_TABLES,
    }


def _check_lets(bots: str) -> None:
    if bots == "none":
        raise Problem("no-bots", bots=bots)
