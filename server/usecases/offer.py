"""A seat opened to others, or closed again, which also says "I am back"."""

from __future__ import annotations

from engine.record.compose.entries import Composed, compose_plain
from engine.record.signed.acts import SignedAct
from server.log.ledger import Ledger
from server.services import Services
from server.usecases.act import Answer, log_act


def offer(services: Services, game_id: str, compact: str) -> Answer:
    """Log it; whoever offers plays on until somebody has taken the seat."""
    return log_act(services, game_id, compact, "offer", _play)


def _play(ledger: Ledger, signed: SignedAct) -> Composed:
    return compose_plain(ledger.table, signed, ledger.at)
