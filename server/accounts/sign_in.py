"""Signing in by a mailed link: ask for one, then follow it once, with a browser or with a program."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.http import credentials
from server.http.credentials import Principal
from server.kernel import secrets
from server.kernel.db.account_lock import lock_accounts
from server.kernel.db.models import Account, LoginLink
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import box_of
from server.log import outbox, quotas
from server.mailbox import delivery_reports

T = TypeVar("T")
LIFETIME = timedelta(minutes=30)
ALLOWED = timedelta(hours=1)  # for a program to do what mail alone allows for an account
HERE = "you@localhost"
MOST = 10  # links to one address, and to strangers in one mailbox, in half an hour; enough for a person's programs


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A new API token and its account."""

    token: str
    account_id: int
    name: str


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """The address that a link signs in, its account if there is one, a new one's name, and the page to continue on."""

    email: str
    account_id: int | None
    name: str
    leads_to: str | None


def request_link(services: Services, email: str, name: str, leads_to: str | None = None) -> None:
    """Mail a link. Does not reveal whether the address has an account; Problem if there were too many requests.

    If its mailbox is full, a link is mailed only to the address of an account, so that nobody keeps its owner out by
    asking for other spellings. Links that are not mailed count as well, so that the answers are the same.
    """
    email, now, row = email.strip().lower(), services.now(), None
    with services.database.write() as session:
        quotas.lock_mailbox(services, session, email)
        _check_often(session, email, now)
        is_full = len(_ends(session, LoginLink.box == box_of(email), now)) == MOST
        link = new_link(session, email, name, now, leads_to)
        if not is_full or session.scalar(sa.select(Account.id).where(Account.email == email)) is not None:
            row = outbox.row_of_login(session, link.id, now)
    if row is not None:
        services.waker.wake_first(row)


def _check_often(session: Session, email: str, now: datetime) -> None:
    """Used links count as well; otherwise the limit would reveal that someone at that address has signed in."""
    ends = _ends(session, LoginLink.email == email, now)
    if len(ends) == MOST:
        raise Problem("too-many-links", retry_after=math.ceil((ends[-1] - now).total_seconds()))


def _ends(session: Session, whose: sa.ColumnElement[bool], now: datetime) -> list[datetime]:
    """When the newest links of an address or a mailbox end, ten at most."""
    live = sa.select(LoginLink.expires_at).where(whose, LoginLink.expires_at > now)
    return list(session.scalars(live.order_by(LoginLink.expires_at.desc()).limit(MOST)))


def new_link(session: Session, email: str, name: str, now: datetime, leads_to: str | None = None) -> LoginLink:
    """A link that works once, for half an hour."""
    made = {"email": email, "box": box_of(email), "account_name": name, "leads_to": leads_to}
    link = LoginLink(**made, created_at=now, expires_at=now + LIFETIME)
    session.add(link)
    session.flush()
    return link


def link_here(services: Services) -> str:
    """A link for the person at this machine; their account is made if necessary.

    It is like any other link, but shown in the terminal instead of mailed, and only if no other machine can reach the
    server.
    """
    if not services.settings.is_for_one:
        raise Problem("not-found")
    with services.database.write() as session:
        token = secrets.login_token(services.master, new_link(session, HERE, "Guest", services.now()))
    return f"{services.settings.public_url}/login/{token}"


def link_target(services: Services, token: str) -> LinkTarget:
    """The link's effect, without using it. Problem if it was used or has expired."""
    with services.database.read() as session:
        link = _link(services, session, token)
        if link.used_at is not None or link.expires_at <= services.now():
            raise Problem("bad-link")
        account = session.scalar(sa.select(Account.id).where(Account.email == link.email))
        return LinkTarget(link.email, account, link.account_name, link.leads_to)


def open_session(services: Services, token: str, former: Principal | None, name: str = "") -> str:
    """Follow a link with a browser: returns the secret of its new session and ends its former one.

    A new account gets the name.
    """

    def begin(session: Session, account: Account) -> str:
        if former is not None:
            credentials.end_session(session, former.account_id, int(former.shown[1:]))
        return credentials.begin_session(services, session, account.id)

    return _follow(services, token, begin, name)


def confirm(services: Services, token: str, name: str, scopes: tuple[str, ...], days: int | None = None) -> SignedIn:
    """Follow a link with a program and issue an API token of this name.

    It has the scope `account` for an hour, to register the program's key. Someone who could read the mailbox for a
    while does not keep a token with it.
    """
    now = services.now()
    ends = credentials.token_end(now, days)

    def issue(session: Session, account: Account) -> SignedIn:
        more = {"expires_at": ends, "account_until": now + ALLOWED}
        made, _ = credentials.issue_token(services, session, account.id, name, scopes, **more)
        return SignedIn(made, account.id, account.name)

    return _follow(services, token, issue)


def _follow(services: Services, token: str, give: Callable[[Session, Account], T], name: str = "") -> T:
    """Use the link, which works once, within half an hour; the account is made if necessary."""
    with services.database.read() as session:
        number = _link(services, session, token).id
    try:
        return _use(services, number, give, name)
    except IntegrityError:  # two links for one new address at once: the account exists now
        return _use(services, number, give, name)


def _link(services: Services, session: Session, token: str) -> LoginLink:
    number = secrets.link_number(token)
    link = None if number is None else session.get(LoginLink, number)
    if link is None or not secrets.is_good_link(token, secrets.login_token(services.master, link)):
        raise Problem("bad-link")
    return link


def _use(services: Services, number: int, give: Callable[[Session, Account], T], name: str) -> T:
    now = services.now()
    email = sa.select(LoginLink.email).where(LoginLink.id == number).scalar_subquery()
    with services.database.write() as session:
        lock_accounts(session, Account.email == email, key_share=True)
        live = (LoginLink.id == number, LoginLink.used_at.is_(None), LoginLink.expires_at > now)
        used = session.scalar(sa.update(LoginLink).where(*live).values(used_at=now).returning(LoginLink.id))
        link = session.get(LoginLink, number)
        if used is None or link is None:
            raise Problem("bad-link")
        account = _account(services, session, link, name)
        if account.blocked_at is not None:
            raise Problem("account-blocked")
        delivery_reports.mail_arrived(services, session, account.id, link.created_at)
        return give(session, account)


def _account(services: Services, session: Session, link: LoginLink, name: str) -> Account:
    account = session.scalar(sa.select(Account).where(Account.email == link.email))
    if account is None:
        handle = secrets.handle(services.random(8))
        account = Account(email=link.email, name=name or link.account_name, handle=handle, created_at=services.now())
        session.add(account)
        session.flush()
        account.name = account.name or f"Player {account.id}"  # never a part of the address: names are public
    return account
