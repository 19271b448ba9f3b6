"""Sends notifications to push services, as a second loop of `sealedmove hooks`, with the same guarded requests."""

from __future__ import annotations

import time
from datetime import timedelta
from functools import partial
from typing import Any

import sqlalchemy as sa

from server.hooks.push import read as subscriptions
from server.kernel import quarantine
from server.kernel.db.models import PushMessage, PushSubscription
from server.kernel.logs import bind_request, log
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.hooks.http_client import DeliveryError, HttpAnswer, Transport
from workers.hooks.loop import SendingLoop
from workers.push import leases, metrics
from workers.push.facts import OutdatedPushError
from workers.push.leases import LeasedPush, PushResult
from workers.queues import WorkerContext

TIDY, WATCH = timedelta(hours=1), timedelta(seconds=15)
FORGET = 1000


class PushSender(SendingLoop[LeasedPush, PushResult]):
    """The notifications of devices."""

    part = "push"

    def __init__(self, ctx: WorkerContext, policy: DeliveryPolicy, transport: Transport) -> None:
        super().__init__(ctx, policy, transport)
        self._tidied, self._watched = ctx.services.now() - TIDY, ctx.services.now() - WATCH

    def _place(self, done: PushResult) -> tuple[int, str]:
        return done.sending.device, done.sending.host

    # --- in threads, on the database ----------------------------------------------------------------------------------

    def _prepare(self) -> tuple[list[LeasedPush], int]:
        self._tidy()
        self._watch()
        return self._lease(), 0

    def _lease(self) -> list[LeasedPush]:
        with self.ctx.services.database.read() as session:
            rows = leases.due(session, self.busy, self.ctx.services.now())
        leased: list[LeasedPush] = []
        for number, device, host in rows:
            if self.busy.take(device, host, failing=False):
                try:
                    got = self._lease_one(number)
                except Exception:
                    self.busy.free(device, host)
                    if leased:  # they are sent; the next round fails if the database is still away
                        break
                    raise
                leased += got
                if not got:
                    self.busy.free(device, host)
        return leased

    def _lease_one(self, number: int) -> list[LeasedPush]:
        """Each in a transaction of its own; one that fails is set aside and logged."""

        def work() -> LeasedPush | None:
            with self.ctx.services.database.write() as session:
                return leases.lease(self.ctx, session, number, self.policy)

        return [one for one in quarantine.attempt(self.ctx.services, leases.LOOP, number, work) if one is not None]

    def _note(self, done: list[PushResult]) -> None:
        """Store all results in one transaction; if that fails, each alone, so that one cannot hold up the others."""
        try:
            self._store(done)
        except Exception:  # noqa: BLE001 - the one that failed is found, set aside and logged here
            for one in done:
                quarantine.attempt(self.ctx.services, leases.LOOP, one.sending.id, partial(self._store, [one]))

    def _store(self, done: list[PushResult]) -> None:
        with self.ctx.services.database.write() as session:
            leases.store_results(self.ctx, session, done, self.policy)

    def _watch(self) -> None:
        """Read the metrics that only the rows have, now and then."""
        now = self.ctx.services.now()
        if now - self._watched >= WATCH:
            with self.ctx.services.database.read() as session:
                metrics.measure(session)
            self._watched = now

    def _tidy(self) -> None:
        """Forget old history, and subscriptions whose session or token has ended, once in a while."""
        now = self.ctx.services.now()
        if now - self._tidied < TIDY:
            return
        old = sa.select(PushMessage.id).where(PushMessage.ended_at < now - self.policy.keep).limit(FORGET)
        dead = sa.select(PushSubscription.id).where(sa.not_(subscriptions.in_force(now))).limit(FORGET)
        with self.ctx.services.database.write() as session:
            numbers, devices = list(session.scalars(old)), list(session.scalars(dead))
            session.execute(sa.delete(PushMessage).where(PushMessage.id.in_(numbers)))
            leases.forget(session, devices)
        self._tidied = now if max(len(numbers), len(devices)) < FORGET else self._tidied

    # --- one request --------------------------------------------------------------------------------------------------

    async def _send(self, one: LeasedPush) -> None:
        bind_request(one.request)  # a task has a context of its own
        begun = time.perf_counter()
        said: dict[str, Any] = {}
        try:
            answer = await self._post(one)
            said = {"status": answer.status, "retry_after": answer.retry_after}
        except OutdatedPushError as reason:
            said = {"untrue": str(reason)}
        except DeliveryError as reason:
            said = {"error": str(reason)}
        except Exception as fault:  # noqa: BLE001 - one notification; it is tried again like any that fails
            log.error("push-fault", message=one.id, error=type(fault).__name__)
            said = {"error": "fault"}
        done = PushResult(one, self.ctx.services.now(), **said)
        metrics.count(done, time.perf_counter() - begun)
        log.info("push", message=one.id, device=one.device, attempt=one.attempts, **said)
        self._ended(done)

    async def _post(self, one: LeasedPush) -> HttpAnswer:
        async def check() -> None:
            reason = await self._threaded(lambda: self._why_not(one))
            if reason is not None:
                raise OutdatedPushError(reason)

        return await self._poster.post(one.url, one.headers, one.body, check)

    def _why_not(self, one: LeasedPush) -> str | None:
        with self.ctx.services.database.read() as session:
            return leases.why_not(session, one, self.ctx.services.now())
