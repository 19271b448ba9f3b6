"""Who may sit down: the account that the key belongs to, once in a game, and not after it has seen another seat's."""

from __future__ import annotations

import sqlalchemy as sa

from engine.record.door import Signed
from server.db.models import AccountKey, FormerHolder, Seat
from server.errors import Problem
from server.log.ledger import Ledger

MOST_JOINS = 8  # of one account in one game: a game has a bound for all joins, which nobody shall use up alone


def account_of(ledger: Ledger, signed: Signed) -> int:
    """The account that the key is registered with, which holds no seat of this game."""
    found = ledger.session.scalar(sa.select(AccountKey.account_id).where(AccountKey.kid == signed.jws.kid))
    if found is None:
        raise Problem("unregistered-key", kid=signed.jws.kid)
    held = ledger.session.scalar(sa.select(Seat.seat).where(*_in(ledger, Seat, found)))
    if held is not None:
        raise Problem("already-seated", seat=held)
    return found


def check_knows_nothing(ledger: Ledger, account_id: int, seat: int) -> None:
    """Whoever held another seat while the game ran knows what that seat kept to itself; his own he may take again."""
    other = (FormerHolder.ended != "left", FormerHolder.seat != seat)
    held = ledger.session.scalar(sa.select(FormerHolder.seat).where(*_in(ledger, FormerHolder, account_id), *other))
    if held is not None:
        raise Problem("held-another-seat", held=held, seat=seat)


def check_joins(ledger: Ledger, account_id: int) -> None:
    """An account comes and goes a few times; then the seats are for others."""
    left = (*_in(ledger, FormerHolder, account_id), FormerHolder.ended == "left")
    if (ledger.session.scalar(sa.select(sa.func.count()).where(*left)) or 0) >= MOST_JOINS:
        raise Problem("joined-too-often", most=MOST_JOINS)


def _in(ledger: Ledger, rows: type[Seat | FormerHolder], account_id: int) -> tuple[sa.ColumnElement[bool], ...]:
    return rows.game_id == ledger.game.id, rows.account_id == account_id
