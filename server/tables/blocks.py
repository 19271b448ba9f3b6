"""Blocks between players: an account that has blocked another, or was blocked by it, stays away from its tables.

The answer does not show which of the two has blocked the other. Bots count as the person who is responsible for them.
Running games go on.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Account, Block, Game, Seat
from server.kernel.errors import Problem

LIVE = ("lobby", "running")


def apart(account_id: int | sa.ScalarSelect[int]) -> sa.CompoundSelect[Any]:
    """The accounts that this one has blocked, and those that have blocked it."""
    blocked = sa.select(Block.about_id).where(Block.account_id == account_id)
    return sa.union_all(blocked, sa.select(Block.account_id).where(Block.about_id == account_id))


def apart_with_bots(account: Account) -> sa.CompoundSelect[Any]:
    """The accounts from which whoever is responsible for this one stays away, and the bots of those."""
    return _with_bots(account.owner_id or account.id)


def _with_bots(person: int | sa.ScalarSelect[int]) -> sa.CompoundSelect[Any]:
    others = sa.select(apart(person).subquery())
    return sa.union_all(others, sa.select(Account.id).where(Account.owner_id.in_(others)))


def check(session: Session, game: Any, account: Account) -> None:
    """Raise Problem if the account may not sit at this table because of its host or of a player there."""
    whose = sa.func.coalesce(Account.owner_id, Account.id)
    here = sa.select(Seat.account_id).where(Seat.game_id == game.id)
    people = sa.select(whose).where(sa.or_(Account.id == game.host_id, Account.id.in_(here)))
    if session.scalar(people.where(whose.in_(apart(account.owner_id or account.id))).limit(1)) is not None:
        raise Problem("not-for-you")


def is_hidden(reader: int) -> sa.ColumnElement[bool]:
    """Tables that are hidden from a reader: live ones of a host or a player from whom they stay away."""
    whose = sa.select(sa.func.coalesce(Account.owner_id, Account.id)).where(Account.id == reader).scalar_subquery()
    others = _with_bots(whose)
    theirs = sa.select(Seat.game_id).where(Seat.account_id.in_(others))
    host = sa.func.coalesce(Game.host_id, 0)  # nobody
    return sa.and_(Game.status.in_(LIVE), sa.or_(host.in_(others), Game.id.in_(theirs)))
