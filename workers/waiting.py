"""Carries out waiting acts once their seven days are over, and ends guests who have not moved for thirty.

`server.accounts.waiting_acts` checks each act again under the lock of its row, so this may run anywhere, late, or in
parallel; if a process dies, the next round finds the act unchanged.
"""

from __future__ import annotations

from functools import partial

from server.accounts import waiting_act_effects, waiting_acts
from server.accounts.guests import write as guests
from server.kernel import quarantine
from server.kernel.db.models import WaitingAct
from workers.queues import WorkerContext

MOST = 200
LOOP = quarantine.Loop("waiting", WaitingAct.id)


def carry_out(ctx: WorkerContext) -> None:
    """Carry out the acts that are due; one that fails does not hold up the others."""
    act = partial(waiting_act_effects.carry_out, ctx.services)
    quarantine.process(ctx.services, LOOP, waiting_acts.due(ctx.services.now()), MOST, act)


def end_guests(ctx: WorkerContext) -> None:
    """End the guests whose time is over."""
    guests.end_idle(ctx.services)
