"""Data with a limited lifetime: events of accounts, which contain nothing beyond the log, and sessions."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from server.http import credentials
from server.kernel import operator_log
from server.kernel.db.models import Account, AccountEvent, WebSession
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.log import outbox

LEAP = 1_000_000  # more events than any account gets after a backup is made
MOST = 1000  # at a time: a writer of SQLite blocks all others


def forget_events(services: Services) -> int:
    """Delete a batch of expired events; returns how many."""
    before = services.now() - timedelta(days=services.settings.events_kept)
    old = sa.select(AccountEvent.n).where(AccountEvent.created_at < before).limit(1)
    with services.database.read() as session:
        if session.scalar(old) is None:
            return 0
    with services.database.write() as session:
        return outbox.forget_events(session, before, MOST)


def forget_sessions(services: Services) -> int:
    """Delete a batch of sessions that expired from disuse; returns how many."""
    over = WebSession.last_used_at <= services.now() - credentials.SESSION_LIFETIME
    with services.database.read() as session:
        if session.scalar(sa.select(WebSession.id).where(over).limit(1)) is None:
            return 0
    with services.database.write() as session:
        return len(session.scalars(sa.delete(WebSession).where(over).returning(WebSession.id)).all())


def leap_events(services: Services, by: Operator) -> int:
    """After a restore, skip the numbers used since the backup, so that readers get `reset`. The number of accounts."""
    with services.database.write() as session:
        operator_log.record(services, session, by, "reset-events")
        session.execute(sa.delete(AccountEvent))
        return len(session.scalars(sa.update(Account).values(events=Account.events + LEAP).returning(Account.id)).all())
