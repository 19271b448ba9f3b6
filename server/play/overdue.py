"""Seats whose time is up: the clock plays for them, and its lag is measured by them."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import registry
from server.kernel import quarantine
from server.kernel.db.models import Game, Seat

GOING = (Game.faulted_at.is_(None), Game.missing_since.is_(None))  # a stopped game's clock stands still
A_SEAT = Seat.game_id + " " + sa.cast(Seat.seat, sa.String)
CLOCK = quarantine.Loop("clock", A_SEAT)


def overdue(now: datetime) -> sa.Select[str, int]:
    """Seats whose deadline has passed, the longest first, in games whose rules are installed here.

    The others are named when a process starts.
    """
    installed = (
        sa.and_(Game.type == key, Game.rules.between(*game.meta.rules)) for key, game in registry.games().items()
    )
    return (
        sa.select(Seat.game_id, Seat.seat)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.deadline <= now, Game.status == "running", *GOING, sa.or_(sa.false(), *installed))
        .order_by(Seat.deadline)
    )


def lag(session: Session, now: datetime) -> float:
    """Seconds by which the clock is behind: since the oldest deadline that it has not played and not set aside."""
    oldest = session.scalar(CLOCK.new(overdue(now)).with_only_columns(Seat.deadline).limit(1))
    return 0.0 if oldest is None else (now - oldest).total_seconds()
