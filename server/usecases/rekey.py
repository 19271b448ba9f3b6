"""The keys of a seat: one added, one dropped, or the recovery key replaced by itself."""

from __future__ import annotations

from engine.record.compose.entries import Composed, compose_plain
from engine.record.signed.acts import SignedAct
from server.log.ledger import Ledger
from server.services import Services
from server.usecases.act import Answer, log_act


def rekey(services: Services, game_id: str, compact: str) -> Answer:
    """Log it; the next act may be signed with the new key."""
    return log_act(services, game_id, compact, "key", _play)


def _play(ledger: Ledger, signed: SignedAct) -> Composed:
    return compose_plain(ledger.table, signed, ledger.at)
