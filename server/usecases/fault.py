"""A rule broke its contract: nothing was logged; the game's clocks stop and the operator is told."""

from __future__ import annotations

import sqlalchemy as sa

from engine.errors import EngineFault
from server.db.models import Game
from server.services import Services


def stop_game(services: Services, game_id: str, fault: EngineFault) -> None:
    """Mark the game: nothing is logged in it until the operator lets it go on."""
    services.report_fault(game_id, fault)
    since = sa.func.coalesce(Game.faulted_at, services.now())  # from the first fault on nobody could move
    with services.database.write() as session:
        session.execute(sa.update(Game).where(Game.id == game_id).values(faulted_at=since))
