"""The clocks of the games: a reminder when four fifths of a move's time are gone, and `expired` at the deadline.

What happens at a deadline is the use case's, which asks the log once more under the game's lock: a move that was
logged before wins, and of two clocks one. So this module may run anywhere, late, and twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.db.models import Game, Seat
from server.logs import log
from server.usecases.expire import expire
from workers.dispatch import News, notify
from workers.queues import Shop, enqueue

LEFT_TENTHS = 2  # of the move's time, when the reminder goes out
MOST = 200


def tick(shop: Shop) -> None:
    """Remind who is late, then play for who is too late. A seat that comes due meanwhile is the next tick's."""
    enqueue(shop.queue(), remind(shop))
    for game_id, seat in overdue(shop):
        _expire(shop, game_id, seat)


def _expire(shop: Shop, game_id: str, seat: int) -> None:
    """One game that cannot go on holds up no other."""
    try:
        expire(shop.services, game_id, seat)
    except Exception as fault:  # noqa: BLE001 - told to the operator; the other games' clocks go on
        log.error("clock-failed", game=game_id, seat=seat, error=type(fault).__name__)


def overdue(shop: Shop) -> list[tuple[str, int]]:
    """Seats whose deadline has passed, the longest first; a stopped game's clock stands still."""
    late = (
        sa.select(Seat.game_id, Seat.seat)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.deadline <= shop.services.now(), Game.status == "running", Game.faulted_at.is_(None))
        .order_by(Seat.deadline)
        .limit(MOST)
    )
    with shop.services.database.read() as session:
        return [(game_id, seat) for game_id, seat in session.execute(late)]


def remind(shop: Shop) -> list[int]:
    """The reminders written now, each question's once."""
    now = shop.services.now()
    if not _any_late(shop, now):
        return []
    with shop.services.database.write() as session:
        made = []
        for seat in _late(session, now):
            seat.reminded_seq = seat.question_seq
            news = News("reminder", seat.game_id, seat.question_seq, seat.seat, seat.account_id)
            if not seat.muted and (number := notify(session, shop, news, now)) is not None:
                made.append(number)
    return made


def _any_late(shop: Shop, now: datetime) -> bool:
    """A look that holds up no writer: most ticks have nothing to do."""
    with shop.services.database.read() as session:
        return next(_late(session, now), None) is not None


def _late(session: Session, now: datetime) -> Iterator[Seat]:
    """Seats beyond four fifths of their time and before their deadline, not yet reminded of this question.

    One query for each pair of times that games are played with, since a deadline less a fraction is said differently
    on every back end, and so that the index on deadlines serves.
    """
    clocks = session.execute(
        sa.select(Game.clock_move, Game.clock_grace)
        .where(Game.status == "running", Game.clock_move.is_not(None), Game.faulted_at.is_(None))
        .distinct()
    )
    for move, grace in clocks.all():
        left = timedelta(seconds=(grace or 0) + (move or 0) * LEFT_TENTHS / 10)
        yield from session.scalars(
            sa.select(Seat)
            .join(Game, Game.id == Seat.game_id)
            .where(Game.status == "running", Game.clock_move == move, Game.clock_grace == grace)
            .where(Game.faulted_at.is_(None), Seat.deadline > now, Seat.deadline <= now + left)
            .where(Seat.account_id.is_not(None), Seat.reminded_seq.is_distinct_from(Seat.question_seq))
            .order_by(Seat.deadline)
            .limit(MOST)
        )
