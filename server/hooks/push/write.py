"""Subscriptions of an account: make or renew, delete, and note that a notification was opened."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from engine.errors import BadRecord
from engine.record.encoding.canonical import from_base64url
from server.hooks import urls
from server.hooks.push.vapid import CURVE
from server.http import credentials
from server.http.credentials import Principal
from server.kernel.db.models import Account, PushMessage, PushSubscription
from server.kernel.db.session import locked
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import quotas
from server.tables import guests, limits

POINT, SECRET = 65, 16  # bytes of a browser's key and secret


@dataclass(frozen=True, slots=True)
class PushAddress:
    """A browser's subscription as its `toJSON()` gives it: the endpoint, its key and its secret."""

    endpoint: str
    p256dh: str
    auth: str


def subscribe(services: Services, principal: Principal, given: PushAddress) -> tuple[int, bool]:
    """Make it, or renew the one with this endpoint; returns its id, and whether it is new.

    An endpoint is one browser's, so a subscription that another account made with it ends.
    """
    url, p256dh, auth = _endpoint(services, given.endpoint), _point(given.p256dh), _bytes(given.auth, SECRET)
    values = {"p256dh": p256dh, "auth": auth, "renewed_at": services.now(), **_made_by(principal)}
    try:
        return _subscribe(services, principal, url, values)
    except IntegrityError:  # another account has subscribed this browser at the same moment: that ends now
        return _subscribe(services, principal, url, values)


def _subscribe(services: Services, principal: Principal, url: urls.HookUrl, values: dict[str, Any]) -> tuple[int, bool]:
    made = sha256(str(url).encode()).digest()
    with services.database.write() as session:
        guests.check_is_none(session.get_one(Account, principal.account_id))
        quotas.lock(services, session, principal.account_id)  # of two tabs at once the second finds the first one's
        credentials.check_in_force(services, session, principal)
        mine = (PushSubscription.hash == made, PushSubscription.account_id == principal.account_id)
        known = sa.update(PushSubscription).where(*mine).values(**values).returning(PushSubscription.id)
        if (number := session.scalar(known)) is not None:
            return number, False
        _delete(session, PushSubscription.hash == made)
        limits.check(services, session, principal.account_id, "push")
        whole = {"account_id": principal.account_id, "endpoint": str(url), "host": url.host, "hash": made}
        row = PushSubscription(**whole, **values, created_at=values["renewed_at"])
        session.add(row)
        session.flush()
        return row.id, True


def delete(services: Services, account_id: int, number: int) -> None:
    """Delete it, with the notifications that wait for it."""
    with services.database.write() as session:
        mine = (PushSubscription.id == number, PushSubscription.account_id == account_id)
        locked(session, sa.select(PushSubscription).where(*mine))
        _delete(session, PushSubscription.id == number)


def delete_all(session: Session, account_id: int) -> None:
    """Delete every subscription of an account, in the caller's transaction."""
    _delete(session, PushSubscription.account_id == account_id)


def note_click(services: Services, principal: Principal) -> None:
    """Note that somebody has opened a notification on this device: from now on they count as arriving."""
    column, number = next(iter(_credential(principal).items()))
    mine = (PushSubscription.account_id == principal.account_id, getattr(PushSubscription, column) == number)
    with services.database.write() as session:
        session.execute(sa.update(PushSubscription).where(*mine).values(clicked_at=services.now()))


def _credential(principal: Principal) -> dict[str, int]:
    """The column that names the credential, and its number: a subscription ends with it."""
    return {"session_id" if principal.shown.startswith("s") else "token_id": int(principal.shown[1:])}


def _made_by(principal: Principal) -> dict[str, int | None]:
    return {"session_id": None, "token_id": None} | _credential(principal)


def _delete(session: Session, which: sa.ColumnElement[bool]) -> None:
    numbers = sa.select(PushSubscription.id).where(which).scalar_subquery()
    session.execute(sa.delete(PushMessage).where(PushMessage.subscription_id.in_(numbers)))
    session.execute(sa.delete(PushSubscription).where(which))


# --- What a browser gives ---------------------------------------------------------------------------------------------


def _endpoint(services: Services, text: str) -> urls.HookUrl:
    """Of a push service that the operator allows: users give endpoints, and the server connects to them."""
    hosts = services.settings.push_hosts
    if not hosts:
        raise Problem("no-push")
    try:
        url = urls.parse(text)
    except Problem:
        raise Problem("bad-push-endpoint", accepted=list(hosts)) from None
    if url.port != 443 or not is_allowed(url.host, hosts):
        raise Problem("bad-push-endpoint", accepted=list(hosts))
    return url


def is_allowed(host: str, hosts: tuple[str, ...]) -> bool:
    """Does it match one of the patterns? A `*` stands for labels before the domain that the pattern names."""
    return any(fnmatchcase(host, pattern) for pattern in hosts)


def _point(text: str) -> bytes:
    """A public key on the curve: any other one could reveal a part of ours."""
    data = _bytes(text, POINT)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)
    except ValueError:
        raise Problem("bad-push-key") from None
    return data


def _bytes(text: str, length: int) -> bytes:
    try:
        return from_base64url(text.rstrip("="), length)
    except BadRecord:
        raise Problem("bad-push-key") from None
