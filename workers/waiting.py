"""Carries out waiting acts once their seven days are over.

`server.accounts.waiting_acts` checks each act again under the lock of its row, so this may run anywhere, late, or in
parallel; if a process dies, the next round finds the act unchanged.
"""

from __future__ import annotations

from server.accounts import waiting_act_effects, waiting_acts
from server.kernel.logs import log
from workers.queues import WorkerContext


def carry_out(ctx: WorkerContext) -> None:
    """Carry out the acts that are due; one that fails does not hold up the others."""
    for number in waiting_acts.due(ctx.services):
        try:
            waiting_act_effects.carry_out(ctx.services, number)
        except Exception as fault:  # noqa: BLE001 - told to the operator; the next round tries again
            log.error("waiting-failed", act=number, error=type(fault).__name__)
