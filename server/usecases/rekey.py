"""The keys of a seat: one added, one dropped, or the recovery key replaced by itself."""

from __future__ import annotations

from engine.record.compose import Composed, compose_plain
from engine.record.door import Signed
from server.log.ledger import Ledger, Logged
from server.services import Services
from server.usecases.act import log_act


def rekey(services: Services, game_id: str, compact: str) -> Logged:
    """Log it; the next act may be signed with the new key."""
    return log_act(services, game_id, compact, "key", _play)


def _play(ledger: Ledger, signed: Signed) -> Composed:
    return compose_plain(ledger.table, signed, ledger.at)
