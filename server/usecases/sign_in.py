"""Signing in by a mailed link: ask for one, then follow it once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.auth import links, tokens
from server.db.models import Account, LoginLink
from server.errors import Problem
from server.log import outbox
from server.services import Services

LIFETIME = timedelta(minutes=30)
MOST_OPEN = 5  # links that one address can have at a time: nobody floods a stranger's mailbox


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A new API token and whose it is."""

    token: str
    account_id: int
    name: str


def ask_for_link(services: Services, email: str, name: str) -> None:
    """Have a link mailed. Whether the address has an account, or has asked too often, is not told."""
    email, now = email.strip().lower(), services.now()
    with services.database.write() as session:
        live = (LoginLink.email == email, LoginLink.used_at.is_(None), LoginLink.expires_at > now)
        if (session.scalar(sa.select(sa.func.count()).select_from(LoginLink).where(*live)) or 0) >= MOST_OPEN:
            return
        link = LoginLink(email=email, account_name=name, created_at=now, expires_at=now + LIFETIME)
        session.add(link)
        session.flush()
        row = outbox.of_login(session, link.id, now)
    services.waker.wake_first(row)


def confirm(services: Services, token: str) -> SignedIn:
    """Follow a link: it works once, for half an hour, and makes the account if there is none."""
    number = links.read_login_token(services.settings.master, token)
    if number is None:
        raise Problem("bad-link")
    try:
        return _confirm(services, number)
    except IntegrityError:  # two links of a new address at once: the account is there now
        return _confirm(services, number)


def _confirm(services: Services, number: int) -> SignedIn:
    now = services.now()
    with services.database.write() as session:
        live = (LoginLink.id == number, LoginLink.used_at.is_(None), LoginLink.expires_at > now)
        used = session.scalar(sa.update(LoginLink).where(*live).values(used_at=now).returning(LoginLink.id))
        link = session.get(LoginLink, number)
        if used is None or link is None:
            raise Problem("bad-link")
        account = _account(services, session, link)
        made, _ = tokens.issue(services, session, account.id, "sign-in", tokens.SCOPES)
        return SignedIn(made, account.id, account.name)


def _account(services: Services, session: Session, link: LoginLink) -> Account:
    account = session.scalar(sa.select(Account).where(Account.email == link.email))
    if account is None:
        account = Account(email=link.email, name=link.account_name, created_at=services.now())
        session.add(account)
        session.flush()
        account.name = account.name or f"Player {account.id}"  # never a part of the address: everybody reads it
    return account
