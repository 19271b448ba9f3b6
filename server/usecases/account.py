"""An account shown, changed, erased."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any
from zoneinfo import available_timezones

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.auth import sessions, statements
from server.auth.statements import Act
from server.db.models import (
    Account,
    AccountEvent,
    AccountKey,
    ApiToken,
    FormerBox,
    Invitation,
    KeyBox,
    KeyChallenge,
    LoginLink,
    Notification,
    WaitingAct,
)
from server.errors import Problem
from server.log import events
from server.projections import mails
from server.services import Services
from server.usecases import calendar, hooks, inbound, mailbox, preferences
from server.wording import iso


def show(services: Services, account_id: int) -> dict[str, Any]:
    """As its owner sees it."""
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        return {
            "id": account.id,
            "name": account.name,
            "email": account.email or "",
            "bot": account.bot,
            "zone": account.zone or "UTC",
            "created_at": iso(account.created_at),
            "mail_trouble": mails.trouble(session, account_id),
            "mail_stopped": mails.stopped(session, account_id),
        }


def change(services: Services, account_id: int, given: Mapping[str, Any]) -> None:
    """Another name, other hours; what is not given stays."""
    if "zone" in given and given["zone"] not in zones():
        raise Problem("unknown-zone", found=given["zone"])
    if given:
        with services.database.write() as session:
            session.execute(sa.update(Account).where(Account.id == account_id).values(**given))
            if "zone" in given:
                preferences.look_again(session, account_id, services.now())


@cache
def zones() -> frozenset[str]:
    """The names of the IANA list; reading the whole of it takes a while."""
    return frozenset(available_timezones())


def erase_signed(services: Services, account_id: int, proof: str | None) -> None:
    """Erase it now, if a key of the account says so; a bot, which reads no mail, by its token alone."""
    with services.database.write() as session:
        statements.check_person(services, session, proof, Act(account_id, "erase"))
        gone = erase_in(services, session, account_id)
    services.waker.wake([], events.pokes(gone))  # their streams end now


def erase(services: Services, account_id: int) -> None:
    """Address, name, keys, tokens, sessions, hooks and events go, and its bots with it.

    Seats stay taken: other people's games do not end with it.
    """
    with services.database.write() as session:
        gone = erase_in(services, session, account_id)
    services.waker.wake([], events.pokes(gone))  # their streams end now


def erase_in(services: Services, session: Session, account_id: int) -> list[int]:
    """The same in a transaction; whom it took. Locked in the order in which events are written for them."""
    theirs = sa.or_(Account.id == account_id, Account.owner_id == account_id)
    asked = sa.select(Account).where(theirs, Account.erased_at.is_(None)).order_by(Account.id)
    accounts = session.scalars(asked.with_for_update()).all()
    for account in accounts:
        _erase(services, session, account)
    return [account.id for account in accounts]


def _erase(services: Services, session: Session, account: Account) -> None:
    now = services.now()
    blank = {"email": "", "box": "", "account_name": "", "used_at": now}
    if account.email is not None:
        session.execute(sa.update(LoginLink).where(LoginLink.email == account.email).values(blank))
    hooks.delete_all(session, account.id)
    sessions.end_all(session, account.id)
    for table in (AccountKey, KeyChallenge, KeyBox, FormerBox, AccountEvent, Invitation):
        session.execute(sa.delete(table).where(table.account_id == account.id))
    session.execute(sa.update(ApiToken).where(ApiToken.account_id == account.id).values(revoked_at=now))
    mailed = sa.update(Notification).where(Notification.account_id == account.id)
    session.execute(mailed.values(email=None, said=None, last_error=None))
    inbound.forget_of(session, account.id)
    mailbox.forget_of(session, account.id)
    preferences.forget_of(session, account.id)
    calendar.drop_in(session, account.id)
    waits = sa.update(WaitingAct).where(WaitingAct.account_id == account.id)
    session.execute(waits.values(about=""))
    session.execute(waits.where(WaitingAct.ended_at.is_(None)).values(ended_at=now, how="lapsed"))
    account.email, account.name, account.zone, account.erased_at = None, "erased", None, now
