"""Mail of one game stopped for one holder of a seat, or wanted again. The seat plays on.

A link is its holder's: it stops working with the entry that gives the seat to another, whose mail it must not stop.
"""

from __future__ import annotations

import sqlalchemy as sa

from server.auth import links
from server.db.models import Seat
from server.errors import Problem
from server.services import Services


def mute(services: Services, token: str, *, muted: bool = True) -> str:
    """By the token of a mail's unsubscribe link; the game's id."""
    game_id, seat, since = _read(services, token)
    changed = sa.update(Seat).where(Seat.game_id == game_id, Seat.seat == seat, Seat.since_seq == since)
    with services.database.write() as session:
        if session.scalar(changed.values(muted=muted).returning(Seat.seat)) is None:
            raise Problem("bad-link")
    return game_id


def game_of(services: Services, token: str) -> str:
    """The game that the token is about; refused if it would stop nothing."""
    game_id, seat, since = _read(services, token)
    held = sa.select(Seat.seat).where(Seat.game_id == game_id, Seat.seat == seat, Seat.since_seq == since)
    with services.database.read() as session:
        if session.scalar(held) is None:
            raise Problem("bad-link")
    return game_id


def _read(services: Services, token: str) -> tuple[str, int, int]:
    named = links.read_unsubscribe_token(services.settings.master, token)
    if named is None:
        raise Problem("bad-link")
    return named
