"""Seats that have resigned are played by the clock as soon as they owe a move."""

from __future__ import annotations

from server.db.models import Game
from server.services import Services
from server.usecases.expire import expire


def play_gone(services: Services, game_id: str) -> None:
    """After an entry: play every resigned seat that is active. What fails here the clock's own round finds again."""
    while (seat := _gone(services, game_id)) is not None and expire(services, game_id, seat):
        pass


def _gone(services: Services, game_id: str) -> int | None:
    """From memory where it can be: after a move this costs a look at the kept table."""
    kept = services.tables.kept(game_id)
    if kept is not None and not kept.gone:
        return None
    with services.database.read() as session:
        game = session.get(Game, game_id)
        assert game is not None
        table = services.tables.of(session, game)
    return next((seat for seat in table.active if seat in table.gone), None)
