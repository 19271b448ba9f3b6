"""Takes up work that the queue has lost, and deletes expired data.

Outbox rows are dispatched here directly, because this must work without Redis. Mails need no sweeping: workers poll
their rows. Everything is idempotent, so two sweepers may run at once.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from server.kernel import quarantine
from server.kernel.db.models import Outbox
from server.log.outbox import OUTBOX
from server.operate import retention
from workers.dispatch import dispatch_in
from workers.queues import WorkerContext

GRACE = timedelta(seconds=2)  # leave newer rows to the queue
MOST = 500


def sweep(ctx: WorkerContext) -> None:
    """Run one round; anything that fails is tried again in the next."""
    now = ctx.services.now()
    quarantine.process(ctx.services, OUTBOX, undispatched(now), MOST, lambda number: dispatch_in(ctx, number))
    quarantine.forget(ctx.services)
    retention.forget(ctx.services)


def undispatched(now: datetime) -> sa.Select[int]:
    """Outbox rows that are not dispatched yet, oldest first."""
    late = (Outbox.dispatched_at.is_(None), Outbox.created_at <= now - GRACE)
    return sa.select(Outbox.id).where(*late).order_by(Outbox.id)
