"""Metrics of the notifications that this process sends."""

from __future__ import annotations

import sqlalchemy as sa
from prometheus_client import Counter, Gauge, Histogram
from sqlalchemy.orm import Session

from server.kernel.db.models import PushMessage, PushSubscription
from workers.push.leases import ENDED, LATER, PushResult

TRIES = Counter(
    "sealedmove_push_tries_total",
    "Requests to push services: `taken`, `ended` (404 or 410), `later` (429), `refused` by another status, or why "
    "there was no answer; `fault` is an error here.",
    ("result",),
)
SECONDS = Histogram("sealedmove_push_seconds", "Duration of a request to a push service.")
WAITING = Gauge("sealedmove_push_waiting", "Notifications that wait to be sent.")
DEVICES = Gauge("sealedmove_push_devices", "Devices that get notifications.")


def count(done: PushResult, seconds: float) -> None:
    """One attempt."""
    TRIES.labels(_result(done)).inc()
    SECONDS.observe(seconds)


def _result(done: PushResult) -> str:
    if done.status is None:
        return done.untrue or done.error or "none"
    named = {**dict.fromkeys(ENDED, "ended"), LATER: "later"}
    return "taken" if done.is_taken else named.get(done.status, "refused")


def measure(session: Session) -> None:
    """The figures from the rows; the same in every process."""
    waits = PushMessage.state.in_(("waiting", "leased"))
    WAITING.set(session.scalar(sa.select(sa.func.count()).where(waits).select_from(PushMessage)) or 0)
    DEVICES.set(session.scalar(sa.select(sa.func.count()).select_from(PushSubscription)) or 0)
