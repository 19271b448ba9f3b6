"""The things that wait for an account at its tables, as conditions on the rows of a list.

A list is ordered by them and reads them in the same statement, however many tables there are. Its rows are of `Game`,
joined with the account's `Seat` or with the `Place` that is kept for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa

from server.kernel.db.models import Account, Consent, Game, Place, Seat
from server.tables.after.consents import LASTS
from server.tables.talk import read as talk

Where = sa.ColumnElement[bool]
WAITS = ("move", "rematch", "invitation", "cancel", "pause", "ready", "offer", "talk")  # the most urgent first
_other = sa.orm.aliased(Seat)


def owes() -> Where:
    """Does the account owe a move?"""
    return sa.and_(Game.status == "running", Seat.question_seq.is_not(None))


def conditions(account_id: int, now: datetime) -> Mapping[str, Where]:
    """By their words, the things that may wait at a table."""
    return {
        "move": sa.and_(owes(), Game.faulted_at.is_(None), Game.missing_since.is_(None)),
        "rematch": _is_kept("rematch"),
        "invitation": sa.or_(_is_kept("person"), _is_kept("house")),
        "cancel": _is_asked(account_id, "cancel", now),
        "pause": _is_asked(account_id, "pause", now),
        "ready": _may_start(account_id),
        "offer": sa.and_(Game.status == "running", Seat.open.is_(True)),
        "talk": talk.is_unseen(account_id, now),
    }


def _is_kept(kind: str) -> Where:
    return sa.and_(Seat.seat.is_(None), Place.kind == kind)


def _is_asked(account_id: int, what: str, now: datetime) -> Where:
    """Have other players wished this, and is this one asked and has not answered? (`after.consents`)

    A wish ends when a seat changes hands.
    """
    wished = sa.exists().where(Consent.game_id == Game.id, Consent.what == what, Consent.at > now - LASTS)
    mine = wished.where(Consent.account_id == account_id, Consent.since_seq == Seat.since_seq).correlate(Game, Seat)
    is_asked = sa.and_(Game.status == "running", Seat.resigned.is_(False), sa.not_(_is_bot(account_id)))
    return sa.and_(is_asked, wished.correlate(Game), sa.not_(mine))


def _is_bot(account_id: int) -> Where:
    return sa.exists().where(Account.id == account_id, Account.bot)


def _may_start(account_id: int) -> Where:
    """Are all seats taken, and does the table wait until this player is ready?"""
    taken = sa.select(sa.func.count()).where(_other.game_id == Game.id).correlate(Game).scalar_subquery()
    waits = (Game.status == "lobby", Game.start == "ready", Seat.ready.is_(False), taken == Game.seats)
    return sa.and_(*waits, sa.not_(_is_bot(account_id)))
