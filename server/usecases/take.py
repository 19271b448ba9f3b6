"""A seat of a running game taken over: one that is open, or whose holder is absent where that is enough."""

from __future__ import annotations

from engine.record.compose.entries import Composed, compose_plain
from engine.record.signed.acts import SignedAct
from server.log.ledger import Ledger
from server.services import Services
from server.usecases.act import Answer, log_act
from server.usecases.joining import account_of, check_knows_nothing


def take(services: Services, game_id: str, compact: str) -> Answer:
    """Log it; from this entry on the seat's secrets are shown to the new holder and not to the one before."""
    return log_act(services, game_id, compact, "take", _play)


def _play(ledger: Ledger, signed: SignedAct) -> Composed:
    account = account_of(ledger, signed)
    check_knows_nothing(ledger, account, signed.act.seat)
    composed = compose_plain(ledger.table, signed, ledger.at)
    ledger.seat_taken(signed.act.seat, account)
    return composed
