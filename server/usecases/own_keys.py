"""Keys of an account: a nonce from the server, signed with the new key, proves who holds it."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from engine.errors import BadRecord
from engine.record import base64url, keys
from engine.record import jws as jwss
from server.db.models import AccountKey, KeyChallenge
from server.errors import Problem
from server.log import missing
from server.services import Services

TYP = "sealedmove-key+jws"
LIFETIME = timedelta(minutes=10)
MEMBERS = {"v", "aud", "act", "key", "nonce"}


def challenge(services: Services, account_id: int) -> str:
    """A nonce for one registration."""
    nonce = base64url.encode(services.random(32))
    with services.database.write() as session:
        session.add(KeyChallenge(account_id=account_id, nonce=nonce, created_at=services.now()))
    return nonce


def register(services: Services, account_id: int, compact: str) -> AccountKey:
    """Register the key that signed the challenge; the same key again is the same registration."""
    jws = jwss.read(compact, TYP)
    public = _check_payload(services, jws)
    kid = keys.thumbprint(public)
    try:
        with services.database.write() as session:
            _use(services, session, account_id, jws.payload["nonce"])
            owned = session.scalar(sa.select(AccountKey).where(AccountKey.kid == kid))
            if owned is not None and owned.account_id != account_id:
                raise Problem("key-owned", kid=kid)
            if owned is None:
                x = base64url.encode(public)
                owned = AccountKey(account_id=account_id, kid=kid, x=x, created_at=services.now())
                session.add(owned)
                missing.adopt(session, account_id, kid)
    except IntegrityError:
        raise Problem("key-owned", kid=kid) from None
    return owned


def remove(services: Services, account_id: int, kid: str) -> None:
    """Forget whose key it is. Seats that it holds keep it: dropping a seat's key is an act of the record."""
    with services.database.write() as session:
        where = (AccountKey.account_id == account_id, AccountKey.kid == kid)
        if session.scalar(sa.delete(AccountKey).where(*where).returning(AccountKey.id)) is None:
            raise Problem("not-found")


def _check_payload(services: Services, jws: jwss.Jws) -> bytes:
    payload = jws.payload
    if set(payload) != MEMBERS or payload["act"] != "register" or payload["v"] != 1:
        raise BadRecord("bad-form", "the payload has exactly v (1), aud, act (register), key and nonce")
    if payload["aud"] != services.settings.server_name:
        raise Problem("wrong-audience", found=payload["aud"], expected=services.settings.server_name)
    public = keys.parse_jwk(payload["key"])
    jws.verify(public)
    return public


def _use(services: Services, session: Session, account_id: int, nonce: object) -> None:
    now = services.now()
    live = (
        KeyChallenge.account_id == account_id,
        KeyChallenge.nonce == str(nonce),
        KeyChallenge.used_at.is_(None),
        KeyChallenge.created_at > now - LIFETIME,
    )
    used = sa.update(KeyChallenge).where(*live).values(used_at=now).returning(KeyChallenge.id)
    if session.scalar(used) is None:
        raise Problem("bad-challenge")
