"""`sealedmove hooks`: sends the events of accounts to their webhooks. May run many times on many hosts.

The requests run in one asyncio loop, so one that hangs only takes up its place. Each round stores the answers, makes
deliveries from new events, and leases those that are due. It polls the rows every second; Redis can wake it earlier.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import TypeVar

import click
import sqlalchemy as sa

from server.hooks import urls
from server.kernel import quarantine
from server.kernel.db.models import HookAnswer, HookDelivery
from server.kernel.logs import bind_request, configure, log
from server.operate import metrics_port, startup
from workers.errors import WorkerError
from workers.hooks import feed, leases, metrics, signing
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.hooks.http_client import DeliveryError, HookClient, Transport
from workers.hooks.leases import DeliveryResult, LeasedDelivery, OpenRequests
from workers.hooks.wakeups import listen
from workers.queues import WorkerContext, open_context

T = TypeVar("T")
TIDY, WATCH = timedelta(hours=1), timedelta(seconds=15)
ROUNDS = 8  # searches past webhooks without room, in one round
FORGET = 1000


class OutdatedDeliveryError(WorkerError):
    """The delivery must no longer be sent; the message is the reason."""


@click.command()
def main() -> None:
    """Send events to webhooks."""
    ctx = open_context(startup.checked_settings())
    configure(ctx.services.settings.log_level)
    metrics_port.start(ctx.services.settings, "hooks")
    run(ctx)


def run(ctx: WorkerContext, policy: DeliveryPolicy | None = None, transport: Transport | None = None) -> None:
    """Run until SIGTERM; open requests are then given time to finish."""
    logging.getLogger("httpcore").setLevel(logging.WARNING)  # it would print headers, which hold signatures
    asyncio.run(_serve_until_signal(ctx, policy or DeliveryPolicy(), transport or Transport()))
    ctx.services.database.dispose()


async def _serve_until_signal(ctx: WorkerContext, policy: DeliveryPolicy, transport: Transport) -> None:
    sender = HookSender(ctx, policy, transport)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, sender.stop)
    listening = listen(ctx.services.settings.redis_url, sender.wake_up)
    log.info("hooks-started")
    try:
        await sender.serve()
    finally:
        listening.cancel()
        await asyncio.wait([listening])


class HookSender:
    """The process's state: open requests, and answers that are not stored yet."""

    def __init__(self, ctx: WorkerContext, policy: DeliveryPolicy, transport: Transport) -> None:
        self.ctx, self.policy = ctx, policy
        self.busy = OpenRequests(policy)
        self._poster = HookClient(transport, policy.request, policy.most)
        self._threads = ThreadPoolExecutor(4, "database")
        self._tasks: set[asyncio.Task[None]] = set()
        self._done: list[DeliveryResult] = []
        self._awake = asyncio.Event()
        self._is_stopped = False
        self._fed = 0  # the webhook that was last given events
        self._tidied, self._watched = ctx.services.now() - TIDY, ctx.services.now() - WATCH

    def wake_up(self) -> None:
        """There may be something to do."""
        self._awake.set()

    def stop(self) -> None:
        self._is_stopped = True
        self._awake.set()

    async def serve(self) -> None:
        while not self._is_stopped:
            self._awake.clear()
            if not await self._try_round():
                await self._rest()
        await self._end()

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(self.policy.every):
                await self._awake.wait()
        except TimeoutError:
            return

    async def _try_round(self) -> bool:
        """Run one round; returns whether there was anything to do. Failures are logged by type and tried again."""
        try:
            return await self.round()
        except Exception as fault:  # noqa: BLE001 - the database may be back in a second
            log.error("round-failed", part="hooks", error=type(fault).__name__)
            return False

    async def round(self) -> bool:
        """Store answers, make deliveries, lease them, send them."""
        await self._note_done()
        leased, fed = await self._threaded(self._feed_and_lease)
        for one in leased:
            task = asyncio.create_task(self._send(one))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return bool(leased or fed)

    async def _note_done(self) -> None:
        """Store the answers, then free their places: a request is over only when its answer is stored."""
        done = list(self._done)
        if done:
            await self._threaded(lambda: self._note(done))
            del self._done[: len(done)]
        for one in done:
            self.busy.free(one.sending.hook_id, one.sending.host)

    async def _end(self) -> None:
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._note_done()
        await self._poster.aclose()
        self._threads.shutdown()

    # --- in threads, on the database ----------------------------------------------------------------------------------

    async def _threaded(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _feed_and_lease(self) -> tuple[list[LeasedDelivery], int]:
        late = feed.behind(self._fed)
        fed = quarantine.process(self.ctx.services, feed.LOOP, late, feed.MOST, self._feed)
        self._tidy()
        self._watch()
        return self._lease(), sum(fed)

    def _feed(self, hook: int) -> int:
        self._fed = hook
        return feed.feed(self.ctx, hook, self.policy)

    def _watch(self) -> None:
        """Read the metrics that only the rows have, now and then."""
        metrics.OPEN.set(self.busy.count)
        now = self.ctx.services.now()
        if now - self._watched >= WATCH:
            with self.ctx.services.database.read() as session:
                metrics.measure(session)
            self._watched = now

    def _note(self, done: list[DeliveryResult]) -> None:
        """Store all results in one transaction; if that fails, each alone, so that one cannot hold up the others."""
        try:
            self._store(done)
        except Exception:  # noqa: BLE001 - the one that failed is found, set aside and logged here
            for one in done:
                quarantine.attempt(self.ctx.services, leases.LOOP, one.sending.id, partial(self._store, [one]))

    def _store(self, done: list[DeliveryResult]) -> None:
        with self.ctx.services.database.write() as session:
            leases.note(self.ctx, session, done, self.policy)
        quarantine.release(self.ctx.services, leases.LOOP, [one.sending.id for one in done])

    def _lease(self) -> list[LeasedDelivery]:
        chosen = self._choose()
        if not chosen:
            return []
        hooks = {number: hook for number, (hook, _) in chosen.items()}
        got: list[LeasedDelivery] = []
        try:
            got = self._lease_each(hooks)
        finally:
            for number in chosen.keys() - {one.id for one in got}:
                self.busy.free(*chosen[number])
        return got

    def _lease_each(self, hooks: dict[int, int]) -> list[LeasedDelivery]:
        """All in one transaction; if that fails, each alone."""
        try:
            return self._lease_together(hooks)
        except Exception:  # noqa: BLE001 - the one that failed is found, set aside and logged here
            alone = {number: partial(self._lease_together, {number: hook}) for number, hook in hooks.items()}
            tried = [quarantine.attempt(self.ctx.services, leases.LOOP, *one) for one in alone.items()]
            return [one for done in tried for leased in done for one in leased]

    def _lease_together(self, hooks: dict[int, int]) -> list[LeasedDelivery]:
        with self.ctx.services.database.write() as session:
            return leases.lease(self.ctx, session, hooks, self.policy)

    def _choose(self) -> dict[int, tuple[int, str]]:
        """Deliveries that may start now, by webhook and host. One without room is skipped and does not block others."""
        chosen: dict[int, tuple[int, str]] = {}
        passed: set[int] = set()
        for _ in range(ROUNDS):
            with self.ctx.services.database.read() as session:
                rows = leases.candidates(session, self.busy, self.ctx.services.now(), sorted(passed))
            for number, hook, host, failing in rows:
                if number not in chosen and self.busy.take(hook, host, failing=failing):
                    chosen[number] = hook, host
                elif number not in chosen:
                    passed.add(hook)
            if len(rows) < leases.LOOKED_AT or self.busy.count >= self.policy.most:
                break
        return chosen

    def _tidy(self) -> None:
        """Forget old history, once in a while."""
        now = self.ctx.services.now()
        if now - self._tidied < TIDY:
            return
        old = sa.select(HookDelivery.id).where(HookDelivery.ended_at < now - self.policy.keep).limit(FORGET)
        with self.ctx.services.database.write() as session:
            numbers = list(session.scalars(old))
            session.execute(sa.delete(HookAnswer).where(HookAnswer.delivery_id.in_(numbers)))
            session.execute(sa.delete(HookDelivery).where(HookDelivery.id.in_(numbers)))
        self._tidied = now if len(numbers) < FORGET else self._tidied

    # --- one request --------------------------------------------------------------------------------------------------

    async def _send(self, sending: LeasedDelivery) -> None:
        bind_request(sending.request)  # a task has a context of its own
        begun = time.perf_counter()
        told: dict[str, int | str] = {}
        try:
            told["status"] = await self._post(sending)
        except OutdatedDeliveryError as reason:
            told["untrue"] = str(reason)
        except DeliveryError as reason:
            told["error"] = str(reason)
        except Exception as fault:  # noqa: BLE001 - one delivery; it is tried again like any that fails
            log.error("hook-fault", delivery=sending.id, error=type(fault).__name__)
            told["error"] = "fault"
        ms = round((time.perf_counter() - begun) * 1000)
        done = DeliveryResult(sending, self.ctx.services.now(), ms, **told)  # type: ignore[arg-type]  # one of three
        metrics.count(done)
        log.info("hook", hook=sending.hook_id, delivery=sending.id, attempt=sending.attempts, ms=ms, **told)
        self._done.append(done)
        self._awake.set()

    async def _post(self, sending: LeasedDelivery) -> int:
        async def check() -> None:
            reason = await self._threaded(lambda: self._why_not(sending))
            if reason is not None:
                raise OutdatedDeliveryError(reason)

        at = int(self.ctx.services.now().timestamp())
        headers = signing.headers(sending.message, at, sending.body, sending.signature, sending.secrets)
        if sending.request is not None:
            headers["x-request-id"] = sending.request
        return await self._poster.post(urls.parse(sending.url), headers, sending.body, check)

    def _why_not(self, sending: LeasedDelivery) -> str | None:
        with self.ctx.services.database.read() as session:
            return leases.why_not(session, sending)
