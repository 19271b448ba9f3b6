"""A seat that gives the game up, in turn or not."""

from __future__ import annotations

from engine.record.compose.entries import Composed, compose_resigned
from engine.record.signed.acts import SignedAct
from server.log.ledger import Ledger
from server.services import Services
from server.usecases.act import Answer, log_act
from server.usecases.gone import play_gone


def resign(services: Services, game_id: str, compact: str) -> Answer:
    """Log it; what the seat owes now, the clock plays at once."""
    answer = log_act(services, game_id, compact, "resign", _play)
    play_gone(services, game_id)
    return answer


def _play(ledger: Ledger, signed: SignedAct) -> Composed:
    return compose_resigned(ledger.table, ledger.secret, ledger.at, signed)
