"""The clocks of the games: a reminder when four fifths of a seat's time are gone, and `expired` at the deadline.

Both times stand in the seat's row, as the record's clock gives them (`engine.record.clock`): a turn in many pieces has
one time and one reminder, granted time moves both on, and who is absent has the grace alone and no reminder.

What happens at a deadline is the use case's, which asks the log once more under the game's lock: a move that was
logged before wins, and of two clocks one. So this module may run anywhere, late, and twice.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from server.db.models import Game, Seat
from server.logs import log
from server.usecases.expire import expire
from workers.dispatch import News, notify
from workers.queues import Shop, enqueue

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
    """The reminders written now, one for each deadline that the log has set."""
    now = shop.services.now()
    if not _any_late(shop, now):
        return []
    with shop.services.database.write() as session:
        made = []
        for seat in session.scalars(_late(now)).all():
            seat.reminded_seq = seat.deadline_seq
            news = News("reminder", seat.game_id, _latest(seat), seat.seat, seat.account_id)
            if not seat.muted and (number := notify(session, shop, news, now)) is not None:
                made.append(number)
    return made


def _latest(seat: Seat) -> int:
    """The last entry that changed what the reminder says: whose seat it is, what is asked, and until when."""
    return max(seat.question_seq or 0, seat.deadline_seq or 0, seat.since_seq)


def _any_late(shop: Shop, now: datetime) -> bool:
    """A look that holds up no writer: most ticks have nothing to do."""
    with shop.services.database.read() as session:
        return session.scalar(_late(now).with_only_columns(Seat.seat).limit(1)) is not None


def _late(now: datetime) -> sa.Select[Seat]:
    """Seats that are to be reminded and still in time, not yet reminded of this deadline."""
    return (
        sa.select(Seat)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.remind_at <= now, Seat.deadline > now)
        .where(Game.status == "running", Game.faulted_at.is_(None))
        .where(Seat.account_id.is_not(None), Seat.reminded_seq.is_distinct_from(Seat.deadline_seq))
        .order_by(Seat.deadline)
        .limit(MOST)
    )
