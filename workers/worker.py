"""`sealedmove worker`: runs jobs, sends mail, and reads incoming mail.

RQ's SimpleWorker runs each job in its own process, because a fork would cost more than the job
(docs/adr/workers-run-jobs-in-process.md). A timeout ends a job that hangs; the process supervisor replaces a worker
that dies, and its work is taken up when its leases end. There is one queue, since RQ loses a job if a worker on several
queues dies right after taking it. Mails, audits and analyses are not jobs: threads of the worker poll their rows.
"""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

import click
from redis import RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from server.kernel.config import ConfigError, Settings
from server.kernel.logs import log
from server.operate import metrics_port, startup
from workers.analyst import Analyst
from workers.auditor import Auditor
from workers.context import use
from workers.mail import signing
from workers.mail.mailer import Mailer
from workers.mail.render_pool import RenderPool
from workers.outage_log import OutageLog
from workers.queues import BACK_OFF, RetryPolicy, WorkerContext, open_context
from workers.replies.lanes import ReplyLanes

WORKER_TTL = 30
MAINTENANCE = 15
STOPS = (signal.SIGTERM, signal.SIGINT)
ALWAYS: dict[str, Any] = {"serializer": JSONSerializer, "log_job_description": False}
AGAIN = 5.0  # seconds until jobs are asked for again after Redis went away


@click.command()
@click.option(
    "--worker-ttl", default=WORKER_TTL, show_default=True, help="Seconds until a silent worker counts as dead."
)
@click.option("--maintenance-interval", default=MAINTENANCE, show_default=True, help="Seconds between clean-ups.")
@click.option(
    "--lease", default=RetryPolicy().lease, show_default=True, help="Seconds until a dead worker's mail is free."
)
@click.option("--back-off", default=",".join(map(str, BACK_OFF)), show_default=True, help="Seconds between attempts.")
@click.option(
    "--pause",
    default=RetryPolicy().pause,
    show_default=True,
    help="Seconds until the server checks again who has moved.",
)
@click.option("--burst", is_flag=True, help="Stop when the queue is empty.")
def main(worker_ttl: int, maintenance_interval: int, lease: int, back_off: str, pause: int, burst: bool) -> None:
    """Run the jobs of the queue."""
    pace = RetryPolicy(lease=lease, back_off=tuple(map(int, back_off.split(","))), pause=pause)
    opened = open_context(_signing(startup.checked_settings()), pace=pace)
    metrics_port.start(opened.services.settings, "worker")
    queue = _queue(opened, burst=burst)
    warm()
    pool = RenderPool()
    mailer = Mailer(replace(opened, draw=pool.draw))
    use(mailer.ctx)
    replies, auditor, analyst = ReplyLanes(mailer.ctx), Auditor(mailer.ctx), Analyst(mailer.ctx)
    _start(mailer, replies, auditor, analyst)
    times: dict[str, Any] = {"worker_ttl": worker_ttl, "maintenance_interval": maintenance_interval}
    made = partial(JobWorker, [queue], connection=queue.connection, **times, **ALWAYS)
    log.info("worker-started", queue=queue.name)
    try:
        with _told_by_signals():
            work(made, burst)
        if burst:
            replies.drain()
            mailer.drain()
    finally:
        _end([analyst, auditor, replies, mailer], pool, opened)


class JobWorker(SimpleWorker):
    """RQ's worker. The class remembers whether the process was told to stop, and what its log has of an outage."""

    is_told = False
    outage = OutageLog("queue-away", "queue-back")

    def subscribe(self) -> None:
        """Listen for commands: the last step of its start that needs Redis to take something."""
        super().subscribe()  # type: ignore[no-untyped-call]  # the library has no annotation here
        self.outage.note(None)

    def leave(self) -> None:
        """End its listener, which RQ leaves behind if Redis does not take the worker's end."""
        thread: Any = self.pubsub_thread
        if thread is not None:
            thread.stop()

    def request_stop(self, signum: Any, frame: Any) -> None:
        JobWorker.is_told = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # the library has no annotation here


def _start(*lanes: Analyst | Auditor | ReplyLanes | Mailer) -> None:
    """Start all lanes. A signal meanwhile lets the process end in order once they have started."""

    def stop_soon(*_: object) -> None:
        JobWorker.is_told = True

    for number in STOPS:
        signal.signal(number, stop_soon)
    for one in lanes:
        one.start()


def work(made: Callable[[], JobWorker], burst: bool) -> None:
    """Run jobs until told to stop. Without Redis this process stays, since it sends mail, and has no worker of RQ."""
    while not JobWorker.is_told:
        try:
            _run_one(made, burst=burst)
        except RedisError as error:
            JobWorker.outage.note(f"{type(error).__name__}: {error}")
        except StopRequested:
            return
        if burst or JobWorker.is_told:
            return
        try:
            time.sleep(AGAIN)
        except StopRequested:  # by the handler of signals that this RQ worker leaves behind
            return


def _run_one(made: Callable[[], JobWorker], *, burst: bool) -> None:
    """One worker of RQ, until it ends. RedisError if it cannot even be made."""
    one = made()
    try:
        one.work(burst=burst, logging_level=None)
    finally:
        one.leave()


@contextmanager
def _told_by_signals() -> Iterator[None]:
    """A signal ends the block in order, also before RQ's worker takes the signals over, which needs Redis."""

    def stop(*_: object) -> None:
        for number in STOPS:
            signal.signal(number, signal.SIG_IGN)  # a supervisor and its system may both send one
        raise StopRequested

    for number in STOPS:
        signal.signal(number, stop)
    with suppress(StopRequested):
        yield


def _queue(ctx: WorkerContext, *, burst: bool) -> Queue:
    """The queue. Jobs wait for Redis, beside the lanes, which need none; with `burst` nothing would run without it."""
    queue = ctx.queue()
    if queue is None:
        raise click.ClickException("a worker needs REDIS_URL; `make run` sets it")
    try:
        if burst:
            queue.connection.ping()
    except RedisError as no:
        raise click.ClickException(f"Redis does not answer at REDIS_URL: {no}") from None
    return queue


def _signing(settings: Settings) -> Settings:
    """Check at the start that mails can be signed; otherwise they would wait for days."""
    try:
        signing.of(settings)
    except ConfigError as no:
        raise click.ClickException(str(no)) from None
    return settings


def _end(lanes: Sequence[Analyst | Auditor | ReplyLanes | Mailer], pool: RenderPool, ctx: WorkerContext) -> None:
    """End in order, whatever comes: RQ lets a second signal, a second after the first, end the process at once."""
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)
    for one in lanes:
        one.stop()
    pool.close()
    ctx.services.database.dispose()


def warm() -> None:
    """Import what jobs name, so that the first one is as quick as the others."""
    for name in ("rq", "rq.worker"):  # six lines for each job; the second has a level of its own
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger().level))
    logging.getLogger("rq.worker").addFilter(_is_news)
    from workers import dispatch  # noqa: F401


def _is_news(record: logging.LogRecord) -> bool:
    """Whether to log it: a refusal of Redis, as when it is full, is a line of `work`, not a traceback of RQ."""
    return not (record.exc_info and isinstance(record.exc_info[1], RedisError))
