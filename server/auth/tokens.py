"""API tokens of programs: opaque, kept as a hash, scoped, revocable, with an end if one was given."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import base64url
from server.auth.holder import Holder
from server.db.models import Account, ApiToken
from server.services import Services

SCOPES = ("read", "play", "account")
LASTING = ("read", "play")  # what a mail alone gives for good
PREFIX = "sm_"
NOTED = timedelta(hours=1)  # a use is written so often at most


def issue(
    services: Services, session: Session, account_id: int, name: str, scopes: tuple[str, ...], **more: datetime | None
) -> tuple[str, int]:
    """A new token and the id of its row; `more` are `expires_at` and `account_until`.

    The token is shown once and cannot be read back.
    """
    token = PREFIX + base64url.encode(services.random(32))
    about = {"name": name, "scopes": " ".join(scopes), "created_at": services.now(), **more}
    row = ApiToken(account_id=account_id, hash=_hash(token), **about)
    session.add(row)
    session.flush()
    return token, row.id


def holder(services: Services, token: str) -> Holder | None:
    """Whose token it is; None if it is unknown, over or revoked, or its account erased."""
    asked = sa.select(ApiToken, Account.name, Account.owner_id, Account.level)
    asked = asked.join_from(ApiToken, Account, ApiToken.account_id == Account.id)
    now = services.now()
    with services.database.read() as session:
        found = session.execute(asked.where(ApiToken.hash == _hash(token), *live(now))).one_or_none()
    if found is None:
        return None
    row, name, owner, level = found
    if row.last_used_at is None or now - row.last_used_at >= NOTED:
        _note(services, row.id, now)
    is_bot, is_house = owner is not None, level is not None
    return Holder(row.account_id, name, f"t{row.id}", scopes_of(row, now), is_bot=is_bot, is_house=is_house)


def scopes_of(row: ApiToken, now: datetime) -> frozenset[str]:
    """What it opens now."""
    soon_over = row.account_until is not None and row.account_until > now
    return frozenset({*row.scopes.split(), *(("account",) if soon_over else ())})


def end_of(now: datetime, days: int | None) -> datetime | None:
    """When a token that is to last so long ends."""
    return None if days is None else now + timedelta(days=days)


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
