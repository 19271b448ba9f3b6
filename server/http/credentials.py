"""The caller of a request, by API token or by the session of a browser."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import canonical
from server.kernel.db.models import IN_FORCE, Account, ApiToken, PushMessage, PushSubscription, WebSession
from server.kernel.db.session import Prepared, UtcDateTime
from server.kernel.errors import Problem
from server.kernel.services import Services


@dataclass(frozen=True, slots=True)
class Principal:
    """An account, the scopes of the credential that was shown, and that credential: `t7` is token 7, `s7` session 7.

    `is_bot`: the bot of a person; `is_house`: of the operator; `is_guest`: no address. `zone` is that of pages.
    """

    account_id: int
    name: str
    shown: str
    scopes: frozenset[str]
    is_bot: bool = False
    is_house: bool = False
    is_guest: bool = False
    zone: str | None = None


def check_in_force(services: Services, session: Session, principal: Principal) -> None:
    """Check the credential again in the transaction that makes something lasting, such as a token.

    It may have ended since the request began. Ending all access locks the account, too, so one of the two sees the
    other: what a thief was about to make does not remain.
    """
    session.execute(sa.select(Account.id).where(Account.id == principal.account_id).with_for_update(key_share=True))
    number, now = int(principal.shown[1:]), services.now()
    tokens = sa.select(ApiToken.id).join(Account).where(ApiToken.id == number, *live_tokens(now))
    sessions = sa.select(WebSession.id).join(Account).where(WebSession.id == number, *live_sessions(now))
    if session.scalar(tokens if principal.shown.startswith("t") else sessions) is None:
        raise Problem("not-signed-in")


# --- API tokens of programs: opaque, stored as a hash, scoped, revocable, with an optional end ------------------------


SCOPES = ("read", "play", "account")
LASTING = ("read", "play")  # what signing in by mail alone gives for good
PREFIX = "sm_"
TOKEN_NOTED = timedelta(hours=1)  # the last use is written at most this often


def issue_token(
    services: Services, session: Session, account_id: int, name: str, scopes: tuple[str, ...], **more: datetime | None
) -> tuple[str, int]:
    """A new token and the id of its row; `more` are `expires_at` and `account_until`.

    The token is shown once and cannot be read back.
    """
    token = PREFIX + canonical.to_base64url(services.random(32))
    about = {"name": name, "scopes": " ".join(scopes), "created_at": services.now(), **more}
    row = ApiToken(account_id=account_id, hash=_token_hash(token), **about)
    session.add(row)
    session.flush()
    return token, row.id


def token_holder(services: Services, token: str) -> Principal | None:
    """The owner of the token; None if it is unknown, expired or revoked, or its account erased or blocked."""
    now = services.now()
    with services.database.look() as connection:
        row = HOLDER.one_or_none(connection, {"hash": _token_hash(token), "now": now})
    if row is None:
        return None
    if row.last_used_at is None or now - row.last_used_at >= TOKEN_NOTED:
        _note_token(services, row.id, now)
    is_bot, is_house = row.owner_id is not None, row.level is not None
    return Principal(row.account_id, row.name, f"t{row.id}", scopes_of(row, now), is_bot=is_bot, is_house=is_house)


def scopes_of(row: ApiToken | sa.Row[Any], now: datetime) -> frozenset[str]:
    """The scopes that it has now."""
    soon_over = row.account_until is not None and row.account_until > now
    return frozenset({*row.scopes.split(), *(("account",) if soon_over else ())})


def token_end(now: datetime, days: int | None) -> datetime | None:
    """When a token that lasts this long ends."""
    return None if days is None else now + timedelta(days=days)


def _note_token(services: Services, token_id: int, now: datetime) -> None:
    unnoted = sa.or_(ApiToken.last_used_at.is_(None), ApiToken.last_used_at <= now - TOKEN_NOTED)
    with services.database.write() as session:
        session.execute(sa.update(ApiToken).where(ApiToken.id == token_id, unnoted).values(last_used_at=now))


def live_tokens(now: datetime | sa.BindParameter[datetime]) -> tuple[Any, ...]:
    """The condition for tokens that are in force, their account included."""
    lasts = sa.or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > now)
    return ApiToken.revoked_at.is_(None), lasts, *IN_FORCE


# Built once: most requests ask it, and building a statement costs more than running it.
HOLDER = Prepared(
    sa.select(ApiToken.id, ApiToken.account_id, ApiToken.scopes, ApiToken.account_until, ApiToken.last_used_at)
    .add_columns(Account.name, Account.owner_id, Account.level)
    .join_from(ApiToken, Account, ApiToken.account_id == Account.id)
    .where(ApiToken.hash == sa.bindparam("hash"), *live_tokens(sa.bindparam("now", type_=UtcDateTime)))
)


def _token_hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


# --- Sessions of browsers ---------------------------------------------------------------------------------------------
# a random secret in a cookie, stored as a hash, that ends ninety days after its last use.
#
# A session may do all that a person does on pages, hence all scopes; destructive requests need a signature
# as well, with any credential (docs/adr/sessions.md).


SESSION_LIFETIME = timedelta(days=90)
SESSION_NOTED = timedelta(minutes=5)  # at most one write of the last use in this time: reading a page should not write
OPEN_NOTED = timedelta(minutes=8)  # how long after the last use a person counts as away (`server.mailbox.choices`)
SESSION_LENGTH = 43  # of a secret in base64url


def begin_session(services: Services, session: Session, account_id: int) -> str:
    """A new session's secret, for the cookie; it cannot be read back."""
    secret, now = canonical.to_base64url(services.random(32)), services.now()
    session.add(WebSession(account_id=account_id, hash=_session_hash(secret), created_at=now, last_used_at=now))
    return secret


def session_holder(services: Services, secret: str) -> Principal | None:
    """The owner of the session; None if it is unknown or expired, or its account erased or blocked."""
    read = (Account.id, Account.name, WebSession.id, WebSession.last_used_at, Account.zone, Account.guest_since)
    query = sa.select(*read).join_from(WebSession, Account)
    with services.database.read() as session:
        found = session.execute(
            query.where(WebSession.hash == _session_hash(secret), *live_sessions(services.now()))
        ).one_or_none()
    if found is None:
        return None
    if services.now() - found[3] >= SESSION_NOTED:
        _note_session(services, found[2])
    is_guest = found[5] is not None
    return Principal(found[0], found[1], f"s{found[2]}", frozenset(SCOPES), is_guest=is_guest, zone=found[4])


def _note_session(services: Services, session_id: int) -> None:
    now = services.now()
    where = (WebSession.id == session_id, WebSession.last_used_at <= now - SESSION_NOTED)
    with services.database.write() as session:
        session.execute(sa.update(WebSession).where(*where).values(last_used_at=now))


def note_open_session(services: Services, session_ids: Collection[int]) -> None:
    """Record the use of sessions whose pages are open and get events, though they send no requests.

    All that are due are written at once, so that many open pages need few writes.
    """
    now, these = services.now(), WebSession.id.in_(session_ids)
    with services.database.read() as session:
        late = sa.select(WebSession.id).where(these, WebSession.last_used_at <= now - OPEN_NOTED)
        if session.scalar(late.limit(1)) is None:
            return
    with services.database.write() as session:
        session.execute(
            sa.update(WebSession).where(these, WebSession.last_used_at <= now - SESSION_NOTED).values(last_used_at=now)
        )


def live_sessions(now: datetime) -> tuple[Any, ...]:
    """The condition for sessions that are in force, their account included."""
    return WebSession.last_used_at > now - SESSION_LIFETIME, *IN_FORCE


def sessions_of(services: Services, account_id: int) -> list[WebSession]:
    """Those in force, oldest first."""
    query = (
        sa.select(WebSession).join(Account).where(WebSession.account_id == account_id, *live_sessions(services.now()))
    )
    with services.database.read() as session:
        return list(session.scalars(query.order_by(WebSession.id)))


def end_session(session: Session, account_id: int, session_id: int) -> bool:
    """End a session of this account; returns whether there was one."""
    where = (WebSession.id == session_id, WebSession.account_id == account_id)
    _end_push(session, account_id, PushSubscription.session_id == session_id)
    ended = session.scalar(sa.delete(WebSession).where(*where).returning(WebSession.id))
    return ended is not None


def end_all_sessions(session: Session, account_id: int) -> None:
    """End every session of an account."""
    _end_push(session, account_id, PushSubscription.session_id.is_not(None))
    session.execute(sa.delete(WebSession).where(WebSession.account_id == account_id))


def _end_push(session: Session, account_id: int, which: sa.ColumnElement[bool]) -> None:
    """Delete the subscriptions that end with a session: a browser that is signed out gets no notifications."""
    mine = sa.select(PushSubscription.id).where(PushSubscription.account_id == account_id, which).scalar_subquery()
    session.execute(sa.delete(PushMessage).where(PushMessage.subscription_id.in_(mine)))
    session.execute(sa.delete(PushSubscription).where(PushSubscription.account_id == account_id, which))


def _session_hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
