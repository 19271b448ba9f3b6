"""The end of seven days: what was asked for without a signature, and was not cancelled, is done by the clock.

What happens is the use case's, which looks once more under the lock of the act's row: so this runs anywhere, late, and
beside itself, and after a kill the next round finds the act as it was.
"""

from __future__ import annotations

from server.accounts import waiting_act_effects, waiting_acts
from server.kernel.logs import log
from workers.queues import WorkerContext


def carry_out(ctx: WorkerContext) -> None:
    """What is due now. One that cannot be done holds up no other."""
    for number in waiting_acts.due(ctx.services):
        try:
            waiting_act_effects.carry_out(ctx.services, number)
        except Exception as fault:  # noqa: BLE001 - told to the operator; the next round tries again
            log.error("waiting-failed", act=number, error=type(fault).__name__)
