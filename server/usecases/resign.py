"""A seat that gives the game up, in turn or not."""

from __future__ import annotations

from engine.record.compose import Composed, compose_resigned
from engine.record.door import Signed
from server.log.ledger import Ledger, Logged
from server.services import Services
from server.usecases.act import log_act
from server.usecases.gone import play_gone


def resign(services: Services, game_id: str, compact: str) -> Logged:
    """Log it; what the seat owes now, the clock plays at once."""
    answer = log_act(services, game_id, compact, "resign", _play)
    play_gone(services, game_id)
    return answer


def _play(ledger: Ledger, signed: Signed) -> Composed:
    return compose_resigned(ledger.table, ledger.secret, ledger.at, signed)
