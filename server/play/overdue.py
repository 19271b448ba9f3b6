"""Seats whose time is up: the clock plays for them, and its lag is measured by them.

House players that owe a move or an answer to a reservation: how late they are shows whether their process runs.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import registry
from server.kernel import quarantine
from server.kernel.db.models import IN_FORCE, Account, Game, Place, Seat

GOING = (Game.faulted_at.is_(None), Game.missing_since.is_(None))  # a stopped game's clock stands still
A_SEAT = Seat.game_id + " " + sa.cast(Seat.seat, sa.String)
CLOCK = quarantine.Loop("clock", A_SEAT)


def overdue(now: datetime) -> sa.Select[str, int]:
    """Seats whose deadline has passed, the longest first, in games whose rules are installed here.

    The others are named when a process starts.
    """
    seats = sa.select(Seat.game_id, Seat.seat).join(Game, Game.id == Seat.game_id)
    return seats.where(Seat.deadline <= now, Game.status == "running", *_going_here()).order_by(Seat.deadline)


def _going_here() -> tuple[sa.ColumnElement[bool], ...]:
    """The game goes on, by rules that are installed here."""
    return *GOING, has_rules()


def has_rules() -> sa.ColumnElement[bool]:
    """The game's rules are installed here, in its version."""
    installed = (
        sa.and_(Game.type == key, Game.rules.between(*game.meta.rules)) for key, game in registry.games().items()
    )
    return sa.or_(sa.false(), *installed)


def lag(session: Session, now: datetime) -> float:
    """Seconds by which the clock is behind: since the oldest deadline that it has not played and not set aside."""
    oldest = session.scalar(CLOCK.new(overdue(now)).with_only_columns(Seat.deadline).limit(1))
    return 0.0 if oldest is None else (now - oldest).total_seconds()


class OwedAnswers(NamedTuple):
    """How many answers house players owe, and when the oldest became due."""

    number: int
    since: datetime | None


def owed_by_house(session: Session) -> dict[str, OwedAnswers]:
    """The moves that house players owe, and the reserved seats that they have not taken."""
    owes = (Game.status == "running", Seat.question_seq.is_not(None), *_going_here())
    moves = sa.select(sa.func.count(), sa.func.min(Seat.active_since)).join(Game, Game.id == Seat.game_id)
    moves = moves.join(Account, Account.id == Seat.account_id).where(Account.level.is_not(None), *IN_FORCE, *owes)
    seats = sa.select(sa.func.count(), sa.func.min(Place.made_at)).join(Game, Game.id == Place.game_id)
    seats = seats.where(
        Place.kind == "house", Place.state == "asked", Game.status.in_(("lobby", "running")), *_going_here()
    )
    return {"move": OwedAnswers(*session.execute(moves).one()), "seat": OwedAnswers(*session.execute(seats).one())}
