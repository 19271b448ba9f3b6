"""What was lost on the way is asked for again: rows are the truth, the queue is only the quick way.

Outbox rows are dispatched here, without the queue: that is a few rows in the database, and it must work while Redis
does not. Mails need nobody to ask, those that go out and those that came in.
Two sweepers at once do the same twice, and the second time nothing happens. What is kept for some weeks only goes here.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from server.kernel.db.models import Outbox
from server.kernel.logs import log
from server.mailbox.delivery_reports import forget_reports
from server.mailbox.inbound import forget_mail
from server.operate.retention import forget_events, forget_sessions
from workers.dispatch import dispatch_in
from workers.queues import WorkerContext

GRACE = timedelta(seconds=2)  # the quick way comes first
MOST = 500


def sweep(ctx: WorkerContext) -> None:
    """One round; the next one takes up what this one could not."""
    now = ctx.services.now()
    for number in undispatched(ctx, now):
        _dispatch(ctx, number)
    forget_events(ctx.services)
    forget_mail(ctx.services)
    forget_reports(ctx.services)
    forget_sessions(ctx.services)


def _dispatch(ctx: WorkerContext, number: int) -> None:
    """One that nobody can dispatch holds up no other."""
    try:
        dispatch_in(ctx, number)
    except Exception as fault:  # noqa: BLE001 - told to the operator, and tried again in the next round
        log.error("not-dispatched", outbox=number, error=type(fault).__name__)


def undispatched(ctx: WorkerContext, now: datetime) -> list[int]:
    """Outbox rows that nobody has taken up, oldest first."""
    late = sa.select(Outbox.id).where(Outbox.dispatched_at.is_(None), Outbox.created_at <= now - GRACE)
    with ctx.services.database.read() as session:
        return list(session.scalars(late.order_by(Outbox.id).limit(MOST)))
