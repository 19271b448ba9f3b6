"""`sealedmove hooks`: sends the events of accounts to their webhooks, and notifications to push services.

It may run many times on many hosts. Each round of webhooks stores the answers, makes deliveries from new events, and
leases those that are due. Nothing else of the server connects to addresses that users give.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from datetime import timedelta
from functools import partial

import click
import sqlalchemy as sa

from server.hooks import numbering, urls
from server.hooks.write import DELIVERIES, HOOKS
from server.kernel import quarantine
from server.kernel.db.models import HookAnswer, HookDelivery
from server.kernel.logs import bind_request, configure, log
from server.operate import metrics_port, startup
from workers.errors import WorkerError
from workers.hooks import feed, leases, metrics, signing
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.hooks.http_client import DeliveryError, Transport
from workers.hooks.leases import DeliveryResult, LeasedDelivery
from workers.hooks.loop import SendingLoop
from workers.hooks.wakeups import listen
from workers.push.sender import PushSender
from workers.queues import WorkerContext, open_context

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
    senders = HookSender(ctx, policy, transport), PushSender(ctx, policy, transport)

    def stop() -> None:
        for one in senders:
            one.stop()

    def wake_up() -> None:
        for one in senders:
            one.wake_up()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    listening = listen(ctx.services.settings.redis_url, wake_up)
    log.info("hooks-started")
    try:
        await asyncio.gather(*(one.serve() for one in senders))
    finally:
        await end(listening)


async def end(task: asyncio.Task[None], pause: float = 1.0) -> None:
    """Cancel it until it ends: a library that is just connecting may take a cancellation for a lost connection."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=pause)


class HookSender(SendingLoop[LeasedDelivery, DeliveryResult]):
    """The deliveries of webhooks."""

    part = "hooks"

    def __init__(self, ctx: WorkerContext, policy: DeliveryPolicy, transport: Transport) -> None:
        super().__init__(ctx, policy, transport)
        self._fed = 0  # the webhook that was last given events
        self._tidied, self._watched = ctx.services.now() - TIDY, ctx.services.now() - WATCH

    def _place(self, done: DeliveryResult) -> tuple[int, str]:
        return done.sending.hook_id, done.sending.host

    # --- in threads, on the database ----------------------------------------------------------------------------------

    def _prepare(self) -> tuple[list[LeasedDelivery], int]:
        numbering.number_hooked(self.ctx.services.database)
        late = feed.behind(self._fed)
        fed = quarantine.process(self.ctx.services, HOOKS, late, feed.MOST, self._feed)
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
                quarantine.attempt(self.ctx.services, DELIVERIES, one.sending.id, partial(self._store, [one]))

    def _store(self, done: list[DeliveryResult]) -> None:
        with self.ctx.services.database.write() as session:
            leases.store_results(self.ctx, session, done, self.policy)
        quarantine.release(self.ctx.services, DELIVERIES, [one.sending.id for one in done])

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
            tried = [quarantine.attempt(self.ctx.services, DELIVERIES, *one) for one in alone.items()]
            return [one for done in tried for leased in done for one in leased]

    def _lease_together(self, hooks: dict[int, int]) -> list[LeasedDelivery]:
        with self.ctx.services.database.write() as session:
            return leases.lease(self.ctx, session, hooks, self.policy)

    def _choose(self) -> dict[int, tuple[int, str]]:
        """Deliveries that may start now, by webhook and host. One without room is skipped and does not block others."""
        chosen: dict[int, tuple[int, str]] = {}
        try:
            self._choose_into(chosen)
        except BaseException:
            for place in chosen.values():
                self.busy.free(*place)
            raise
        return chosen

    def _choose_into(self, chosen: dict[int, tuple[int, str]]) -> None:
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
        self._ended(done)

    async def _post(self, sending: LeasedDelivery) -> int:
        async def check() -> None:
            reason = await self._threaded(lambda: self._why_not(sending))
            if reason is not None:
                raise OutdatedDeliveryError(reason)

        at = int(self.ctx.services.now().timestamp())
        headers = signing.headers(sending.message, at, sending.body, sending.signature, sending.secrets)
        if sending.request is not None:
            headers["x-request-id"] = sending.request
        return (await self._poster.post(urls.parse(sending.url), headers, sending.body, check)).status

    def _why_not(self, sending: LeasedDelivery) -> str | None:
        with self.ctx.services.database.read() as session:
            return leases.why_not(session, sending)
