"""Tables that do not start, places that have run out and wishes to cancel a game, by the clock.

Each verb of `server.tables` looks again under each game's lock, so this may run anywhere, late and twice.
"""

from __future__ import annotations

from functools import partial

from server.kernel import quarantine
from server.kernel.db.models import Consent, Game
from server.tables.after import consents
from server.tables.hosting import write
from server.tables.invitations.write import close_old
from workers.queues import WorkerContext

MOST = 200
WARNINGS = quarantine.Loop("endings", Game.id)
WISHES = quarantine.Loop("wishes", Consent.game_id)
ENDS = quarantine.Loop("unstarted", Game.id)


def end_unstarted(ctx: WorkerContext) -> None:
    """Warn the hosts of tables that end soon, cancel those whose time is over, settle what has waited for a week."""
    services, now = ctx.services, ctx.services.now()
    quarantine.process(services, WARNINGS, write.ending(now), MOST, partial(write.warn, services))
    close_old(services)
    quarantine.process(services, WISHES, consents.due(now), MOST, partial(consents.settle, services))
    quarantine.process(services, ENDS, write.ended(now), MOST, partial(write.end_unstarted, services))
