"""The clocks of the games: a reminder when four fifths of a seat's time are gone, and `expired` at the deadline.

Both times are in the seat's row, as `server.log.kind` computes them: a turn of several moves has one deadline and one
reminder, granted time and rests postpone both, and an absent player has only the grace period and no reminder.

`server.play.write.expire` checks the log and the calendar again under the game's lock: a move that was logged earlier
wins, and only one of two clocks logs the default move. So this module may run anywhere, late, and twice.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import quarantine
from server.kernel.db.models import Game, Seat
from server.log import outbox
from server.log.outbox import SeatEvent
from server.mailbox.choices import load_choices
from server.play import missing_rules
from server.play.overdue import A_SEAT, CLOCK, GOING, overdue
from server.play.write import expire
from server.tables.calendar import outages
from workers.dispatch import PlannedMail, notify
from workers.errors import WorkerError
from workers.queues import WorkerContext

MOST = 200
REMINDERS = quarantine.Loop("reminders", A_SEAT)


class StillOverdueError(WorkerError):
    """The row of a seat has a deadline that has passed, and its log has not."""


def tick(ctx: WorkerContext) -> None:
    """Send due reminders, then play for seats whose time is over. Seats that become due meanwhile wait.

    All wait while no web worker answers, and until an outage has been given back.
    """
    remind(ctx)
    now = ctx.services.now()
    with ctx.services.database.read() as session:
        if not outages.may_play(session, now):
            return
    quarantine.process(ctx.services, CLOCK, overdue(now), MOST, lambda *seat: _expire(ctx, *seat))


def _expire(ctx: WorkerContext, game_id: str, seat: int) -> None:
    """Play for a due seat, unless another clock has."""
    if expire(ctx.services, game_id, seat):
        return
    late = overdue(ctx.services.now()).where(Seat.game_id == game_id, Seat.seat == seat)
    with ctx.services.database.read() as session:
        if session.execute(late).first() is not None:
            raise StillOverdueError


def stop_without_rules(ctx: WorkerContext) -> None:
    """Note since when the clock of games without rules stands still."""
    missing_rules.stop_games(ctx.services)


def resume_with_rules(ctx: WorkerContext) -> None:
    """Continue such games as soon as their rules are installed."""
    stopped, act = missing_rules.returned(), partial(missing_rules.resume, ctx.services)
    quarantine.process(ctx.services, missing_rules.RETURNED, stopped, MOST, act)


def remind(ctx: WorkerContext) -> list[int]:
    """Make the reminders: one for each deadline, unless its reader has chosen hours."""
    now = ctx.services.now()
    late = _late(now).with_only_columns(Seat.game_id, Seat.seat)
    made = quarantine.process(ctx.services, REMINDERS, late, MOST, lambda *seat: _remind_seat(ctx, now, *seat))
    ctx.services.waker.wake([], outbox.topics({account for _, told in made for account in told}))
    return [number for number, _ in made if number is not None]


def _remind_seat(ctx: WorkerContext, now: datetime, game_id: str, number: int) -> tuple[int | None, list[int]]:
    """The notification of the reminder, and the accounts that have an event; nothing if it is not due any more."""
    late = _late(now).where(Seat.game_id == game_id, Seat.seat == number)
    with ctx.services.database.write() as session:
        # The game first, as every writer does; one that is being written is the next tick's.
        seat = session.scalar(late.with_for_update(of=Game, skip_locked=True))
        if seat is None or seat.account_id is None:
            return None, []
        made = _remind(session, ctx, seat, now)
        session.flush()
        return made, outbox.write_events_to(session.connection(), [(seat.account_id, _event(seat, now))], now)


def _remind(session: Session, ctx: WorkerContext, seat: Seat, now: datetime) -> int | None:
    """Remind players who want it at the usual time; those who chose hours are handled in `reminders`."""
    seat.reminded_n = seat.deadline_n
    if seat.account_id is None or load_choices(session, seat.account_id, seat.game_id).in_force.remind == "hours":
        return None
    about = seat.game_id, latest(seat), seat.seat, seat.account_id
    return notify(session, ctx, PlannedMail("reminder", *about, deadline_n=seat.deadline_n), now)


def _event(seat: Seat, now: datetime) -> SeatEvent:
    return SeatEvent("reminder", seat.game_id, seat.seat, latest(seat), now, seat.deadline)


def latest(seat: Seat) -> int:
    """The last entry that changed what a mail about the seat's move is about: the holder or the question."""
    return max(seat.question_seq or 0, seat.since_seq)


def _late(now: datetime) -> sa.Select[Seat]:
    """Seats that are still in time and have not been reminded of this deadline."""
    return (
        sa.select(Seat)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.remind_at <= now, Seat.deadline > now)
        .where(Game.status == "running", *GOING)
        .where(Seat.account_id.is_not(None), Seat.reminded_n.is_distinct_from(Seat.deadline_n))
        .order_by(Seat.deadline)
    )
