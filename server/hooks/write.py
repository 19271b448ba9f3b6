"""Webhooks of an account: make, change, delete and test them, and repeat deliveries.

Each use case locks the webhook's row, as the sending process does, so that neither sees the other's work half done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import canonical
from server.hooks import numbering, urls
from server.hooks.read import PING, RESET
from server.http import credentials
from server.http.credentials import Principal
from server.kernel import quarantine, secrets
from server.kernel.db.models import Account, AccountEvent, Hook, HookAnswer, HookDelivery
from server.kernel.db.session import locked
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.tables import guests, limits

FORMER = timedelta(days=1)  # for how long the former secret also signs
WAITING = ("waiting", "leased")
HOOKS, DELIVERIES = quarantine.Loop("hooks", Hook.id), quarantine.Loop("deliveries", HookDelivery.id)


@dataclass(frozen=True, slots=True)
class HookRequest:
    """A webhook as its owner wants it. `kinds`: None means all, including future ones."""

    url: str
    name: str
    kinds: Sequence[str] | None = None
    signature: str = "v1"


def create(services: Services, principal: Principal, requested: HookRequest) -> tuple[int, str]:
    """Make a webhook that gets events from now on; returns its id, and what its receiver verifies with."""
    url, r, account_id = urls.parse(requested.url), services.random(16), principal.account_id
    numbering.number(services.database, [account_id])  # those before it are not for this webhook
    with services.database.write() as session:
        limits.check(services, session, account_id, "hooks")
        credentials.check_in_force(services, session, principal)
        account = session.get_one(Account, account_id, populate_existing=True)  # locked now, with its latest event
        guests.check_is_none(account)
        hook = Hook(
            account_id=account_id,
            name=requested.name,
            url=str(url),
            host=url.host,
            kinds=_joined(requested.kinds),
            signature=requested.signature,
            secret_r=r,
            cursor=account.events,
            created_at=services.now(),
        )
        session.add(hook)
        session.flush()
    return hook.id, _secret_of(services, hook)


def change(services: Services, account_id: int, hook_id: int, given: Mapping[str, Any]) -> None:
    """Change URL, kinds or name; pause it for its owner, or resume it."""
    url = urls.parse(given["url"]) if "url" in given else None
    with services.database.write() as session:
        hook = _own_hook(session, account_id, hook_id)
        if url is not None:
            hook.url, hook.host = str(url), url.host
        if "kinds" in given:
            hook.kinds = _joined(given["kinds"])
        hook.name = given.get("name", hook.name)
        if "paused" in given and given["paused"] != (hook.paused is not None):
            _pause(services, hook) if given["paused"] else _resume(services, session, hook)


def delete(services: Services, account_id: int, hook_id: int) -> None:
    """Delete it with its history. A request under way still arrives, nothing after it."""
    with services.database.write() as session:
        _own_hook(session, account_id, hook_id)
        _delete(session, Hook.id == hook_id)


def delete_all(session: Session, account_id: int) -> None:
    """Delete every webhook of an account that is being erased, in its transaction."""
    _delete(session, Hook.account_id == account_id)


def rotate(services: Services, account_id: int, hook_id: int) -> str:
    """Replace the secret; returns what the receiver verifies with from now on. Both secrets sign for a day."""
    with services.database.write() as session:
        hook = _own_hook(session, account_id, hook_id)
        hook.former_r, hook.former_until = hook.secret_r, services.now() + FORMER
        hook.secret_r = services.random(16)
    return _secret_of(services, hook)


def ping(services: Services, account_id: int, hook_id: int) -> int:
    """Send a test message; returns the delivery's id. Only one can wait at a time."""
    now = services.now()
    with services.database.write() as session:
        hook = _own_hook(session, account_id, hook_id)
        _check_running(hook)
        waits = (HookDelivery.hook_id == hook_id, HookDelivery.lane == PING, HookDelivery.state.in_(WAITING))
        if (waiting := session.scalar(sa.select(HookDelivery.id).where(*waits))) is not None:
            raise Problem("ping-waits", delivery=waiting)
        body = {"n": None, "kind": PING, "hook": hook_id, "at": canonical.instant(int(now.timestamp()))}
        row = HookDelivery(hook_id=hook_id, lane=PING, kind=PING, body=_json(body), **_at_once(now), created_at=now)
        session.add(row)
        session.flush()
    return row.id


def replay(services: Services, account_id: int, hook_id: int, delivery_id: int) -> None:
    """Send one delivery again with the same message id. One that waits is tried at once."""
    with services.database.write() as session:
        _check_running(_own_hook(session, account_id, hook_id))
        ours = (HookDelivery.hook_id == hook_id, HookDelivery.id == delivery_id)
        if session.scalar(sa.select(HookDelivery.id).where(*ours)) is None:
            raise Problem("not-found")
        _again(services, session, *ours)


def replay_since(services: Services, account_id: int, hook_id: int, n: int) -> int:
    """Send again every stored event from number `n` of the wanted kinds; returns the number of the first."""
    kept = sa.select(sa.func.min(AccountEvent.n)).where(AccountEvent.account_id == account_id, AccountEvent.n >= n)
    with services.database.write() as session:
        hook = _own_hook(session, account_id, hook_id)
        _check_running(hook)
        first = session.scalar(kept)
        if first is None:
            raise Problem("no-such-event", found=n)
        wanted = sa.true() if hook.kinds is None else HookDelivery.kind.in_([RESET, *hook.kinds.split()])
        _again(services, session, HookDelivery.hook_id == hook_id, HookDelivery.n >= first, wanted)
        hook.cursor = min(hook.cursor, first - 1)
    return first


def _again(services: Services, session: Session, *which: sa.ColumnElement[bool]) -> None:
    """Queue them again, except leased ones, which are on their way."""
    free = sa.update(HookDelivery).where(*which, HookDelivery.state != "leased")
    session.execute(free.values(**_at_once(services.now()), reason=None, ended_at=None))


def _at_once(now: Any) -> dict[str, Any]:
    return {"state": "waiting", "attempts": 0, "next_at": now}


def _pause(services: Services, hook: Hook) -> None:
    hook.paused, hook.paused_at = "owner", services.now()


def _resume(services: Services, session: Session, hook: Hook) -> None:
    """Send all waiting deliveries from the oldest on; newer ones follow."""
    hook.paused = hook.paused_at = hook.failing_since = None
    waiting = sa.update(HookDelivery).where(HookDelivery.hook_id == hook.id, HookDelivery.state == "waiting")
    session.execute(waiting.values(attempts=0, next_at=services.now()))


def _own_hook(session: Session, account_id: int, hook_id: int) -> Hook:
    return locked(session, sa.select(Hook).where(Hook.id == hook_id, Hook.account_id == account_id))


def _check_running(hook: Hook) -> None:
    if hook.paused is not None:
        raise Problem("hook-paused", found=hook.paused)


def _delete(session: Session, which: sa.ColumnElement[bool]) -> None:
    session.execute(sa.select(Hook.id).where(which).order_by(Hook.id).with_for_update())  # before their deliveries
    hooks = sa.select(Hook.id).where(which)
    deliveries = sa.select(HookDelivery.id).where(HookDelivery.hook_id.in_(hooks))
    HOOKS.remove(session, hooks)
    DELIVERIES.remove(session, deliveries)
    session.execute(sa.delete(HookAnswer).where(HookAnswer.delivery_id.in_(deliveries)))
    session.execute(sa.delete(HookDelivery).where(HookDelivery.hook_id.in_(hooks)))
    session.execute(sa.delete(Hook).where(which))


def _secret_of(services: Services, hook: Hook) -> str:
    secret = secrets.hook_secret(services.master, hook.secret_r)
    return secrets.shown_hook_secret(hook.signature, secret)


def _joined(kinds: Sequence[str] | None) -> str | None:
    return None if kinds is None else " ".join(sorted(set(kinds)))


def _json(body: dict[str, Any]) -> str:
    return msgspec.json.encode(body).decode()
