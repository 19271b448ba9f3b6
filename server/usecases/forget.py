"""What is kept for some time only: the events of accounts, which say nothing that the log does not."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from server.db.models import AccountEvent
from server.log import events
from server.services import Services

MOST = 1000  # at a time: a writer of SQLite holds up all others


def forget_events(services: Services) -> int:
    """Delete some that are older than this server keeps them; how many."""
    before = services.now() - timedelta(days=services.settings.events_kept)
    old = sa.select(AccountEvent.n).where(AccountEvent.created_at < before).limit(1)
    with services.database.read() as session:
        if session.scalar(old) is None:
            return 0
    with services.database.write() as session:
        return events.forget(session, before, MOST)
