"""What an operator decides of a stopped game: a fault of ours is mended, or missing lines do not come back."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from engine.record.compose.entries import compose_cancelled
from server.kernel.db.models import Game, ShownNote
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import note_check, recovery
from server.log.ledger import Ledger, open_for_writing


def resume(services: Services, game_id: str) -> None:
    """The game goes on from where our log ends, after a fault of ours or without the lines that are missing.

    Notes that were shown on more entries are proof of a fork from then on.
    """
    with open_for_writing(services, game_id) as ledger:
        if ledger.is_whole and not ledger.is_faulted:
            raise Problem("not-stopped")
        _give_up(ledger)
        recovery.clear_fault(ledger)
        recovery.resume(ledger)


def cancel(services: Services, game_id: str, reason: str) -> None:
    """The game ends here by the server's word, also a running one; its players are told, and its secret is shown."""
    with open_for_writing(services, game_id) as ledger:
        _give_up(ledger)
        recovery.clear_fault(ledger)
        recovery.end_waiting(ledger)
        ledger.append(compose_cancelled(ledger.table, ledger.secret, ledger.at, reason))


def _give_up(ledger: Ledger) -> None:
    """No note is awaited any more; each stays as evidence, and stops the game no second time."""
    awaited = (ShownNote.game_id == ledger.game.id, ShownNote.relation == note_check.AWAITED)
    ledger.session.execute(sa.update(ShownNote).where(*awaited).values(relation=note_check.FORK))


def stopped(services: Services) -> list[dict[str, Any]]:
    """Every stopped game, and how much is missing, the longest stopped first; then every note that proves a fork."""
    held = sa.or_(Game.missing_since.is_not(None), Game.faulted_at.is_not(None))
    with services.database.read() as session:
        games = session.scalars(sa.select(Game).where(held).order_by(Game.missing_since, Game.faulted_at, Game.id))
        made = [_stopped_json(game) for game in games]
        forks = session.scalars(
            sa.select(ShownNote).where(ShownNote.relation == note_check.FORK).order_by(ShownNote.id)
        )
        return [*made, *({"game": row.game_id, "why": "fork", "shown": row.size, "note": row.note} for row in forks)]


def _stopped_json(game: Game) -> dict[str, Any]:
    if game.missing_since is None:
        return {"game": game.id, "why": "engine-fault", "since": game.faulted_at}
    size = game.head_seq + 1
    return {
        "game": game.id,
        "why": "lines-missing",
        "since": game.missing_since,
        "size": size,
        "shown": game.shown_size,
    }
