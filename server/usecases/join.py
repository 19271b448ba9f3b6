"""A seat taken before the start by a signed act; the last one starts the game in the same transaction."""

from __future__ import annotations

from engine.record.compose import Composed, compose_plain, compose_started
from engine.record.door import Signed
from server.log.ledger import Ledger, Logged
from server.services import Services
from server.usecases.act import log_act
from server.usecases.joining import account_of, check_joins


def join(services: Services, game_id: str, compact: str) -> Logged:
    """Log the join; the account is the one that the key is registered with."""
    return log_act(services, game_id, compact, "join", _play)


def _play(ledger: Ledger, signed: Signed) -> Composed:
    account = account_of(ledger, signed)
    check_joins(ledger, account)
    composed = compose_plain(ledger.table, signed, ledger.at)
    ledger.seat_joined(signed.act.seat, account)
    if composed.table.is_full:
        ledger.then(lambda: compose_started(ledger.table, ledger.secret, ledger.at))
    return composed
