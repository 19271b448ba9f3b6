"""Metrics of the deliveries that this process sends."""

from __future__ import annotations

import sqlalchemy as sa
from prometheus_client import Counter, Gauge, Histogram
from sqlalchemy.orm import Session

from server.kernel.db.models import Hook, HookDelivery
from workers.hooks.leases import DeliveryResult

TRIES = Counter(
    "sealedmove_hook_tries_total",
    "Requests to webhooks: `taken`, `refused` by their status, or why there was no answer; `fault` is an error here.",
    ("result",),
)
SECONDS = Histogram("sealedmove_hook_seconds", "Duration of a request to a webhook.")
OPEN = Gauge("sealedmove_hook_requests_open", "Open requests to webhooks.")
WAITING = Gauge(
    "sealedmove_hook_waiting",
    "Waiting deliveries of webhooks that are not paused; many if there are too few processes.",
)
HOOKS = Gauge("sealedmove_hooks", "Webhooks that are `running`, `failing` or `paused`.", ("state",))


def count(done: DeliveryResult) -> None:
    """One attempt: `taken`, `refused` by its status, or the word for why there was no answer."""
    result = "taken" if done.is_taken else "refused" if done.status else done.untrue or done.error or "none"
    TRIES.labels(result).inc()
    SECONDS.observe(done.ms / 1000)


def measure(session: Session) -> None:
    """The figures from the rows; the same in every process."""
    waits = sa.select(sa.func.count()).join_from(HookDelivery, Hook, Hook.id == HookDelivery.hook_id)
    running = (Hook.paused.is_(None), HookDelivery.state.in_(("waiting", "leased")))
    WAITING.set(session.scalar(waits.where(*running)) or 0)
    state = sa.case((Hook.paused.is_not(None), "paused"), (Hook.failing_since.is_not(None), "failing"), else_="running")
    found = {row[0]: row[1] for row in session.execute(sa.select(state, sa.func.count()).group_by(state))}
    for name in ("running", "failing", "paused"):
        HOOKS.labels(name).set(found.get(name, 0))
