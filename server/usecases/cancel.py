"""A game taken back by its creator before it starts. The entry carries the secret: nothing was drawn with it."""

from __future__ import annotations

from engine.errors import Refused
from engine.record.compose.entries import compose_cancelled
from server.errors import Problem
from server.log.ledger import note_of, opened
from server.services import Services
from server.usecases.act import Answer


def cancel(services: Services, game_id: str, account_id: int) -> Answer:
    """Log it; refused once the game has started."""
    with opened(services, game_id) as ledger:
        if ledger.game.creator_id != account_id:
            raise Problem("not-creator")
        if ledger.table.stage == "running":
            raise Refused("already-started")
        entry = ledger.append(compose_cancelled(ledger.table, ledger.secret, ledger.at, "creator"))
    return Answer(entry.line, note_of(services, ledger.game, entry.seq + 1, entry.leaf_hash), again=False)
