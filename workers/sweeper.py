"""Takes up work that the queue has lost, and deletes expired data.

Outbox rows are dispatched here directly, because this must work without Redis. Mails need no sweeping: workers poll
their rows. Everything is idempotent, so two sweepers may run at once.
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

GRACE = timedelta(seconds=2)  # leave newer rows to the queue
MOST = 500


def sweep(ctx: WorkerContext) -> None:
    """Run one round; anything that fails is tried again in the next."""
    now = ctx.services.now()
    for number in undispatched(ctx, now):
        _dispatch(ctx, number)
    forget_events(ctx.services)
    forget_mail(ctx.services)
    forget_reports(ctx.services)
    forget_sessions(ctx.services)


def _dispatch(ctx: WorkerContext, number: int) -> None:
    """Dispatch one row; a failure does not hold up the others."""
    try:
        dispatch_in(ctx, number)
    except Exception as fault:  # noqa: BLE001 - told to the operator, and tried again in the next round
        log.error("not-dispatched", outbox=number, error=type(fault).__name__)


def undispatched(ctx: WorkerContext, now: datetime) -> list[int]:
    """Outbox rows that are not dispatched yet, oldest first."""
    late = sa.select(Outbox.id).where(Outbox.dispatched_at.is_(None), Outbox.created_at <= now - GRACE)
    with ctx.services.database.read() as session:
        return list(session.scalars(late.order_by(Outbox.id).limit(MOST)))
