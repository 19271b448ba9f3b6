"""Mail of one game stopped for one seat, or wanted again. The seat plays on."""

from __future__ import annotations

import sqlalchemy as sa

from server.auth import links
from server.db.models import Seat
from server.errors import Problem
from server.services import Services


def mute(services: Services, token: str, *, muted: bool = True) -> str:
    """By the token of a mail's unsubscribe link; the game's id."""
    named = links.read_unsubscribe_token(services.settings.master, token)
    if named is None:
        raise Problem("bad-link")
    game_id, seat = named
    with services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game_id, Seat.seat == seat).values(muted=muted))
    return game_id
