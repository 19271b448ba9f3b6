"""What acts for an account, for the page of its owner: each with when it was made and last used."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.auth import sessions, tokens
from server.db.models import Account, AccountKey, ApiToken, CalendarLink, Hook, KeyBox, WaitingAct
from server.services import Services


def overview(services: Services, account_id: int) -> dict[str, Any]:
    """Rows as they stand in the tables, of what is in force."""
    with services.database.read() as session:
        return {
            "me": session.get_one(Account, account_id),
            "keys": _of(session, AccountKey, account_id),
            "box": session.get(KeyBox, account_id),
            "sessions": sessions.of_account(services, account_id),
            "tokens": _tokens(services, session, account_id),
            "hooks": _of(session, Hook, account_id),
            "bots": _bots(session, account_id),
            "calendar": session.get(CalendarLink, account_id),
        }


def waiting(services: Services, account_id: int) -> list[WaitingAct]:
    """What waits for seven days, for the head of every page."""
    waits = (WaitingAct.account_id == account_id, WaitingAct.ended_at.is_(None))
    with services.database.read() as session:
        return list(session.scalars(sa.select(WaitingAct).where(*waits).order_by(WaitingAct.id)))


def bot_uses(session: Session, bots: list[int]) -> dict[int, Any]:
    """When each bot last showed a token."""
    used = sa.select(ApiToken.account_id, sa.func.max(ApiToken.last_used_at)).group_by(ApiToken.account_id)
    return {row[0]: row[1] for row in session.execute(used.where(ApiToken.account_id.in_(bots)))}


def _of(session: Session, table: Any, account_id: int) -> list[Any]:
    return list(session.scalars(sa.select(table).where(table.account_id == account_id).order_by(table.id)))


def _tokens(services: Services, session: Session, account_id: int) -> list[ApiToken]:
    mine = sa.select(ApiToken).join(Account, Account.id == ApiToken.account_id)
    where = (ApiToken.account_id == account_id, *tokens.live(services.now()))
    return list(session.scalars(mine.where(*where).order_by(ApiToken.id)))


def _bots(session: Session, account_id: int) -> list[tuple[Account, Any]]:
    theirs = sa.select(Account).where(Account.owner_id == account_id, Account.erased_at.is_(None))
    bots = list(session.scalars(theirs.order_by(Account.id)))
    used = bot_uses(session, [bot.id for bot in bots])
    return [(bot, used.get(bot.id)) for bot in bots]
