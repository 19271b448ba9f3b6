"""A seat taken before the start by a signed act; the last one starts the game in the same transaction."""

from __future__ import annotations

from engine.record.compose.entries import Composed, compose_plain, compose_started
from engine.record.signed.acts import SignedAct
from server.log.ledger import Ledger
from server.services import Services
from server.usecases.act import Answer, log_act
from server.usecases.joining import account_of, check_joins


def join(services: Services, game_id: str, compact: str) -> Answer:
    """Log the join; the account is the one that the key is registered with."""
    return log_act(services, game_id, compact, "join", _play)


def _play(ledger: Ledger, signed: SignedAct) -> Composed:
    account = account_of(ledger, signed)
    check_joins(ledger, account)
    composed = compose_plain(ledger.table, signed, ledger.at)
    ledger.seat_joined(signed.act.seat, account)
    if composed.table.is_full:
        ledger.then(lambda: compose_started(ledger.table, ledger.secret, ledger.at))
    return composed
