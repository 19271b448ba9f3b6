"""Leases of notifications: choose those that are due, make their requests, and store the results.

A lease is one conditional UPDATE, so only one of two processes sends a notification. If a process dies after the answer
and before the result is stored, the notification is sent again, and replaces itself on the device by its tag.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.hooks import urls
from server.hooks.push import read as subscriptions
from server.hooks.push import vapid
from server.kernel import quarantine, secrets
from server.kernel.db.models import PushMessage, PushSubscription
from server.tables import lists
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.hooks.open_requests import OpenRequests
from workers.push import encryption, facts
from workers.push.facts import OutdatedPushError, PostponedPushError
from workers.queues import WorkerContext

LOOP = quarantine.Loop("push", PushMessage.id)
LOOKED_AT = 100  # due rows in a round
TRIES = 8  # an hour with the waits of webhooks; the news is old by then, and a mail has come
ENDED = (404, 410)  # the subscription is no longer valid (RFC 8030, 7.3)
LATER = 429
LONGEST_PAUSE = timedelta(days=1)
USUAL_PAUSE = timedelta(minutes=10)
RANDOM = 40  # bytes of a message's own key


@dataclass(frozen=True, slots=True)
class LeasedPush:
    """A notification with everything that its request needs. `attempts` identifies the lease."""

    id: int
    device: int
    host: str
    url: urls.HookUrl = field(repr=False)  # with it and our key anybody could send to the browser
    headers: dict[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    attempts: int
    request: str | None


@dataclass(frozen=True, slots=True)
class PushResult:
    """The result of an attempt: a status, or a word for why it is missing; `untrue` if nothing was sent."""

    sending: LeasedPush
    at: datetime
    status: int | None = None
    retry_after: int | None = None
    error: str | None = None
    untrue: str | None = None

    @property
    def is_taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def due(session: Session, busy: OpenRequests, now: datetime) -> list[Any]:
    """Due notifications where there is room, the longest due first: id, subscription, host."""
    devices, hosts = busy.full()
    waiting = sa.and_(PushMessage.state == "waiting", PushMessage.next_at <= now)
    abandoned = sa.and_(PushMessage.state == "leased", PushMessage.lease_until <= now)
    asked = sa.select(PushMessage.id, PushSubscription.id, PushSubscription.host)
    asked = asked.join(PushSubscription, PushSubscription.id == PushMessage.subscription_id)
    room = PushSubscription.id.not_in(devices), PushSubscription.host.not_in(hosts)
    rested = sa.or_(PushSubscription.waits_until.is_(None), PushSubscription.waits_until <= now)
    asked = asked.where(sa.or_(waiting, abandoned), *room, rested, LOOP.is_free(now))
    return list(session.execute(asked.order_by(PushMessage.next_at, PushMessage.id).limit(LOOKED_AT)))


def lease(ctx: WorkerContext, session: Session, number: int, policy: DeliveryPolicy) -> LeasedPush | None:
    """Lease one that is still due, ready to be sent; None if it is not, or must not be sent now."""
    now = ctx.services.now()
    found = sa.select(PushMessage).where(PushMessage.id == number).with_for_update(skip_locked=True)
    row = session.scalar(found)
    if row is None or not _is_due(row, now):
        return None
    device = session.scalar(
        sa.select(PushSubscription).where(PushSubscription.id == row.subscription_id, subscriptions.in_force(now))
    )
    if device is None:
        _drop(row, "signed-out", now)
        return None
    if not _is_wanted(session, row, device, now):
        return None
    row.state, row.lease_until = "leased", now + timedelta(seconds=policy.lease)
    row.attempts += 1
    return _sending(ctx, session, row, device, now)


def _is_due(row: PushMessage, now: datetime) -> bool:
    at = row.next_at if row.state == "waiting" else row.lease_until if row.state == "leased" else None
    return at is not None and at <= now


def _is_wanted(session: Session, row: PushMessage, device: PushSubscription, now: datetime) -> bool:
    """Whether it is sent now; otherwise it is dropped, or waits."""
    try:
        facts.check(session, row, device, now)
    except OutdatedPushError as reason:
        _drop(row, str(reason), now)
        return False
    except PostponedPushError as wanted:
        row.state, row.next_at = "waiting", wanted.verdict.at or now
        return False
    return True


def _drop(row: PushMessage, reason: str, now: datetime) -> None:
    row.state, row.reason, row.ended_at, row.lease_until = "dropped", reason, now, None


def _sending(
    ctx: WorkerContext, session: Session, row: PushMessage, device: PushSubscription, now: datetime
) -> LeasedPush:
    services, url = ctx.services, urls.parse(device.endpoint)
    said = facts.text(row.kind, row.game_id, len(lists.owed(services, device.account_id)))
    key, salt = vapid.key_from(services.random(RANDOM)), services.random(encryption.SALT)
    return LeasedPush(
        id=row.id,
        device=device.id,
        host=device.host,
        url=url,
        headers={
            "authorization": vapid.header(vapid.server_key(services.master), f"https://{url.host}", _contact(ctx), now),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(facts.time_to_live(session, row, now)),
            "topic": secrets.push_topic(services.master, device.id, row.game_id),
            "urgency": "high" if row.kind in facts.QUESTIONS else "normal",
        },
        body=encryption.encrypt(said, device.p256dh, device.auth, salt, key),
        attempts=row.attempts,
        request=row.request_id,
    )


def _contact(ctx: WorkerContext) -> str:
    """How a push service reaches the operator (RFC 8292, 2.1)."""
    given = ctx.services.settings.contact or ctx.services.settings.public_url
    return f"mailto:{given}" if "@" in given and ":" not in given else given


def why_not(session: Session, sending: LeasedPush, now: datetime) -> str | None:
    """Check once connected: a word if this must no longer be sent."""
    ours = sa.select(PushMessage.id).join(PushSubscription, PushSubscription.id == PushMessage.subscription_id)
    lives = ours.where(PushMessage.id == sending.id, subscriptions.in_force(now))
    return None if session.scalar(lives) is not None else "signed-out"


def store_results(ctx: WorkerContext, session: Session, dones: Sequence[PushResult], policy: DeliveryPolicy) -> None:
    """Store the results, while the lease is still ours; one that was taken is stored in any case."""
    for done in sorted(dones, key=lambda done: done.sending.id):
        if done.untrue is not None:
            _end(session, done, ours=True, state="dropped", reason=done.untrue, ended_at=done.at)
        elif done.is_taken:
            _end(session, done, ours=False, state="sent", reason=None, ended_at=done.at)
            _of_device(session, done, last_used_at=done.at, waits_until=None)
        elif done.status in ENDED:
            forget(session, [done.sending.device])
        else:
            _note_failed(ctx, session, done, policy)


def _note_failed(ctx: WorkerContext, session: Session, done: PushResult, policy: DeliveryPolicy) -> None:
    """429 makes all notifications of this device wait, and does not count as an attempt."""
    if done.status == LATER:
        asked = USUAL_PAUSE if done.retry_after is None else timedelta(seconds=done.retry_after)
        until = done.at + max(timedelta(seconds=1), min(asked, LONGEST_PAUSE))
        _of_device(session, done, waits_until=until)
        _end(session, done, ours=True, state="waiting", next_at=until, attempts=done.sending.attempts - 1)
        return
    chance = int.from_bytes(ctx.services.random(2), "big") / 65535
    wait = policy.wait(done.sending.attempts, chance)
    if wait is None or done.sending.attempts >= TRIES:
        _end(session, done, ours=True, state="failed", reason="given-up", ended_at=done.at)
    else:
        _end(session, done, ours=True, state="waiting", next_at=done.at + timedelta(seconds=wait))


def forget(session: Session, devices: Collection[int]) -> None:
    """Delete subscriptions with their notifications."""
    session.execute(sa.delete(PushMessage).where(PushMessage.subscription_id.in_(devices)))
    session.execute(sa.delete(PushSubscription).where(PushSubscription.id.in_(devices)))


def _of_device(session: Session, done: PushResult, **values: Any) -> None:
    session.execute(sa.update(PushSubscription).where(PushSubscription.id == done.sending.device).values(**values))


def _end(session: Session, done: PushResult, *, ours: bool, **values: Any) -> None:
    sending = done.sending
    lease = (PushMessage.state == "leased", PushMessage.attempts == sending.attempts) if ours else ()
    session.execute(
        sa.update(PushMessage).where(PushMessage.id == sending.id, *lease).values(lease_until=None, **values)
    )
