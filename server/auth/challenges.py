"""A nonce that a key must sign once: given to one account, good for ten minutes, used up by what it lets happen."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import base64url
from server.db.models import KeyChallenge
from server.errors import Problem
from server.services import Services

LIFETIME = timedelta(minutes=10)


class Challenge(NamedTuple):
    """What is to be signed, and when it was given."""

    nonce: str
    at: datetime


def give(services: Services, account_id: int) -> Challenge:
    """A nonce for one signature."""
    made = Challenge(base64url.encode(services.random(32)), services.now())
    with services.database.write() as session:
        session.add(KeyChallenge(account_id=account_id, nonce=made.nonce, created_at=made.at))
    return made


def use(services: Services, session: Session, account_id: int, nonce: object) -> datetime:
    """When it was given; Problem `bad-challenge` if it is not this account's, used, or too old."""
    now = services.now()
    live = (
        KeyChallenge.account_id == account_id,
        KeyChallenge.nonce == str(nonce),
        KeyChallenge.used_at.is_(None),
        KeyChallenge.created_at > now - LIFETIME,
    )
    used = sa.update(KeyChallenge).where(*live).values(used_at=now).returning(KeyChallenge.created_at)
    given_at = session.scalar(used)
    if given_at is None:
        raise Problem("bad-challenge")
    return given_at
