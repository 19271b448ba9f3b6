"""Hooks and what was sent to them, for their owner."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.db.models import Hook, HookAnswer, HookDelivery
from server.errors import Problem
from server.services import Services
from server.usecases.hooks import PING, RESET, message_id
from server.wording import iso


def listed(services: Services, account_id: int) -> list[dict[str, Any]]:
    """All of an account's, the oldest first."""
    with services.database.read() as session:
        mine = sa.select(Hook).where(Hook.account_id == account_id).order_by(Hook.id)
        return [_shown(hook) for hook in session.scalars(mine)]


def shown(services: Services, account_id: int, hook_id: int) -> dict[str, Any]:
    with services.database.read() as session:
        return _shown(_own(session, account_id, hook_id))


def deliveries(
    services: Services, account_id: int, hook_id: int, *, after: int | None = None, limit: int = 50
) -> dict[str, Any]:
    """Newest first; `next` continues the list."""
    with services.database.read() as session:
        _own(session, account_id, hook_id)
        asked = sa.select(HookDelivery).where(HookDelivery.hook_id == hook_id).order_by(HookDelivery.id.desc())
        asked = asked.where(HookDelivery.id < after) if after is not None else asked
        rows = list(session.scalars(asked.limit(limit + 1)))
        made = _with_answers(session, rows[:limit])
    return {"deliveries": made, "next": made[-1]["id"] if len(rows) > limit else None}


def delivery(services: Services, account_id: int, hook_id: int, delivery_id: int) -> dict[str, Any]:
    """One of them."""
    with services.database.read() as session:
        _own(session, account_id, hook_id)
        row = session.get(HookDelivery, delivery_id)
        if row is None or row.hook_id != hook_id:
            raise Problem("not-found")
        return _with_answers(session, [row])[0]


def _own(session: Session, account_id: int, hook_id: int) -> Hook:
    hook = session.get(Hook, hook_id)
    if hook is None or hook.account_id != account_id:
        raise Problem("not-found")
    return hook


def _shown(hook: Hook) -> dict[str, Any]:
    moments = ("created_at", "last_used_at", "failing_since", "paused_at", "former_until")
    return {
        "id": hook.id,
        "url": hook.url,
        "name": hook.name,
        "kinds": None if hook.kinds is None else hook.kinds.split(),
        "signature": hook.signature,
        "paused": hook.paused,
        "cursor": hook.cursor,
        **{name: _moment(getattr(hook, name)) for name in moments},
    }


def _with_answers(session: Session, rows: list[HookDelivery]) -> list[dict[str, Any]]:
    asked = sa.select(HookAnswer).where(HookAnswer.delivery_id.in_([row.id for row in rows])).order_by(HookAnswer.id)
    answers: dict[int, list[dict[str, Any]]] = {}
    for one in session.scalars(asked):
        told = {"at": iso(one.at), "status": one.status, "error": one.error, "ms": one.ms}
        answers.setdefault(one.delivery_id, []).append(told)
    return [_delivery(row, answers.get(row.id, [])) for row in rows]


def _delivery(row: HookDelivery, answers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": row.id,
        "message": message_id(row),
        "n": row.n,
        "kind": row.kind,
        "game": None if row.lane in (PING, RESET) else row.lane,
        "seat": row.seat,
        "state": row.state,
        "created_at": iso(row.created_at),
        "next_at": iso(row.next_at) if row.state == "waiting" else None,
        "answers": answers,
    }


def _moment(at: datetime | None) -> str | None:
    return None if at is None else iso(at)
