"""Acts of an operator on accounts: find, rename, block, end sessions and tokens, erase.

A blocked account cannot sign in, and its sessions and tokens do not count while it is blocked; nor can its keys take a
seat. Its seats stay as they are: acts signed by their keys are accepted, and mails are sent, so that the other players'
games go on.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.accounts import write
from server.accounts.read import bot_uses
from server.http import credentials
from server.kernel import operator_log
from server.kernel.db.models import Account, ApiToken, Game, MailStop, Seat, WebSession
from server.kernel.errors import Problem
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.log import outbox

MOST = 100  # accounts shown at once


def find(services: Services, word: str, by: Operator | None = None) -> list[dict[str, Any]]:
    """Accounts with this number, this address, or this word in their name; their addresses for a logged reason."""
    query = sa.select(Account).where(_fits(word)).order_by(Account.id).limit(MOST)
    with services.database.read() as session:
        found = [_shown(services, session, account, whole=by is not None) for account in session.scalars(query)]
    if by is not None and found:
        with services.database.write() as session:
            for row in found:
                operator_log.record(services, session, by, "account-address", f"account {row['id']}")
    return found


def _fits(word: str) -> sa.ColumnElement[bool]:
    if word.isdecimal() and len(word) < 10:
        return Account.id == int(word)
    if "@" in word:
        return Account.email == word.strip().lower()
    return Account.name.icontains(word, autoescape=True)


def _shown(services: Services, session: Session, account: Account, *, whole: bool) -> dict[str, Any]:
    names = ("id", "name", "created_at", "blocked_at", "erased_at", "bot", "owner_id", "level")
    stop = session.get(MailStop, account.id)
    return {name: getattr(account, name) for name in names} | {
        "email": account.email if whole else hidden(account.email),
        "mail_stopped": None if stop is None else stop.why,
        "sessions": _count(session, WebSession, account.id, *credentials.live_sessions(services.now())),
        "tokens": _count(session, ApiToken, account.id, *credentials.live_tokens(services.now())),
        "games": _running(session, account.id),
    }


def hidden(address: str | None) -> str | None:
    """The address as it is shown unless somebody needs it whole: `a...@example.org`."""
    if address is None:
        return None
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}...@{domain}"


def _count(session: Session, table: Any, account_id: int, *where: Any) -> int:
    joined = sa.select(sa.func.count()).select_from(table).join(Account, Account.id == table.account_id)
    return session.scalar(joined.where(table.account_id == account_id, *where)) or 0


def _running(session: Session, account_id: int) -> list[str]:
    mine = sa.select(Game.id).join(Seat, Seat.game_id == Game.id).where(Seat.account_id == account_id)
    return list(session.scalars(mine.where(Game.status.in_(("lobby", "running"))).order_by(Game.created_at)))


def bots(services: Services) -> list[dict[str, Any]]:
    """All bots, of people and of the operator, oldest first, with the last use of a token."""
    names = ("id", "name", "owner_id", "level", "created_at", "blocked_at")
    with services.database.read() as session:
        found = session.scalars(sa.select(Account).where(Account.bot, Account.erased_at.is_(None)).order_by(Account.id))
        rows = found.all()
        used = bot_uses(session, [bot.id for bot in rows])
        return [{name: getattr(bot, name) for name in names} | {"last_used_at": used.get(bot.id)} for bot in rows]


def rename(services: Services, by: Operator, account_id: int, name: str) -> None:
    """Give it another public name."""
    with services.database.write() as session:
        _account(session, account_id).name = name
        _record(services, session, by, "rename", account_id)


def block(services: Services, by: Operator, account_id: int) -> None:
    """Block the account and its bots; a blocked house player is not invited either."""
    with services.database.write() as session:
        _account(session, account_id)
        accounts = write.with_bots(session, account_id)
        for account in accounts:
            account.blocked_at = account.blocked_at or services.now()
        _record(services, session, by, "block", account_id)
    services.waker.wake([], outbox.topics([account.id for account in accounts]))  # their streams end now


def unblock(services: Services, by: Operator, account_id: int) -> None:
    """Let the account and its bots in again, with the sessions and tokens that they still have."""
    with services.database.write() as session:
        _account(session, account_id)
        for account in write.with_bots(session, account_id):
            account.blocked_at = None
        _record(services, session, by, "unblock", account_id)


def end_all(services: Services, by: Operator, account_id: int) -> None:
    """End sessions, unused links, tokens, webhooks and the calendar, as the owner can; keys stay."""
    with services.database.write() as session:
        _account(session, account_id)
        ended = write.end_all_in(services, session, account_id)
        _record(services, session, by, "end-sessions", account_id)
    services.waker.wake([], outbox.topics(ended))  # their streams end now


def erase(services: Services, by: Operator, account_id: int) -> None:
    """Erase the account and its bots at once. Their seats stay taken."""
    with services.database.write() as session:
        _account(session, account_id)
        gone = write.erase_account_in(services, session, account_id)
        _record(services, session, by, "erase", account_id)
    services.waker.wake([], outbox.topics(gone))  # their streams end now


def _account(session: Session, account_id: int) -> Account:
    account = session.get(Account, account_id)
    if account is None or account.erased_at is not None:
        raise Problem("not-found")
    return account


def _record(services: Services, session: Session, by: Operator, act: str, account_id: int) -> None:
    operator_log.record(services, session, by, f"account-{act}", f"account {account_id}")
