"""`sealedmove clock`: the sweeper and the deadlines, every few seconds. May run many times on many hosts."""

from __future__ import annotations

import signal
from collections.abc import Callable

import click

from server import start
from server.logs import configure, log
from workers import stopping
from workers.context import use
from workers.deadlines import tick
from workers.digests import gather, settle
from workers.judge import sweep_audits
from workers.queues import Pace, Shop, open_shop
from workers.reminders import remind_early
from workers.sweeper import sweep
from workers.waiting import carry_out


@click.command()
@click.option("--every", default=5.0, show_default=True, help="Seconds between two rounds.")
@click.option("--pause", default=Pace().pause, show_default=True, help="Seconds until who has moved is asked again.")
def main(every: float, pause: int) -> None:
    """Sweep the outbox, keep the deadlines, and do what has waited for seven days."""
    shop = use(open_shop(start.checked(), pace=Pace(pause=pause)))
    configure(shop.services.settings.log_level)
    stop = stopping.on_signals(signal.SIGTERM, signal.SIGINT)
    log.info("clock-started", every=every)
    while not stop.is_set():
        round_of(shop)
        stop.wait(every)
    shop.services.database.dispose()


def round_of(shop: Shop) -> None:
    """One round. What fails is logged by its type and tried again in the next round."""
    for part in (tick, remind_early, gather, settle, sweep, sweep_audits, carry_out):
        _try(part, shop)


def _try(part: Callable[[Shop], None], shop: Shop) -> None:
    try:
        part(shop)
    except Exception as fault:  # noqa: BLE001 - the clock must go on; the database may be back in the next round
        log.error("round-failed", part=part.__name__, error=type(fault).__name__)
