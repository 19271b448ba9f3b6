"""Locks under which things are counted against a limit, so that two requests at once do not pass it together.

Taken after a game's row and before those of accounts, and nobody waits for two accounts' locks.
"""

from __future__ import annotations

import zlib

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Quota
from server.kernel.services import Services
from server.kernel.text import box_of

GUESTS = 7305847  # any number that no other lock of this database has
MAILBOXES = 7305848


def lock(services: Services, session: Session, account_id: int) -> None:
    """Let nobody else count for this account until the transaction ends."""
    made = services.database.insert(Quota).values(account_id=account_id)
    session.execute(made.on_conflict_do_nothing(index_elements=["account_id"]))
    session.execute(sa.select(Quota.account_id).where(Quota.account_id == account_id).with_for_update())


def lock_guests(services: Services, session: Session) -> None:
    """Let nobody else count guests; SQLite has one writer in any case."""
    if not services.database.is_sqlite:
        session.execute(sa.select(sa.func.pg_advisory_xact_lock(GUESTS)))


def lock_mailbox(services: Services, session: Session, email: str) -> None:
    """Let nobody else count mails to this mailbox, after all other locks; it may exclude a few others as well."""
    if not services.database.is_sqlite:
        number = zlib.crc32(box_of(email).encode()) >> 1
        session.execute(sa.select(sa.func.pg_advisory_xact_lock(MAILBOXES, number)))
