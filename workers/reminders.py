"""Reminders a chosen number of hours before each deadline; `deadlines` sends those at the usual time.

`mail_reminder` has one row per seat with its next reminder. It can be rebuilt: a seat without a row, because its
deadline is new or its reader changed the hours, gets one again. A reminder that fell due while no clock ran is sent
once when one runs: the mail's dedupe key has the hours and the number of the deadline.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import quarantine
from server.kernel.db.models import Game, MailChoice, MailException, MailReminder, Seat
from server.mailbox.choices import due, load_choices
from server.play.overdue import A_SEAT, GOING
from workers.deadlines import MOST, latest
from workers.dispatch import PlannedMail, notify
from workers.queues import WorkerContext

WAITING = (Game.status == "running", *GOING, Seat.remind_at.is_not(None))  # an absent seat has none
PLANS = quarantine.Loop("reminder-plans", A_SEAT)
MAILS = quarantine.Loop("reminder-mails", MailReminder.game_id + " " + sa.cast(MailReminder.seat, sa.String))


def remind_early(ctx: WorkerContext) -> None:
    """Plan reminders for new deadlines, then send those that are due."""
    plan(ctx)
    mail_due(ctx)


def plan(ctx: WorkerContext) -> int:
    """Add a row for each deadline that has none; returns how many."""
    now = ctx.services.now()
    unplanned = _unplanned(now).with_only_columns(Seat.game_id, Seat.seat)
    return len(quarantine.process(ctx.services, PLANS, unplanned, MOST, lambda *seat: _plan_seat(ctx, now, *seat)))


def _plan_seat(ctx: WorkerContext, now: datetime, game_id: str, number: int) -> None:
    with ctx.services.database.write() as session:
        seat = session.scalar(_unplanned(now).where(Seat.game_id == game_id, Seat.seat == number))
        if seat is not None:
            _plan(session, ctx, seat, now)


def _unplanned(now: datetime) -> sa.Select[Seat]:
    """Seats of players who chose hours, with a deadline that has no row yet."""
    here = sa.and_(MailException.account_id == Seat.account_id, MailException.game_id == Seat.game_id)
    planned = sa.and_(MailReminder.game_id == Seat.game_id, MailReminder.seat == Seat.seat)
    known = sa.and_(
        MailReminder.deadline_n.is_not_distinct_from(Seat.deadline_n),
        MailReminder.account_id.is_not_distinct_from(Seat.account_id),
    )
    return (
        sa.select(Seat)
        .join(Game, Game.id == Seat.game_id)
        .join(MailChoice, MailChoice.account_id == Seat.account_id, isouter=True)
        .join(MailException, here, isouter=True)
        .join(MailReminder, planned, isouter=True)
        .where(
            Seat.deadline > now, *WAITING, sa.func.coalesce(MailException.reminds, MailChoice.reminds), sa.not_(known)
        )
    )


def _plan(session: Session, ctx: WorkerContext, seat: Seat, now: datetime) -> None:
    """Plan the next reminder that was not sent yet; if several are overdue, only the last."""
    assert seat.account_id is not None
    wish = load_choices(session, seat.account_id, seat.game_id)
    since = max(filter(None, (seat.active_since, wish.since)))
    at, hours = due(wish.in_force.hours, since, _own(seat), now) or (None, None)
    row = {"account_id": seat.account_id, "deadline_n": seat.deadline_n, "hours": hours, "at": at}
    made = ctx.services.database.insert(MailReminder).values(game_id=seat.game_id, seat=seat.seat, **row)
    session.execute(made.on_conflict_do_update(index_elements=["game_id", "seat"], set_=row))


def mail_due(ctx: WorkerContext) -> list[int]:
    """Insert the mails of reminders that are due."""
    late = _due(ctx.services.now()).with_only_columns(MailReminder.game_id, MailReminder.seat)
    made = quarantine.process(ctx.services, MAILS, late, MOST, lambda *seat: _mail_seat(ctx, *seat))
    return [number for number in made if number is not None]


def _due(now: datetime) -> sa.Select[MailReminder]:
    marks = sa.select(MailReminder).join(Game, Game.id == MailReminder.game_id)
    return marks.where(MailReminder.at <= now, *GOING).order_by(MailReminder.at)


def _mail_seat(ctx: WorkerContext, game_id: str, seat: int) -> int | None:
    late = _due(ctx.services.now()).where(MailReminder.game_id == game_id, MailReminder.seat == seat)
    with ctx.services.database.write() as session:
        row = session.scalar(late.with_for_update(of=MailReminder, skip_locked=True))
        return None if row is None else _mail_due(session, ctx, row)


def _mail_due(session: Session, ctx: WorkerContext, row: MailReminder) -> int | None:
    """Insert the mail of one reminder if it still applies, then plan the next."""
    now, hours = ctx.services.now(), row.hours
    seat, game = session.get_one(Seat, (row.game_id, row.seat)), session.get_one(Game, row.game_id)
    row.at, row.hours = None, None
    if seat.account_id != row.account_id or seat.deadline_n != row.deadline_n or game.status != "running":
        return None
    if seat.deadline is None or seat.deadline <= now:
        return None
    _next(session, row, seat, now)
    about = seat.game_id, latest(seat), seat.seat, seat.account_id
    news = PlannedMail("reminder", *about, hours=hours, deadline_n=seat.deadline_n)
    return notify(session, ctx, news, now)


def _next(session: Session, row: MailReminder, seat: Seat, now: datetime) -> None:
    hours = load_choices(session, row.account_id, row.game_id).in_force.hours
    row.at, row.hours = due(hours, now, _own(seat), now) or (None, None)


def _own(seat: Seat) -> datetime:
    """When the seat's own time ends: mails never promise the grace period."""
    assert seat.own_until is not None
    return seat.own_until
