"""Accounts: show, change, erase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.accounts import statements, waiting_acts
from server.accounts.devices import write as devices
from server.accounts.people import write as people
from server.accounts.statements import AccountAct
from server.hooks import write as hooks
from server.hooks.push import write as push
from server.http import credentials
from server.http.credentials import Principal
from server.kernel import text
from server.kernel.db.account_lock import lock_account
from server.kernel.db.models import (
    Account,
    AccountEvent,
    AccountKey,
    ApiToken,
    Consent,
    DeviceGrant,
    FormerBox,
    Game,
    Holiday,
    KeyBox,
    KeyChallenge,
    LoginLink,
    Notification,
    Place,
    Uninvited,
    UnnumberedEvent,
    WaitingAct,
)
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import iso
from server.log import outbox, places
from server.log.seats import ASKED
from server.mailbox import calendar, delivery_reports, inbound
from server.mailbox import read as mailbox_read
from server.mailbox import write as mailbox_write
from server.tables import guests, limits
from server.tables.talk import write as talk


def show_account(services: Services, account_id: int) -> dict[str, Any]:
    """The account as its owner sees it."""
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        return {
            "id": account.id,
            "name": account.name,
            "handle": account.handle or "",
            "email": account.email or "",
            "bot": account.bot,
            "zone": account.zone or "UTC",
            "hides_pace": account.hides_pace,
            "created_at": iso(account.created_at),
            "mail_trouble": mailbox_read.mail_trouble(session, account_id),
            "mail_stopped": mailbox_read.mail_stopped(session, account_id),
        }


def change_account(services: Services, account_id: int, given: Mapping[str, Any]) -> None:
    """Change name, time zone or what others see; members left out stay as they are."""
    if "zone" in given and given["zone"] not in text.zones():
        raise Problem("unknown-zone", found=given["zone"])
    if given:
        with services.database.write() as session:
            lock_account(session, account_id, key_share=True)
            session.execute(sa.update(Account).where(Account.id == account_id).values(**given))
            if "zone" in given:
                mailbox_write.reconsider_waiting(session, account_id, services.now())


def erase_signed(services: Services, account_id: int, proof: str | None) -> None:
    """Erase it now, with a statement signed by a key of the account; a bot, which reads no mail, needs no statement."""
    with services.database.write() as session:
        lock_account(session, account_id)
        statements.check_person(services, session, proof, AccountAct(account_id, "erase"))
        gone = erase_account_in(services, session, account_id)
    services.waker.wake([], outbox.topics(gone))  # their streams end now


def erase_account(services: Services, account_id: int) -> None:
    """Delete address, name, keys, tokens, sessions, hooks and events, and the account's bots.

    Seats stay taken, so that other people's games do not end.
    """
    with services.database.write() as session:
        gone = erase_account_in(services, session, account_id)
    services.waker.wake([], outbox.topics(gone))  # their streams end now


def erase_account_in(services: Services, session: Session, account_id: int) -> list[int]:
    """The same in the caller's transaction; returns the erased accounts."""
    accounts = with_bots(session, account_id)
    for account in accounts:
        _erase(services, session, account)
    return [account.id for account in accounts]


def _end_access(session: Session, account_id: int) -> None:
    """End what reaches the account, or is reached by it, without its owner; tokens are revoked apart."""
    hooks.delete_all(session, account_id)
    push.delete_all(session, account_id)
    credentials.end_all_sessions(session, account_id)
    calendar.drop_link_in(session, account_id)


def with_bots(session: Session, account_id: int) -> Sequence[Account]:
    """The account and its bots, if not erased, locked in the order in which events are written."""
    theirs = sa.or_(Account.id == account_id, Account.owner_id == account_id)
    query = sa.select(Account).where(theirs, Account.erased_at.is_(None)).order_by(Account.id)
    return session.scalars(query.with_for_update()).all()


def _erase(services: Services, session: Session, account: Account) -> None:
    now = services.now()
    blank = {"email": "", "box": "", "account_name": "", "used_at": now}
    if account.email is not None:
        session.execute(sa.update(LoginLink).where(LoginLink.email == account.email).values(blank))
    _end_access(session, account.id)
    for table in (AccountKey, KeyChallenge, KeyBox, FormerBox, AccountEvent, UnnumberedEvent, Holiday, DeviceGrant):
        session.execute(sa.delete(table).where(table.account_id == account.id))
    session.execute(sa.update(ApiToken).where(ApiToken.account_id == account.id).values(revoked_at=now))
    mailed = sa.update(Notification).where(Notification.account_id == account.id)
    session.execute(mailed.values(email=None, said=None, last_error=None))
    inbound.forget_of(session, account.id)
    talk.forget_of(session, account.id, now)
    people.forget_of(session, account.id)
    delivery_reports.forget_stops(session, account.id)
    mailbox_write.forget_choices(session, account.id)
    waits = sa.update(WaitingAct).where(WaitingAct.account_id == account.id)
    session.execute(waits.values(about=""))
    session.execute(waits.where(WaitingAct.ended_at.is_(None)).values(ended_at=now, how="lapsed"))
    ended = sa.case((ASKED, "over"), else_=Place.state)
    session.execute(sa.update(Place).where(places.is_of(account)).values(state=ended, account_id=None, email=None))
    session.execute(
        sa.delete(Uninvited).where(sa.or_(Uninvited.account_id == account.id, Uninvited.by_id == account.id))
    )
    session.execute(sa.delete(Consent).where(Consent.account_id == account.id))
    session.execute(sa.update(Game).where(Game.host_id == account.id).values(host_id=None))
    account.email, account.name, account.zone, account.erased_at = None, "Deleted account", None, now
    account.handle, account.guest_since = None, None


# --- Tokens made and revoked by hand ----------------------------------------------------------------------------------


def make_token(services: Services, principal: Principal, name: str, scopes: Iterable[str], days: int | None) -> str:
    """A new token, which is not shown again."""
    ends, account_id = credentials.token_end(services.now(), days), principal.account_id
    with services.database.write() as session:
        guests.check_is_none(session.get_one(Account, account_id))
        limits.check(services, session, account_id, "tokens")
        credentials.check_in_force(services, session, principal)
        wanted = tuple(sorted({*scopes}))
        return credentials.issue_token(services, session, account_id, name, wanted, expires_at=ends)[0]


def revoke_token(services: Services, account_id: int, token_id: int) -> None:
    """Revoke a token and end its streams."""
    where = (ApiToken.id == token_id, ApiToken.account_id == account_id, ApiToken.revoked_at.is_(None))
    revoked = sa.update(ApiToken).where(*where).values(revoked_at=services.now()).returning(ApiToken.id)
    with services.database.write() as session:
        if session.scalar(revoked) is None:
            raise Problem("not-found")
    services.waker.wake([], outbox.topics([account_id]))


# --- end everything, for owners who suspect that someone else uses their account --------------------------------------
# Everything that acts for the account without its owner ends. Keys stay, since they sign for seats; dropping one needs
# a signature. Waiting acts are cancelled, since someone else may have requested them; the owner can request them again.


def end_all(services: Services, account_id: int) -> None:
    """End sessions, unused links, tokens, webhooks and the calendar, also those of its bots."""
    with services.database.write() as session:
        ended = end_all_in(services, session, account_id)
    services.waker.wake([], outbox.topics(ended))  # their streams end now


def end_all_in(services: Services, session: Session, account_id: int) -> list[int]:
    """The same in the caller's transaction; returns the accounts."""
    accounts = with_bots(session, account_id)
    for account in accounts:
        _end(services, session, account)
    return [account.id for account in accounts]


def _end(services: Services, session: Session, account: Account) -> None:
    now = services.now()
    live = (ApiToken.account_id == account.id, ApiToken.revoked_at.is_(None))
    session.execute(sa.update(ApiToken).where(*live).values(revoked_at=now))
    _end_access(session, account.id)
    session.execute(sa.delete(KeyChallenge).where(KeyChallenge.account_id == account.id))
    devices.end_of(session, account.id)
    waiting_acts.cancel_all(services, session, account.id)
    if account.email is not None:
        links = (LoginLink.email == account.email, LoginLink.used_at.is_(None))
        session.execute(sa.update(LoginLink).where(*links).values(used_at=now))
