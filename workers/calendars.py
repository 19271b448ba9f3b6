"""Tables follow the calendars that have changed, if the process died that changed them.

The clock computes every deadline under the game's lock before it plays, so nothing depends on when this runs.
"""

from __future__ import annotations

from functools import partial

from server.kernel import quarantine
from server.kernel.db.models import Outage
from server.tables.calendar import holidays, outages
from workers.queues import WorkerContext

MOST = 200
OUTAGES = quarantine.Loop("outage", Outage.id)


def follow(ctx: WorkerContext) -> None:
    """Give outages back, and move the deadlines of tables whose players have announced or ended a holiday."""
    quarantine.process(ctx.services, OUTAGES, outages.unapplied(), MOST, partial(outages.apply, ctx.services))
    late = holidays.unapplied(ctx.services.now())
    quarantine.process(ctx.services, holidays.LOOP, late, MOST, partial(holidays.apply, ctx.services))
