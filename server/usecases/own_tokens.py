"""Tokens of one's own that are taken back."""

from __future__ import annotations

import sqlalchemy as sa

from server.db.models import ApiToken
from server.errors import Problem
from server.log import events
from server.services import Services


def revoke(services: Services, account_id: int, token_id: int) -> None:
    """From now on it opens nothing, and its streams end."""
    where = (ApiToken.id == token_id, ApiToken.account_id == account_id, ApiToken.revoked_at.is_(None))
    revoked = sa.update(ApiToken).where(*where).values(revoked_at=services.now()).returning(ApiToken.id)
    with services.database.write() as session:
        if session.scalar(revoked) is None:
            raise Problem("not-found")
    services.waker.wake([], events.pokes([account_id]))
