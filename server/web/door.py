"""The door of a table: who may sit down, leave or take it back, and the link by which others are let in.

Before the start it stands open; while the game runs it is where a seat that is free to take is taken over.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from server.auth.holder import Holder
from server.db.models import Seat
from server.projections.games import free_seats, kept
from server.projections.position import Look
from server.services import Services
from server.usecases import house


def door(services: Services, at: Look, who: Holder | None) -> dict[str, Any] | None:
    """What its reader may do there; None where there is nothing to do for anybody."""
    if at.table.stage not in ("lobby", "running") or at.game.is_stopped:
        return None
    is_open = at.table.stage == "lobby"
    with services.database.read() as session:
        levels = kept(session, [at.game.id], services.now()).get(at.game.id, {})
        seat = None if who is None else session.scalar(sa.select(Seat.seat).where(*_of(at, who)))
    free = [seat for seat in free_seats(at.table) if seat not in levels]
    is_creator = who is not None and who.account_id == at.game.creator_id
    if not is_open and (seat is not None or not free):
        return None
    return {
        "is_open": is_open,
        "seat": seat,
        "free": free,
        "kept": levels,
        "is_creator": is_open and is_creator,
        "levels": _levels(services) if is_open and is_creator and at.game.bots != "none" else [],
        "link": f"{services.settings.public_url}/games/{at.game.id}",
        "listed": at.game.listed,
    }


def _of(at: Look, who: Holder) -> tuple[sa.ColumnElement[bool], ...]:
    return Seat.game_id == at.game.id, Seat.account_id == who.account_id


def _levels(services: Services) -> list[str]:
    return [one["level"] for one in house.shown(services)["levels"]]
