"""Tokens of one's own, made by hand and taken back."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from server.auth import tokens
from server.db.models import ApiToken
from server.errors import Problem
from server.log import events
from server.services import Services


def make(services: Services, account_id: int, name: str, scopes: Iterable[str], days: int | None) -> str:
    """A new token; it is shown to nobody again."""
    ends = tokens.end_of(services.now(), days)
    with services.database.write() as session:
        wanted = tuple(sorted({*scopes}))
        return tokens.issue(services, session, account_id, name, wanted, expires_at=ends)[0]


def revoke(services: Services, account_id: int, token_id: int) -> None:
    """From now on it opens nothing, and its streams end."""
    where = (ApiToken.id == token_id, ApiToken.account_id == account_id, ApiToken.revoked_at.is_(None))
    revoked = sa.update(ApiToken).where(*where).values(revoked_at=services.now()).returning(ApiToken.id)
    with services.database.write() as session:
        if session.scalar(revoked) is None:
            raise Problem("not-found")
    services.waker.wake([], events.pokes([account_id]))
