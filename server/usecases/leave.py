"""A seat given up before the start."""

from __future__ import annotations

from engine.record.compose.entries import Composed, compose_plain
from engine.record.signed.acts import SignedAct
from server.log.ledger import Ledger
from server.services import Services
from server.usecases.act import Answer, log_act


def leave(services: Services, game_id: str, compact: str) -> Answer:
    """Log it and free the seat."""
    return log_act(services, game_id, compact, "leave", _play)


def _play(ledger: Ledger, signed: SignedAct) -> Composed:
    ledger.seat_left(signed.act.seat)
    return compose_plain(ledger.table, signed, ledger.at)
