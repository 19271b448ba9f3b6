"""Subscriptions of an account, for their owner, and which of them are in force."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.hooks.push import vapid
from server.http.credentials import Principal, live_sessions, live_tokens
from server.kernel.db.models import Account, ApiToken, PushSubscription, WebSession
from server.kernel.services import Services
from server.kernel.text import iso


def shown(services: Services, principal: Principal) -> dict[str, Any]:
    """The key to subscribe with, None if this server sends no notifications; and the subscriptions, oldest first."""
    key = vapid.public_key(services.master) if services.settings.push_hosts else None
    with services.database.read() as session:
        rows = subscriptions(session, principal.account_id, services.now())
    return {"key": key, "subscriptions": [as_json(row, principal) for row in rows]}


def shown_one(services: Services, principal: Principal, number: int) -> dict[str, Any]:
    with services.database.read() as session:
        return as_json(session.get_one(PushSubscription, number), principal)


def subscriptions(session: Session, account_id: int, now: datetime) -> list[PushSubscription]:
    """Those in force, oldest first."""
    mine = sa.select(PushSubscription).where(PushSubscription.account_id == account_id, in_force(now))
    return list(session.scalars(mine.order_by(PushSubscription.id)))


def in_force(now: datetime) -> sa.ColumnElement[bool]:
    """The condition for subscriptions whose credential still counts, and whose account does."""
    session = sa.select(WebSession.id).join(Account, Account.id == WebSession.account_id)
    token = sa.select(ApiToken.id).join(Account, Account.id == ApiToken.account_id)
    here, there = WebSession.id == PushSubscription.session_id, ApiToken.id == PushSubscription.token_id
    return sa.or_(
        sa.exists(session.where(here, *live_sessions(now)).correlate(PushSubscription)),
        sa.exists(token.where(there, *live_tokens(now)).correlate(PushSubscription)),
    )


def as_json(row: PushSubscription, principal: Principal) -> dict[str, Any]:
    """For its owner; the endpoint is left out, since who has it and our key could send to the browser."""
    moments = ("created_at", "renewed_at", "last_used_at", "clicked_at")
    mine = principal.shown in (f"s{row.session_id}", f"t{row.token_id}")
    at = {name: getattr(row, name) for name in moments}
    return {
        "id": row.id,
        "host": row.host,
        "here": mine,
        **{name: None if moment is None else iso(moment) for name, moment in at.items()},
    }
