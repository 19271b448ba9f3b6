"""Who may sit down: the account that the key belongs to, once in a game, and not after it has seen another seat's.

A bot says that it is one, sits only where the table lets bots sit, and not beside others of the person who answers for
it, or him himself, unless the table lets it. A seat that is kept for a house player is nobody else's.
"""

from __future__ import annotations

import sqlalchemy as sa

from engine.record.signed.acts import SignedAct
from server.db.models import Account, AccountKey, FormerHolder, Game, Seat
from server.errors import Problem
from server.log import invitations
from server.log.ledger import Ledger

MOST_TABLES = 32  # live ones of one person's bot; those of house players are bounded for who asks for them
MOST_JOINS = 8  # of one account in one game: a game has a bound for all joins, which nobody shall use up alone


def account_of(ledger: Ledger, signed: SignedAct) -> int:
    """The account that the key is registered with, which holds no seat of this game and may sit at this one."""
    keyed = sa.select(Account).join(AccountKey, AccountKey.account_id == Account.id)
    found = ledger.session.scalar(keyed.where(AccountKey.kid == signed.jws.kid))
    if found is None:
        raise Problem("unregistered-key", kid=signed.jws.kid)
    held = ledger.session.scalar(sa.select(Seat.seat).where(*_in(ledger, Seat, found.id)))
    if held is not None:
        raise Problem("already-seated", seat=held)
    _check_bot(ledger, signed, found)
    _check_kept(ledger, signed.act.seat, found.id)
    return found.id


def _check_bot(ledger: Ledger, signed: SignedAct, account: Account) -> None:
    if signed.act.bot != account.bot:
        raise Problem("wrong-bot", found=signed.act.bot, expected=account.bot)
    if account.bot and not (ledger.game.bots == "any" or (ledger.game.bots == "house" and account.level is not None)):
        raise Problem("no-bots", bots=ledger.game.bots)
    if account.owner_id is not None:
        _check_tables(ledger, account.id)
    if not ledger.game.related:
        _check_relations(ledger, account)


def _check_tables(ledger: Ledger, account_id: int) -> None:
    live = sa.select(sa.func.count()).select_from(Seat).join(Game, Game.id == Seat.game_id)
    held = live.where(Seat.account_id == account_id, Game.status.in_(("lobby", "running")))
    if (ledger.session.scalar(held) or 0) >= MOST_TABLES:
        raise Problem("too-many-tables", most=MOST_TABLES)


def _check_relations(ledger: Ledger, account: Account) -> None:
    """House players have no owner, and the owner of a person is he himself."""
    owner = account.owner_id if account.bot else account.id
    if owner is None:
        return
    same = sa.or_(Account.owner_id == owner, Account.id == owner)
    beside = sa.select(Seat.seat).join(Account, Account.id == Seat.account_id)
    held = ledger.session.scalar(beside.where(Seat.game_id == ledger.game.id, same))
    if held is not None:
        raise Problem("same-owner", seat=held)


def _check_kept(ledger: Ledger, seat: int, account_id: int) -> None:
    kept = invitations.kept_for(ledger.session, ledger.game.id, seat, ledger.services.now())
    if kept not in (None, account_id):
        raise Problem("seat-kept", seat=seat)


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
