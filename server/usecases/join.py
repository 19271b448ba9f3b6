"""A seat taken by a signed act; the last one starts the game in the same transaction."""

from __future__ import annotations

import sqlalchemy as sa

from engine.record.compose import Composed, compose_joined, compose_started
from engine.record.door import Signed
from server.db.models import AccountKey, Seat
from server.errors import Problem
from server.log.ledger import Ledger
from server.services import Services
from server.usecases.act import Answer, log_act


def join(services: Services, game_id: str, compact: str) -> Answer:
    """Log the join; the account is the one that the key is registered with."""
    return log_act(services, game_id, compact, "join", _play)


def _play(ledger: Ledger, signed: Signed) -> Composed:
    ledger.seat_taken(signed.act.seat, _account(ledger, signed))
    composed = compose_joined(ledger.table, signed, ledger.at)
    if composed.table.is_full:
        ledger.then(lambda: compose_started(ledger.table, ledger.secret, ledger.at))
    return composed


def _account(ledger: Ledger, signed: Signed) -> int:
    found = ledger.session.scalar(sa.select(AccountKey.account_id).where(AccountKey.kid == signed.jws.kid))
    if found is None:
        raise Problem("unregistered-key", kid=signed.jws.kid)
    where = (Seat.game_id == ledger.game.id, Seat.account_id == found)
    if ledger.session.scalar(sa.select(Seat.seat).where(*where)) is not None:
        raise Problem("already-seated")
    return found
