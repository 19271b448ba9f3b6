"""A rematch: the same table again, with seats kept for everybody who held one at the end.

One press opens it, and a second press, by whomever, leads to the same table. The server draws the seats. Nobody has
agreed to anything before they sit down.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.log.clock import MEMBERS
from engine.record.log.table import Table
from server.kernel import text
from server.kernel.db.models import Account, Game, Place, Seat
from server.kernel.db.tables import Row, lock_game
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import outbox, places
from server.log.outbox import SeatEvent
from server.tables import house_players, limits
from server.tables.calendar import pauses
from server.tables.invitations import write as invitations
from server.tables.invitations.read import mailbox
from server.tables.write import GameRequest, check_suspended, create_in

KEPT = timedelta(days=7)
COPIED = ("type", "seats", "handover", "offer_wait", "bots", "related", "stand_in", "talk", "hints", "door", "start")


class Rematch(NamedTuple):
    """The new table; `again` if it was opened before."""

    game_id: str
    again: bool


def rematch(services: Services, game_id: str, account_id: int) -> Rematch:
    """Open it, for a player who held a seat at the end."""
    with services.database.write() as session:
        old = lock_game(session, game_id)
        if session.scalar(sa.select(Seat.seat).where(Seat.game_id == game_id, Seat.account_id == account_id)) is None:
            raise Problem("no-seat")
        if old.status != "finished":
            raise Problem("not-over")
        opened = session.scalar(sa.select(Game.id).where(Game.rematch_of == game_id))
        if opened is not None:
            return Rematch(opened, again=True)
        check_suspended(services, session.get_one(Account, account_id))
        limits.check(services, session, account_id, "open_tables")
        new, table = create_in(services, session, account_id, _request(services, session, old))
        row = session.get_one(Game, new)
        row.rematch_of, row.series_id = game_id, old.series_id or game_id
        rows, events = _keep_seats(services, session, table, old, account_id)
        accounts = outbox.write_events_to(session.connection(), events, services.now()) if events else []
    services.tables.keep(table)
    services.waker.wake(rows, outbox.topics(accounts))
    return Rematch(new, again=False)


def _request(services: Services, session: Session, old: Row) -> GameRequest:
    created = services.tables.of(session, old).created
    days = [day for number, day in enumerate(text.WEEKDAYS) if (old.rest_days or 0) >> number & 1]
    return GameRequest(
        options=msgspec.json.decode(old.options),
        clock=None if old.clock_move is None else {name: getattr(old, f"clock_{name}") for name in MEMBERS},
        edition=None if old.edition is None else msgspec.json.decode(old.edition),
        unsigned=created["unsigned"],
        rest={"days": days, "zone": old.rest_zone} if days else None,
        holidays=old.holidays,
        host_pause=pauses.agreed_days(session, [old])[old.id],
        asks={"games": old.asks_games, "clock": old.asks_clock},
        **{name: getattr(old, name) for name in COPIED},
    )


def _keep_seats(
    services: Services, session: Session, table: Table, old: Row, account_id: int
) -> tuple[list[int], list[tuple[int, SeatEvent]]]:
    """Keep the drawn seats; the outbox rows and events of the others."""
    held = sa.select(Account).join(Seat, Seat.account_id == Account.id).where(Seat.game_id == old.id)
    people = session.scalars(held.where(Account.erased_at.is_(None)).order_by(Seat.seat)).all()
    drawn = sorted(range(table.seats), key=lambda _: services.random(8))
    rows, events = [], []
    for seat, account in zip(drawn, people, strict=False):
        if account.level is not None:
            events += _keep_for_house(services, session, table, seat, account, account_id)
            continue
        kept: dict[str, Any] = {"game_id": table.game_id, "seat": seat, "account_id": account.id, "by_id": account_id}
        mac = mailbox(services, account)
        place = Place(**kept, kind="rematch", box_mac=mac, until=services.now() + KEPT)
        places.keep(session, place, services.now())
        if account.id != account_id:
            rows.append(outbox.row_of_table(session, "invited", table, services.now(), place.id))
            events += invitations.events_of(session, table, place)
    return rows, events


def _keep_for_house(
    services: Services, session: Session, table: Table, seat: int, account: Account, creator_id: int
) -> list[tuple[int, SeatEvent]]:
    """A house player of the same level, if one is free; otherwise the seat is free for anybody."""
    try:
        return [house_players.reserve(services, session, table, seat, account.level or "", creator_id)]
    except Problem:
        return []
