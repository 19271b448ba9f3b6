"""The row of a game, held by one transaction, and the server's note on it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.signed import note
from server.kernel.db.models import Base
from server.kernel.db.tables import Row
from server.kernel.errors import Problem
from server.kernel.services import Services

_game = Base.metadata.tables["game"]
LOCK = sa.select(_game).where(_game.c.id == sa.bindparam("id")).with_for_update()


def locked(session: Session, game_id: str) -> sa.Row[Any]:
    """The game's row, held by this transaction alone."""
    game = session.connection().execute(LOCK, {"id": game_id}).one_or_none()
    if game is None:
        raise Problem("no-such-game")
    return game


def note_of(services: Services, game: Row, size: int, head: bytes) -> str:
    """The server's word on a log of this size, by the game's own key; the same bytes whenever it is asked."""
    return note.write(services.settings.server_name, game.id, size, head, services.seed(game.key_number))
