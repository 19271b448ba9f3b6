"""`sealedmove clock`: the sweeper and the deadlines, every few seconds. May run many times on many hosts."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import click
from prometheus_client import Gauge

from server.kernel.logs import configure, log
from server.operate import metrics_port, startup
from workers import stopping
from workers.calendars import follow
from workers.context import use
from workers.deadlines import resume_with_rules, stop_without_rules, tick
from workers.digests import gather, settle
from workers.errors import WorkerError
from workers.failure_log import FailureLog
from workers.lobbies import end_unstarted
from workers.queues import RetryPolicy, WorkerContext, open_context
from workers.reminders import remind_early
from workers.sweeper import sweep
from workers.waiting import carry_out, end_guests

MOST_AHEAD = timedelta(minutes=1)  # without a line in the log
IN_TIME = (follow, resume_with_rules, tick, remind_early, gather, settle, end_unstarted, carry_out, end_guests)
ROUND = Gauge("sealedmove_clock_round_timestamp_seconds", "When the last round of the clock ended.")


class ClockAheadError(WorkerError):
    """This machine's clock is ahead of that of the database, which all hosts share."""


@click.command()
@click.option("--every", default=5.0, show_default=True, help="Seconds between two rounds.")
@click.option(
    "--pause",
    default=RetryPolicy().pause,
    show_default=True,
    help="Seconds until the server checks again who has moved.",
)
def main(every: float, pause: int) -> None:
    """Sweep the outbox, play default moves at deadlines, and carry out requests that have waited seven days."""
    ctx = use(open_context(startup.checked_settings(), pace=RetryPolicy(pause=pause)))
    configure(ctx.services.settings.log_level)
    metrics_port.start(ctx.services.settings, "clock")
    stop, failures = stopping.on_signals(signal.SIGTERM, signal.SIGINT), FailureLog()
    log.info("clock-started", every=every)
    is_checked = False
    while not stop.is_set():
        is_checked = is_checked or _try(stop_without_rules, ctx, failures)
        round_of(ctx, failures, in_step)
        stop.wait(every)
    ctx.services.database.dispose()


def in_step(ctx: WorkerContext, failures: FailureLog) -> WorkerContext:
    """The same with a clock that is not ahead of the database's, nor moved when this machine's is set."""
    now = ctx.services.now()  # before the database is asked: an answer that takes long does not make us seem ahead
    with ctx.services.database.read() as session:
        there = ctx.services.database.time(session) or now
    begun = time.monotonic()
    if now - there > MOST_AHEAD:
        failures.note("clock", ClockAheadError())

    def passed() -> datetime:
        return (min(now, there) + timedelta(seconds=time.monotonic() - begun)).replace(microsecond=0)

    return replace(ctx, services=replace(ctx.services, now=passed))


def as_it_is(ctx: WorkerContext, _: FailureLog) -> WorkerContext:
    """With the clock that it has."""
    return ctx


def round_of(
    ctx: WorkerContext,
    failures: FailureLog | None = None,
    timed: Callable[[WorkerContext, FailureLog], WorkerContext] = as_it_is,
) -> None:
    """One round. What fails is logged by its type and tried again in the next round.

    What has its time goes by the clock of `timed`. The sweeper goes by this machine's: it takes up rows that the
    machine has written, perhaps with a date ahead.
    """
    noted = failures or FailureLog()

    def in_time(ctx: WorkerContext) -> None:
        by = timed(ctx, noted)
        for part in IN_TIME:
            _try(part, by, noted)

    for part in (in_time, sweep):
        _try(part, ctx, noted)
    ROUND.set_to_current_time()


def _try(part: Callable[[WorkerContext], None], ctx: WorkerContext, failures: FailureLog) -> bool:
    """Did it succeed?"""
    try:
        part(ctx)
    except Exception as fault:  # noqa: BLE001 - the clock must go on; the database may be back in the next round
        failures.note(part.__name__, fault)
        return False
    return True
