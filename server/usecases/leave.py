"""A seat given up before the start."""

from __future__ import annotations

from engine.record.compose import Composed, compose_plain
from engine.record.door import Signed
from server.log.ledger import Ledger, Logged
from server.services import Services
from server.usecases.act import log_act


def leave(services: Services, game_id: str, compact: str) -> Logged:
    """Log it and free the seat."""
    return log_act(services, game_id, compact, "leave", _play)


def _play(ledger: Ledger, signed: Signed) -> Composed:
    ledger.seat_left(signed.act.seat)
    return compose_plain(ledger.table, signed, ledger.at)
