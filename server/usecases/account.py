"""An account shown, renamed, erased."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from server.auth import sessions
from server.db.models import Account, AccountEvent, AccountKey, ApiToken, LoginLink, Notification
from server.log import events
from server.projections import mails
from server.projections.games import iso
from server.services import Services
from server.usecases import hooks


def show(services: Services, account_id: int) -> dict[str, Any]:
    """As its owner sees it."""
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        return {
            "id": account.id,
            "name": account.name,
            "email": account.email or "",
            "bot": account.bot,
            "created_at": iso(account.created_at),
            "mail_trouble": mails.trouble(session, account_id),
        }


def rename(services: Services, account_id: int, name: str) -> None:
    with services.database.write() as session:
        session.execute(sa.update(Account).where(Account.id == account_id).values(name=name))


def erase(services: Services, account_id: int) -> None:
    """Address, name, keys, tokens, sessions, hooks and events go, and its bots with it.

    Seats stay taken: other people's games do not end with it.
    """
    for bot in _bots(services, account_id):
        erase(services, bot)
    now = services.now()
    with services.database.write() as session:
        account = session.get_one(Account, account_id)
        blank = {"email": "", "account_name": "", "used_at": now}
        session.execute(sa.update(LoginLink).where(LoginLink.email == account.email).values(blank))
        hooks.delete_all(session, account_id)
        session.execute(sa.delete(AccountKey).where(AccountKey.account_id == account_id))
        session.execute(sa.update(ApiToken).where(ApiToken.account_id == account_id).values(revoked_at=now))
        sessions.end_all(session, account_id)
        session.execute(sa.update(Notification).where(Notification.account_id == account_id).values(email=None))
        account.email, account.name, account.erased_at = None, "erased", now
        session.flush()  # its row is ours now, and no entry writes another event for it
        session.execute(sa.delete(AccountEvent).where(AccountEvent.account_id == account_id))
    services.waker.wake([], events.pokes([account_id]))  # its streams end now


def _bots(services: Services, account_id: int) -> list[int]:
    with services.database.read() as session:
        asked = sa.select(Account.id).where(Account.owner_id == account_id, Account.erased_at.is_(None))
        return list(session.scalars(asked))
