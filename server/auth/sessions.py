"""Sessions of browsers: a random secret in a cookie, kept as a hash, that ends ninety days after its last use.

What a session may do is what a person at a page does, hence all scopes; what destroys is asked for by a signature
besides, whatever was shown (docs/adr/sessions.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import base64url
from server.auth.holder import Holder
from server.auth.tokens import SCOPES
from server.db.models import Account, WebSession
from server.services import Services

LIFETIME = timedelta(days=90)
NOTED = timedelta(minutes=5)  # a use is written so often at most: reading a page is no write
OPEN_NOTED = timedelta(minutes=8)  # before who is there counts as gone (`server.mailing.decide`)
LENGTH = 43  # of a secret in base64url


def begin(services: Services, session: Session, account_id: int) -> str:
    """A new session's secret, for the cookie; it cannot be read back."""
    secret, now = base64url.encode(services.random(32)), services.now()
    session.add(WebSession(account_id=account_id, hash=_hash(secret), created_at=now, last_used_at=now))
    return secret


def holder(services: Services, secret: str) -> Holder | None:
    """Whose session it is; None if it is unknown or over, or its account erased."""
    read = (Account.id, Account.name, WebSession.id, WebSession.last_used_at, Account.zone)
    asked = sa.select(*read).join_from(WebSession, Account)
    with services.database.read() as session:
        found = session.execute(asked.where(WebSession.hash == _hash(secret), *live(services.now()))).one_or_none()
    if found is None:
        return None
    if services.now() - found[3] >= NOTED:
        _note(services, found[2])
    return Holder(found[0], found[1], f"s{found[2]}", frozenset(SCOPES), zone=found[4])


def _note(services: Services, session_id: int) -> None:
    now = services.now()
    where = (WebSession.id == session_id, WebSession.last_used_at <= now - NOTED)
    with services.database.write() as session:
        session.execute(sa.update(WebSession).where(*where).values(last_used_at=now))


def note_open(services: Services, session_ids: Collection[int]) -> None:
    """Pages that are open, and hear what happens: they are used, though they ask for nothing.

    All that are near the end of their time are written at once, so that many open pages are few writes.
    """
    now, these = services.now(), WebSession.id.in_(session_ids)
    with services.database.read() as session:
        late = sa.select(WebSession.id).where(these, WebSession.last_used_at <= now - OPEN_NOTED)
        if session.scalar(late.limit(1)) is None:
            return
    with services.database.write() as session:
        session.execute(
            sa.update(WebSession).where(these, WebSession.last_used_at <= now - NOTED).values(last_used_at=now)
        )


def live(now: datetime) -> tuple[Any, ...]:
    """What holds of a session, beside its account, that opens something."""
    return WebSession.last_used_at > now - LIFETIME, Account.erased_at.is_(None)


def of_account(services: Services, account_id: int) -> list[WebSession]:
    """Those in force, the oldest first."""
    asked = sa.select(WebSession).join(Account).where(WebSession.account_id == account_id, *live(services.now()))
    with services.database.read() as session:
        return list(session.scalars(asked.order_by(WebSession.id)))


def end(session: Session, account_id: int, session_id: int) -> bool:
    """Was there such a session of this account? There is none any more."""
    where = (WebSession.id == session_id, WebSession.account_id == account_id)
    ended = session.scalar(sa.delete(WebSession).where(*where).returning(WebSession.id))
    return ended is not None


def end_all(session: Session, account_id: int) -> None:
    """Every session of an account."""
    session.execute(sa.delete(WebSession).where(WebSession.account_id == account_id))


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
