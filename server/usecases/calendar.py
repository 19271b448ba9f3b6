"""The link of an account's calendar: made, shown once, taken back. It opens the times of deadlines and nothing else."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import base64url
from server.db.models import Account, CalendarLink
from server.errors import Problem
from server.services import Services

NOTED = timedelta(hours=1)  # a use is written so often at most: calendars come often


def make(services: Services, account_id: int) -> str:
    """A new link, in place of the one before; it is shown to nobody again."""
    secret = base64url.encode(services.random(32))
    with services.database.write() as session:
        session.execute(sa.select(Account.id).where(Account.id == account_id).with_for_update())
        drop_in(session, account_id)
        session.add(CalendarLink(account_id=account_id, hash=_hash(secret), created_at=services.now()))
    return f"{services.settings.public_url}/me/calendar.ics?link={secret}"


def show(services: Services, account_id: int) -> CalendarLink:
    """When it was made and last used; Problem `not-found` if there is none."""
    with services.database.read() as session:
        found = session.get(CalendarLink, account_id)
    if found is None:
        raise Problem("not-found")
    return found


def drop(services: Services, account_id: int) -> None:
    """From now on it opens nothing. Problem `not-found` if there is none."""
    with services.database.write() as session:
        if not drop_in(session, account_id):
            raise Problem("not-found")


def drop_in(session: Session, account_id: int) -> bool:
    """The same in a transaction; was there one?"""
    gone = sa.delete(CalendarLink).where(CalendarLink.account_id == account_id).returning(CalendarLink.account_id)
    return session.scalar(gone) is not None


def reader(services: Services, secret: str) -> int:
    """Whose link it is; Problem `bad-link` if it is nobody's."""
    with services.database.read() as session:
        found = session.scalar(sa.select(CalendarLink).where(CalendarLink.hash == _hash(secret)))
    if found is None:
        raise Problem("bad-link")
    if found.last_used_at is None or services.now() - found.last_used_at >= NOTED:
        _note(services, found.hash, services.now())
    return found.account_id


def _note(services: Services, hashed: bytes, now: datetime) -> None:
    with services.database.write() as session:
        session.execute(sa.update(CalendarLink).where(CalendarLink.hash == hashed).values(last_used_at=now))


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
