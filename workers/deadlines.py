"""The clocks of the games: a reminder when four fifths of a seat's time are gone, and `expired` at the deadline.

Both times are in the seat's row, as `engine.record.log.clock` computes them: a turn of several moves has one deadline
and one reminder, granted time postpones both, and an absent player has only the grace period and no reminder.

`server.play.write.expire` checks the log again under the game's lock: a move that was logged earlier wins, and only one
of two clocks logs the default move. So this module may run anywhere, late, and twice.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import registry
from server.kernel.db.models import Game, Seat
from server.kernel.logs import log
from server.log import outbox
from server.log.outbox import SeatEvent
from server.mailbox.choices import load_choices
from server.play.write import expire
from workers.dispatch import PlannedMail, notify
from workers.queues import WorkerContext

MOST = 200
GOING = (Game.faulted_at.is_(None), Game.missing_since.is_(None))  # a stopped game's clock stands still


def tick(ctx: WorkerContext) -> None:
    """Send due reminders, then play for seats whose time is over. Seats that become due meanwhile wait."""
    remind(ctx)
    for game_id, seat in overdue(ctx):
        _expire(ctx, game_id, seat)


def _expire(ctx: WorkerContext, game_id: str, seat: int) -> None:
    """Play for the due seats of one game. A failure does not affect other games."""
    try:
        expire(ctx.services, game_id, seat)
    except Exception as fault:  # noqa: BLE001 - told to the operator; the other games' clocks go on
        log.error("clock-failed", game=game_id, seat=seat, error=type(fault).__name__)


def overdue(ctx: WorkerContext) -> list[tuple[str, int]]:
    """Seats whose deadline has passed, the longest first, but for games whose rules are not installed here.

    Those are named when a process starts; here they must not take all the places.
    """
    late = (
        sa.select(Seat.game_id, Seat.seat, Game.type, Game.rules)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.deadline <= ctx.services.now(), Game.status == "running", *GOING)
        .order_by(Seat.deadline)
        .limit(MOST)
    )
    missing: set[tuple[str, int]] = set()
    while True:
        with ctx.services.database.read() as session:
            found = session.execute(late.where(sa.tuple_(Game.type, Game.rules).not_in(missing))).all()
        new = {(key, rules) for _, _, key, rules in found if not registry.has(key, rules)}
        if not new:
            return [(game_id, seat) for game_id, seat, _, _ in found]
        missing |= new


def remind(ctx: WorkerContext) -> list[int]:
    """Make the reminders: one for each deadline, unless its reader has chosen hours."""
    now = ctx.services.now()
    if not _any_late(ctx, now):
        return []
    with ctx.services.database.write() as session:
        # The games first, as every writer does; one that is being written is the next tick's.
        late = session.scalars(_late(now).with_for_update(of=Game, skip_locked=True)).all()
        made = [_remind(session, ctx, seat, now) for seat in late]
        session.flush()
        told = outbox.write_events_to(
            session, [(seat.account_id, _event(seat, now)) for seat in late if seat.account_id], now
        )
    ctx.services.waker.wake([], outbox.topics(told))
    return [number for number in made if number is not None]


def _remind(session: Session, ctx: WorkerContext, seat: Seat, now: datetime) -> int | None:
    """Remind players who want it at the usual time; those who chose hours are handled in `reminders`."""
    seat.reminded_seq = seat.deadline_seq
    if seat.account_id is None or load_choices(session, seat.account_id, seat.game_id).in_force.remind == "hours":
        return None
    return notify(session, ctx, PlannedMail("reminder", seat.game_id, latest(seat), seat.seat, seat.account_id), now)


def _event(seat: Seat, now: datetime) -> SeatEvent:
    return SeatEvent("reminder", seat.game_id, seat.seat, latest(seat), now, seat.deadline)


def latest(seat: Seat) -> int:
    """The last entry that changed the reminder: the holder, the question or the deadline."""
    return max(seat.question_seq or 0, seat.deadline_seq or 0, seat.since_seq)


def _any_late(ctx: WorkerContext, now: datetime) -> bool:
    """Check without blocking writers, since most rounds have nothing to do."""
    with ctx.services.database.read() as session:
        return session.scalar(_late(now).with_only_columns(Seat.seat).limit(1)) is not None


def _late(now: datetime) -> sa.Select[Seat]:
    """Seats that are still in time and have not been reminded of this deadline."""
    return (
        sa.select(Seat)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.remind_at <= now, Seat.deadline > now)
        .where(Game.status == "running", *GOING)
        .where(Seat.account_id.is_not(None), Seat.reminded_seq.is_distinct_from(Seat.deadline_seq))
        .order_by(Seat.deadline)
        .limit(MOST)
    )
