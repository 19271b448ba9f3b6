"""API tokens of programs: opaque, kept as a hash, scoped, revocable, with an end if one was given."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record import base64url
from server.auth.holder import Holder
from server.db.models import Account, ApiToken
from server.services import Services

SCOPES = ("read", "play", "account")
PREFIX = "sm_"
NOTED = timedelta(hours=1)  # a use is written so often at most


def issue(
    services: Services,
    session: Session,
    account_id: int,
    name: str,
    scopes: tuple[str, ...],
    expires_at: datetime | None = None,
) -> tuple[str, int]:
    """A new token and the id of its row. The token is shown once and cannot be read back."""
    token = PREFIX + base64url.encode(services.random(32))
    row = ApiToken(
        account_id=account_id,
        hash=_hash(token),
        name=name,
        scopes=" ".join(scopes),
        created_at=services.now(),
        expires_at=expires_at,
    )
    session.add(row)
    session.flush()
    return token, row.id


def holder(services: Services, token: str) -> Holder | None:
    """Whose token it is; None if it is unknown, over or revoked, or its account erased."""
    asked = sa.select(Account.id, Account.name, ApiToken.id, ApiToken.scopes, ApiToken.last_used_at)
    asked = asked.join_from(ApiToken, Account, ApiToken.account_id == Account.id)
    now = services.now()
    with services.database.read() as session:
        found = session.execute(asked.where(ApiToken.hash == _hash(token), *live(now))).one_or_none()
    if found is None:
        return None
    if found[4] is None or now - found[4] >= NOTED:
        _note(services, found[2], now)
    return Holder(found[0], found[1], f"t{found[2]}", frozenset(found[3].split()))


def _note(services: Services, token_id: int, now: datetime) -> None:
    unnoted = sa.or_(ApiToken.last_used_at.is_(None), ApiToken.last_used_at <= now - NOTED)
    with services.database.write() as session:
        session.execute(sa.update(ApiToken).where(ApiToken.id == token_id, unnoted).values(last_used_at=now))


def live(now: datetime) -> tuple[Any, ...]:
    """What holds of a token, beside its account, that opens something."""
    lasts = sa.or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > now)
    return ApiToken.revoked_at.is_(None), lasts, Account.erased_at.is_(None)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
