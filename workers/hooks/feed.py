"""Makes deliveries from an account's events, in the order of their numbers.

The webhook's cursor moves in the transaction that inserts the rows, so only one of two processes inserts them, and a
process that dies has inserted all or none. The body is made here, so every attempt sends the same bytes.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.hooks import read as hooks
from server.hooks.read import RESET
from server.hooks.write import WAITING
from server.kernel.db.models import Account, AccountEvent, Hook, HookDelivery
from server.log.outbox import BESIDE_SEATS, LOST_SEAT
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.queues import WorkerContext

MOST = 20  # webhooks in a round
AT_ONCE = 50  # events of a webhook in a round, so that a long replay holds up nobody


def behind(after: int = 0) -> sa.Select[int]:
    """Webhooks with events that are not deliveries yet, in turn: those after this one come first."""
    late = sa.select(Hook.id).join(Account, Account.id == Hook.account_id)
    running = (Hook.paused.is_(None), Account.erased_at.is_(None), Account.events > Hook.cursor)
    return late.where(*running).order_by(Hook.id <= after, Hook.id)


def feed(ctx: WorkerContext, hook_id: int, policy: DeliveryPolicy) -> int:
    """Make the next deliveries of one webhook; returns their number."""
    with ctx.services.database.write() as session:
        running = sa.select(Hook).where(Hook.id == hook_id, Hook.paused.is_(None))
        hook = session.scalar(running.with_for_update(skip_locked=True))
        room = 0 if hook is None else policy.window - _waiting(session, hook_id)
        if hook is None or room <= 0:
            return 0
        now = ctx.services.now()
        page = hooks.events_after(session, hook.account_id, hook.cursor, min(room, AT_ONCE))
        told = [hooks.reset_event(page.last, now)] if page.reset else page.events
        made = [_insert(ctx, session, hook, event, now) for event in told if _is_wanted(hook, event)]
        hook.cursor = page.last
    return sum(made)


def _waiting(session: Session, hook_id: int) -> int:
    rows = sa.select(sa.func.count()).where(HookDelivery.hook_id == hook_id, HookDelivery.state.in_(WAITING))
    return session.scalar(rows) or 0


def _is_wanted(hook: Hook, event: dict[str, Any]) -> bool:
    return hook.kinds is None or event["kind"] == RESET or event["kind"] in hook.kinds.split()


def _insert(ctx: WorkerContext, session: Session, hook: Hook, event: dict[str, Any], now: datetime) -> int:
    """Returns 1, or 0 if it has a row already, because it waits or was sent again."""
    lane, seat = event.get("game", RESET), event.get("seat")
    lost = seat is None and event["kind"] not in (RESET, *LOST_SEAT, *BESIDE_SEATS)
    row = {
        "hook_id": hook.id,
        "n": event["n"],
        "lane": lane,
        "kind": event["kind"],
        "seat": seat,
        "body": msgspec.json.encode(event).decode(),
        "state": "dropped" if lost else "waiting",
        "reason": "seat-left" if lost else None,
        "attempts": 0,
        "next_at": max(now, _next_of(session, hook.id, lane) or now),
        "created_at": now,
        "ended_at": now if lost else None,
        "request_id": _request_of(hook, event),
    }
    made = ctx.services.database.insert(HookDelivery).values(row)
    made = made.on_conflict_do_nothing(index_elements=["hook_id", "n"])
    return len(session.scalars(made.returning(HookDelivery.id)).all())


def _request_of(hook: Hook, event: dict[str, Any]) -> sa.ScalarSelect[str | None]:
    """The request that the event comes of; the event does not contain it, since every reader gets the same event."""
    one = (AccountEvent.account_id == hook.account_id, AccountEvent.n == event["n"], AccountEvent.kind == event["kind"])
    return sa.select(AccountEvent.request_id).where(*one).scalar_subquery()


def _next_of(session: Session, hook_id: int, lane: str) -> datetime | None:
    """When the lane is tried next; earlier checks of the rows behind a failed one would find nothing to send."""
    ahead = (HookDelivery.hook_id == hook_id, HookDelivery.lane == lane, HookDelivery.state == "waiting")
    return session.scalar(sa.select(sa.func.max(HookDelivery.next_at)).where(*ahead))
