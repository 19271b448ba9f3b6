"""A plan that a seat's holder has mailed: his alone to read, and his no more when another holds the seat."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.db.models import Plan, Seat
from server.errors import Problem
from server.projections.games import game_row
from server.services import Services
from server.wording import iso


def plan(services: Services, game_id: str, account_id: int) -> dict[str, Any]:
    """As it was mailed; `fresh` says whether nothing has been logged since."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        found = of_holder(session, game_id, account_id)
    return {
        "type": game.type,
        "seat": found.seat,
        "via": "mail",
        "commands": msgspec.json.decode(found.commands),
        "notation": found.notation,
        "size": found.size,
        "fresh": game.head_seq + 1 == found.size,
        "at": iso(found.created_at),
    }


def is_there(services: Services, game_id: str, account_id: int | None) -> bool:
    """Has the account a plan by mail here? For a page, which then asks for it."""
    if account_id is None:
        return False
    with services.database.read() as session:
        try:
            return of_holder(session, game_id, account_id) is not None
        except Problem:
            return False


def of_holder(session: Session, game_id: str, account_id: int) -> Plan:
    """The plan of the seat that this account holds; Problem if it holds none, or there is none."""
    held = sa.select(Seat).where(Seat.game_id == game_id, Seat.account_id == account_id)
    seat = session.scalar(held)
    if seat is None:
        raise Problem("no-seat")
    found = session.get(Plan, (game_id, seat.seat))
    if found is None or (found.account_id, found.since_seq) != (account_id, seat.since_seq):
        raise Problem("not-found")
    return found
