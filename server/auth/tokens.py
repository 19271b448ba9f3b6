"""API tokens: opaque, kept as a hash, scoped, revocable."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record import base64url
from server.db.models import Account, ApiToken
from server.services import Services

SCOPES = ("read", "play", "account")
PREFIX = "sm_"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who showed a token, and what it allows."""

    account_id: int
    name: str
    token_id: int
    scopes: frozenset[str]


def issue(services: Services, session: Session, account_id: int, name: str, scopes: tuple[str, ...]) -> tuple[str, int]:
    """A new token and the id of its row. The token is shown once and cannot be read back."""
    token = PREFIX + base64url.encode(services.random(32))
    row = ApiToken(
        account_id=account_id, hash=_hash(token), name=name, scopes=" ".join(scopes), created_at=services.now()
    )
    session.add(row)
    session.flush()
    return token, row.id


def holder(services: Services, token: str) -> Holder | None:
    """Whose token it is; None if it is unknown or revoked, or its account erased."""
    live = (ApiToken.hash == _hash(token), ApiToken.revoked_at.is_(None), Account.erased_at.is_(None))
    asked = sa.select(Account.id, Account.name, ApiToken.id, ApiToken.scopes).join_from(
        ApiToken, Account, ApiToken.account_id == Account.id
    )
    with services.database.read() as session:
        found = session.execute(asked.where(*live)).one_or_none()
    return None if found is None else Holder(found[0], found[1], found[2], frozenset(found[3].split()))


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
