"""Outages: time in which no web worker answered, so that nobody could move. It is given back to everybody.

Each web worker beats every half minute by a write. Whichever beats after a gap of more than five minutes writes the
outage in the same transaction. While the last beat is older than that, or an outage is not applied to all tables yet,
the clock plays for nobody.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import quarantine
from server.kernel.db.models import Beat, Game, Outage, Seat
from server.kernel.services import Services
from server.log.ledger import open_for_writing

EVERY = 30.0  # seconds between two beats
GAP = timedelta(minutes=5)
MAILED = timedelta(hours=1)  # only the next mail reports a shorter outage
LOOP = quarantine.Loop("outages", Game.id)
WEB = "web"


def beat(services: Services) -> bool:
    """A web worker is alive now; whether an outage has just ended."""
    now = services.now().replace(microsecond=0)
    if _is_fresh(services, now):
        return False
    with services.database.write() as session:
        first = services.database.insert(Beat).values(kind=WEB, at=now).on_conflict_do_nothing()
        session.execute(first)
        last = session.scalars(sa.select(Beat).where(Beat.kind == WEB).with_for_update()).one()
        was_away = now - last.at > GAP
        if was_away:
            session.add(Outage(starts_at=last.at, ends_at=now))
        last.at = max(last.at, now)
    return was_away


def _is_fresh(services: Services, now: datetime) -> bool:
    """Has another worker just written? One beat is enough for all."""
    with services.database.read() as session:
        last = session.scalar(sa.select(Beat.at).where(Beat.kind == WEB))
    return last is not None and timedelta(0) <= now - last < timedelta(seconds=EVERY / 2)


def may_play(session: Session, now: datetime) -> bool:
    """May the clock play default moves? Not while no web worker answers, nor before an outage is given back."""
    last = session.scalar(sa.select(Beat.at).where(Beat.kind == WEB))
    if last is not None and now - last > GAP:
        return False
    return session.scalar(sa.select(Outage.id).where(Outage.applied_at.is_(None)).limit(1)) is None


def unapplied() -> sa.Select[int]:
    """Outages that the tables have not been given back yet."""
    return sa.select(Outage.id).where(Outage.applied_at.is_(None)).order_by(Outage.id)


def apply(services: Services, number: int) -> None:
    """Move the deadlines of every stretch that the outage met. It may be called again at any time."""
    with services.database.read() as session:
        one = session.get(Outage, number)
        if one is None or one.applied_at is not None:
            return
        met = (Game.status == "running", Seat.deadline.is_not(None), Seat.active_since < one.ends_at)
        games = sa.select(Seat.game_id).distinct().join(Game, Game.id == Seat.game_id).where(*met)
        found = session.scalars(games.order_by(Seat.game_id)).all()
    mails = one.ends_at - one.starts_at >= MAILED
    for game in found:  # one that fails holds up nobody: its clock computes the deadline again before it plays
        quarantine.attempt(services, LOOP, game, partial(_give_back, services, game, mails))
    with services.database.write() as session:
        session.execute(sa.update(Outage).where(Outage.id == number).values(applied_at=services.now()))


def _give_back(services: Services, game: str, mails: bool) -> None:
    with open_for_writing(services, game) as ledger:
        ledger.recount(mails=mails)
