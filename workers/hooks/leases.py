"""Leases of deliveries: choose the ones to send now, check them again right before sending, and store the results.

A delivery is sent when none before it in its lane is waiting or being sent. Its lease is one conditional UPDATE under
the lock of its webhook, so only one of two processes sends it. The leases of a process that dies expire. If it dies
after the answer and before the result is stored, the message is sent again under the same id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session, aliased

from server.hooks.read import PING, RESET, message_id
from server.hooks.write import DELIVERIES
from server.kernel import secrets as kernel_secrets
from server.kernel.db.models import Account, FormerHolder, Hook, HookAnswer, HookDelivery, Seat
from server.log.outbox import BESIDE_SEATS, LOST_SEAT
from workers.dispatch import PlannedMail, notify
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.hooks.open_requests import OpenRequests
from workers.queues import WorkerContext

LOOKED_AT = 400  # due rows in a round
GONE = 410  # Standard Webhooks: the receiver wants no more deliveries


@dataclass(frozen=True, slots=True)
class LeasedDelivery:
    """A leased delivery with everything that its request needs. `attempts` identifies the lease.

    SQLite may give the number of a deleted delivery to a later one, which has another `created_at`.
    """

    id: int
    hook_id: int
    account_id: int
    url: str = field(repr=False)  # its path may be a password
    host: str
    message: str
    lane: str
    kind: str
    seat: int | None
    body: bytes
    attempts: int
    created_at: datetime
    signature: str
    secrets: tuple[bytes, ...] = field(repr=False)
    request: str | None


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """The result of an attempt: a status, or a word for why it is missing; `untrue` if nothing was sent."""

    sending: LeasedDelivery
    at: datetime
    ms: int
    status: int | None = None
    error: str | None = None
    untrue: str | None = None

    @property
    def is_taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def candidates(session: Session, busy: OpenRequests, now: datetime, passed: Sequence[int] = ()) -> list[Any]:
    """Due deliveries where there is room, the longest due first: id, webhook, host, whether it is failing."""
    hooks, hosts = busy.full()
    asked = sa.select(HookDelivery.id, Hook.id, Hook.host, Hook.failing_since.is_not(None))
    asked = asked.join(Hook, Hook.id == HookDelivery.hook_id).join(Account, Account.id == Hook.account_id)
    room = (Hook.id.not_in([*hooks, *passed]), Hook.host.not_in(hosts))
    running = (Hook.paused.is_(None), Account.erased_at.is_(None))
    due = asked.where(*room, *running, *_is_first_and_due(now), DELIVERIES.is_free(now)).order_by(
        HookDelivery.next_at, HookDelivery.id
    )
    return list(session.execute(due.limit(LOOKED_AT)))


def _is_first_and_due(now: datetime) -> tuple[sa.ColumnElement[bool], ...]:
    waiting = sa.and_(HookDelivery.state == "waiting", HookDelivery.next_at <= now)
    abandoned = sa.and_(HookDelivery.state == "leased", HookDelivery.lease_until <= now)
    other = aliased(HookDelivery)
    before = sa.or_(other.n < HookDelivery.n, sa.and_(HookDelivery.n.is_(None), other.id < HookDelivery.id))
    holds = sa.or_(
        sa.and_(other.state.in_(("waiting", "leased")), before),
        sa.and_(other.state == "leased", other.lease_until > now),
    )
    lane = (other.hook_id == HookDelivery.hook_id, other.lane == HookDelivery.lane, other.id != HookDelivery.id)
    return sa.or_(waiting, abandoned), ~sa.exists(sa.select(other.id).where(*lane, holds))


def lease(
    ctx: WorkerContext, session: Session, chosen: Mapping[int, int], policy: DeliveryPolicy
) -> list[LeasedDelivery]:
    """Lease the chosen deliveries that are still due, ready to be sent."""
    now = ctx.services.now()
    hooks = sa.select(Hook).where(Hook.id.in_(set(chosen.values())), Hook.paused.is_(None)).order_by(Hook.id)
    ours = {hook.id: hook for hook in session.scalars(hooks.with_for_update(skip_locked=True))}
    wanted = [number for number, hook in chosen.items() if hook in ours]
    claim = sa.update(HookDelivery).where(HookDelivery.id.in_(wanted), *_is_first_and_due(now))
    leased = {"state": "leased", "lease_until": now + timedelta(seconds=policy.lease)}
    claim = claim.values(**leased, attempts=HookDelivery.attempts + 1).execution_options(synchronize_session=False)
    rows = list(session.scalars(claim.returning(HookDelivery)))
    return [_sending(ctx, ours[row.hook_id], row, now) for row in rows]


def _sending(ctx: WorkerContext, hook: Hook, row: HookDelivery, now: datetime) -> LeasedDelivery:
    former = hook.former_r if hook.former_until is not None and hook.former_until > now else None
    master = ctx.services.master
    return LeasedDelivery(
        id=row.id,
        hook_id=hook.id,
        account_id=hook.account_id,
        url=hook.url,
        host=hook.host,
        message=message_id(row),
        lane=row.lane,
        kind=row.kind,
        seat=row.seat,
        body=row.body.encode(),
        attempts=row.attempts,
        created_at=row.created_at,
        signature=hook.signature,
        secrets=tuple(kernel_secrets.hook_secret(master, r) for r in (hook.secret_r, former) if r is not None),
        request=row.request_id,
    )


def why_not(session: Session, sending: LeasedDelivery) -> str | None:
    """Check once connected: a word if this must no longer be sent."""
    held = sa.select(Hook.paused, Hook.url, Account.erased_at).join(Account, Account.id == Hook.account_id)
    hook = session.execute(held.where(Hook.id == sending.hook_id)).one_or_none()
    if hook is None or hook.erased_at is not None:
        return "hook-gone"
    if hook.paused is not None or hook.url != sending.url:
        return "not-now"
    is_due = sending.lane in (PING, RESET) or sending.kind in BESIDE_SEATS or _holds_seat(session, sending)
    return None if is_due else "seat-left"


def _holds_seat(session: Session, sending: LeasedDelivery) -> bool:
    """Return whether the account holds the seat. The notice that it was lost goes to the former holder instead."""
    if sending.kind in LOST_SEAT:
        had = (FormerHolder.game_id == sending.lane, FormerHolder.account_id == sending.account_id)
        return session.scalar(sa.select(FormerHolder.until_seq).where(*had).limit(1)) is not None
    held = (Seat.game_id == sending.lane, Seat.seat == sending.seat, Seat.account_id == sending.account_id)
    return session.scalar(sa.select(Seat.seat).where(*held)) is not None


def store_results(
    ctx: WorkerContext, session: Session, dones: Sequence[DeliveryResult], policy: DeliveryPolicy
) -> None:
    """Store the results while the lease is still ours. A delivered message is stored as delivered in any case."""
    hooks = sa.select(Hook.id).where(Hook.id.in_({done.sending.hook_id for done in dones})).order_by(Hook.id)
    session.execute(hooks.with_for_update())  # first, like every writer of deliveries
    for done in dones:
        _note(ctx, session, done, policy)


def _note(ctx: WorkerContext, session: Session, done: DeliveryResult, policy: DeliveryPolicy) -> None:
    if done.untrue is not None:
        _note_untrue(ctx, session, done)
    elif done.is_taken:
        _note_taken(session, done)
    else:
        _note_failed(ctx, session, done, policy)


def _note_untrue(ctx: WorkerContext, session: Session, done: DeliveryResult) -> None:
    """`not-now`: the webhook changed, so the delivery waits for its new settings."""
    if done.untrue == "not-now":
        _end(session, done, ours=True, state="waiting", attempts=done.sending.attempts - 1, next_at=done.at)
    else:
        _end(session, done, ours=True, state="dropped", reason=done.untrue, ended_at=ctx.services.now())


def _note_taken(session: Session, done: DeliveryResult) -> None:
    if not _end(session, done, ours=False, state="delivered", reason=None, ended_at=done.at):
        return
    _answered(session, done)
    taken = sa.update(Hook).where(Hook.id == done.sending.hook_id)
    session.execute(taken.values(last_used_at=done.at, failing_since=None))
    if done.sending.attempts > 1:
        _set_lane(session, done.sending, done.at)


def _note_failed(ctx: WorkerContext, session: Session, done: DeliveryResult, policy: DeliveryPolicy) -> None:
    chance = int.from_bytes(ctx.services.random(2), "big") / 65535
    wait = None if done.sending.kind == PING else policy.wait(done.sending.attempts, chance)
    next_at = done.at + timedelta(seconds=wait or 0)
    given_up = {"state": "failed", "reason": "given-up", "ended_at": done.at}
    if not _end(session, done, ours=True, **(given_up if wait is None else {"state": "waiting", "next_at": next_at})):
        return
    _answered(session, done)
    _set_lane(session, done.sending, next_at)
    _note_trouble(ctx, session, done, policy)


def _note_trouble(ctx: WorkerContext, session: Session, done: DeliveryResult, policy: DeliveryPolicy) -> None:
    """Mark the webhook as failing. If it has failed for too long or answered 410, pause it and mail its owner."""
    hook = session.get(Hook, done.sending.hook_id)
    assert hook is not None  # the delivery was there, in this transaction
    hook.last_used_at = done.at
    if done.sending.kind != PING:  # a ping tests the hook, and starts no count of days
        hook.failing_since = hook.failing_since or done.at
    since = done.at - (hook.failing_since or done.at)
    if hook.paused is None and (done.status == GONE or since >= policy.pause_after):
        hook.paused, hook.paused_at = "gone" if done.status == GONE else "failing", done.at
        whose = session.get_one(Account, hook.account_id)
        told = PlannedMail(
            "paused", account_id=whose.owner_id or whose.id, hook_id=hook.id, at=int(done.at.timestamp())
        )
        notify(session, ctx, told, done.at)  # the sweeper dispatches it: it is not urgent


def _set_lane(session: Session, sending: LeasedDelivery, at: datetime) -> None:
    """Deliveries behind it become due when it does."""
    behind = (HookDelivery.hook_id == sending.hook_id, HookDelivery.lane == sending.lane)
    session.execute(sa.update(HookDelivery).where(*behind, HookDelivery.state == "waiting").values(next_at=at))


def _end(session: Session, done: DeliveryResult, *, ours: bool, **values: Any) -> bool:
    sending = done.sending
    lease = (HookDelivery.state == "leased", HookDelivery.attempts == sending.attempts) if ours else ()
    same = (HookDelivery.id == sending.id, HookDelivery.created_at == sending.created_at)
    ended = sa.update(HookDelivery).where(*same, *lease).values(lease_until=None, **values)
    return session.scalar(ended.returning(HookDelivery.id)) is not None


def _answered(session: Session, done: DeliveryResult) -> None:
    answer = {"delivery_id": done.sending.id, "at": done.at, "status": done.status, "error": done.error, "ms": done.ms}
    session.execute(sa.insert(HookAnswer).values(answer))
