"""A program's request for access: begun by the program, answered by a person on a page, then exchanged for a token.

The program keeps the device code, 256 random bits, and shows the user code, which the person types on the page. The
user code alone opens nothing: someone who guesses it could only sign a stranger's program in to their own account.
docs/adr/device-sign-in.md has the attacks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import canonical
from server.accounts.sign_in import ALLOWED
from server.http import credentials
from server.http.credentials import LASTING, Principal
from server.kernel import secrets
from server.kernel.db.models import Account, DeviceGrant
from server.kernel.errors import Problem, ServerError
from server.kernel.services import Services
from server.tables import guests, limits

LIFETIME = timedelta(minutes=10)
INTERVAL = 5  # seconds between two polls of a program; RFC 8628, 3.5 adds as many for each poll that comes too early
SLOWEST = 60
TOLERANCE = timedelta(seconds=1)  # a network is not always equally quick


class DeviceError(ServerError):
    """An answer of RFC 8628, 3.5 or RFC 6749, 5.2 that is not a token."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(says)
        self.code = code
        self.says = says


@dataclass(frozen=True, slots=True)
class DeviceCodes:
    """The two codes of a request: one for the program, one that its owner types."""

    device_code: str
    user_code: str


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """What the page shows of a request, and the scopes that it asks for."""

    name: str
    scopes: tuple[str, ...]
    address: str
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class GrantedToken:
    """A new token, the scopes that it has now, and the seconds until it expires, if it does."""

    token: str
    scopes: tuple[str, ...]
    seconds: int | None


def begin(services: Services, name: str, scopes: Sequence[str], address: str) -> DeviceCodes:
    """Store a program's request."""
    made = DeviceCodes(canonical.to_base64url(services.random(32)), secrets.user_code(services.random(8)))
    now = services.now()
    row = DeviceGrant(
        hash=_hash(made.device_code),
        code_mac=secrets.user_code_mac(services.master, made.user_code),
        name=name,
        scopes=" ".join(sorted({*scopes})),
        address=address,
        created_at=now,
        expires_at=now + LIFETIME,
        pause=INTERVAL,
    )
    with services.database.write() as session:
        session.add(row)
    return made


def show(services: Services, account_id: int, code: str) -> DeviceRequest:
    """The request with this user code. Problem `bad-user-code` if it was answered, has expired or never existed."""
    with services.database.read() as session:
        guests.check_is_none(session.get_one(Account, account_id))
        row = _open(services, session, code)
        return DeviceRequest(row.name, tuple(row.scopes.split()), row.address, row.created_at)


def approve(services: Services, principal: Principal, code: str, scopes: Sequence[str], days: int | None) -> str:
    """Allow these of the scopes that it asks for, for so many days; returns the program's name."""
    account_id = principal.account_id
    with services.database.write() as session:
        guests.check_is_none(session.get_one(Account, account_id))
        row = _open(services, session, code)
        limits.check(services, session, account_id, "tokens")
        credentials.check_in_force(services, session, principal)
        row.scopes = " ".join(sorted({*scopes} & {*row.scopes.split()}))
        row.account_id, row.days, row.answered_at = account_id, days, services.now()
        return row.name


def deny(services: Services, code: str) -> None:
    """Refuse it for good."""
    with services.database.write() as session:
        _open(services, session, code).answered_at = services.now()


def _open(services: Services, session: Session, code: str) -> DeviceGrant:
    """The request that waits for an answer, locked: of two answers at once the second finds none."""
    mac = secrets.user_code_mac(services.master, code)
    where = (DeviceGrant.code_mac == mac, DeviceGrant.answered_at.is_(None), DeviceGrant.expires_at > services.now())
    row = session.scalar(sa.select(DeviceGrant).where(*where).with_for_update())
    if row is None:
        raise Problem("bad-user-code")
    return row


def redeem(services: Services, device_code: str, name: str) -> GrantedToken:
    """The token, once; DeviceError while the request is open, and after it was denied or has expired."""
    outcome: GrantedToken | DeviceError
    with services.database.write() as session:
        row = session.scalar(sa.select(DeviceGrant).where(DeviceGrant.hash == _hash(device_code)).with_for_update())
        if row is None or row.name != name:
            raise DeviceError("invalid_grant", "The device code is unknown, has been used, or is of another client_id.")
        outcome = _outcome(services, session, row)
    if isinstance(outcome, DeviceError):
        raise outcome
    return outcome


def _outcome(services: Services, session: Session, row: DeviceGrant) -> GrantedToken | DeviceError:
    """Errors are returned, so that what a poll changes is kept."""
    now = services.now()
    if row.expires_at <= now:
        return DeviceError("expired_token", "The codes have expired. Begin again.")
    if row.answered_at is not None and row.account_id is None:
        return DeviceError("access_denied", "The request was denied.")
    if row.account_id is not None:
        return _issue(services, session, row, row.account_id)
    early = row.polled_at is not None and now < row.polled_at + timedelta(seconds=row.pause) - TOLERANCE
    row.polled_at = now
    if early:
        row.pause = min(row.pause + INTERVAL, SLOWEST)
        return DeviceError("slow_down", f"Poll every {row.pause} seconds at most.")
    return DeviceError("authorization_pending", "The request has not been answered yet.")


def _issue(services: Services, session: Session, row: DeviceGrant, account_id: int) -> GrantedToken | DeviceError:
    """Scope `account` lasts for an hour, as after a sign-in by mail."""
    now, wanted = services.now(), row.scopes.split()
    account = session.get_one(Account, account_id)
    if account.blocked_at is not None or account.erased_at is not None:
        return DeviceError("access_denied", "The account is not available.")
    try:
        limits.check(services, session, account_id, "tokens")
    except Problem as no:
        return DeviceError("access_denied", str(no))
    lasting = tuple(one for one in wanted if one in LASTING)
    ends = credentials.token_end(now, row.days)
    if not lasting:
        ends = now + ALLOWED
    until = now + ALLOWED if "account" in wanted else None
    more = {"expires_at": ends, "account_until": until}
    token, _ = credentials.issue_token(services, session, account_id, row.name, lasting, **more)
    session.delete(row)
    return GrantedToken(token, tuple(wanted), None if ends is None else int((ends - now).total_seconds()))


def end_of(session: Session, account_id: int) -> None:
    """Delete what this account has allowed and no program has fetched yet."""
    session.execute(sa.delete(DeviceGrant).where(DeviceGrant.account_id == account_id))


def _hash(device_code: str) -> bytes:
    return hashlib.sha256(device_code.encode()).digest()
