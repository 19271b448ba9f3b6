"""Bots: accounts of programs. A person is responsible for each, or the operator for house players."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.accounts import write
from server.accounts.read import bot_uses
from server.http import credentials
from server.http.credentials import Principal
from server.kernel import operator_log, secrets
from server.kernel.db.account_lock import lock_account
from server.kernel.db.models import Account, ApiToken
from server.kernel.db.session import locked
from server.kernel.errors import Problem
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.kernel.text import iso
from server.log import outbox, quotas
from server.tables import guests, limits


def create(services: Services, principal: Principal, name: str) -> tuple[int, str]:
    """Make a bot of a person, which shares its owner's fate; its account's id and its first token."""
    owner_id = principal.account_id
    with services.database.write() as session:
        quotas.lock(services, session, owner_id)
        owner = lock_account(session, owner_id)
        if owner.bot:
            raise Problem("bots-own-no-bots")
        guests.check_is_none(owner)
        limits.check(services, session, owner_id, "bots")
        credentials.check_in_force(services, session, principal)
        fate = {"silent_until": owner.silent_until, "suspended_until": owner.suspended_until}
        return _new_bot(services, session, name, owner_id=owner_id, **fate)


def create_house(services: Services, by: Operator, name: str, level: str) -> tuple[int, str]:
    """Make a house player, for which the operator is responsible."""
    with services.database.write() as session:
        made = _new_bot(services, session, name, level=level)
        operator_log.record(services, session, by, "bot-add", f"account {made[0]}")
    return made


def _new_bot(services: Services, session: Session, name: str, **more: Any) -> tuple[int, str]:
    handle = secrets.handle(services.random(8))
    bot = Account(name=name, handle=handle, created_at=services.now(), bot=True, **more)
    session.add(bot)
    session.flush()
    token, _ = credentials.issue_token(services, session, bot.id, "bot", credentials.SCOPES)
    return bot.id, token


def bots_of(services: Services, owner_id: int) -> list[dict[str, Any]]:
    """A person's bots, oldest first."""
    with services.database.read() as session:
        return [_as_json(session, bot) for bot in _of(session, owner_id)]


def house_players(services: Services) -> list[dict[str, Any]]:
    """All house players, with their level."""
    with services.database.read() as session:
        found = session.scalars(_live(Account.level.is_not(None)))
        return [_as_json(session, bot) | {"level": bot.level} for bot in found]


def bot_of(services: Services, owner_id: int, bot_id: int) -> dict[str, Any]:
    """One of a person's bots."""
    with services.database.read() as session:
        return _as_json(session, _own_bot(session, owner_id, bot_id))


def rename(services: Services, owner_id: int, bot_id: int, name: str) -> None:
    with services.database.write() as session:
        locked(session, _own(owner_id, bot_id)).name = name


def rotate(services: Services, principal: Principal, bot_id: int) -> str:
    """Issue a new token and revoke all earlier ones."""
    with services.database.write() as session:
        credentials.check_in_force(services, session, principal)
        token = _rotated(services, session, locked(session, _own(principal.account_id, bot_id)))
    services.waker.wake([], outbox.topics([bot_id]))  # its streams end now
    return token


def rest(services: Services, owner_id: int, bot_id: int) -> None:
    """Revoke all its tokens; a new one lets it continue."""
    with services.database.write() as session:
        _revoke(services, session, locked(session, _own(owner_id, bot_id)))
    services.waker.wake([], outbox.topics([bot_id]))  # its streams end now


def rotate_house(services: Services, by: Operator, bot_id: int) -> str:
    """The same for a house player, by the operator."""
    with services.database.write() as session:
        operator_log.record(services, session, by, "bot-token", f"account {bot_id}")
        token = _rotated(services, session, _of_house(session, bot_id))
    services.waker.wake([], outbox.topics([bot_id]))
    return token


def _rotated(services: Services, session: Session, bot: Account) -> str:
    _revoke(services, session, bot)
    token, _ = credentials.issue_token(services, session, bot.id, "bot", credentials.SCOPES)
    return token


def _revoke(services: Services, session: Session, bot: Account) -> None:
    live = (ApiToken.account_id == bot.id, ApiToken.revoked_at.is_(None))
    session.execute(sa.update(ApiToken).where(*live).values(revoked_at=services.now()))


def erase(services: Services, owner_id: int, bot_id: int) -> None:
    """Erase a bot like any account: its games continue, with default moves at its seats."""
    with services.database.read() as session:
        _own_bot(session, owner_id, bot_id)
    write.erase_account(services, bot_id)


def erase_house(services: Services, by: Operator, bot_id: int) -> None:
    """Erase a house player, by the operator."""
    with services.database.write() as session:
        _of_house(session, bot_id)
        operator_log.record(services, session, by, "bot-remove", f"account {bot_id}")
        gone = write.erase_account_in(services, session, bot_id)
    services.waker.wake([], outbox.topics(gone))  # its streams end now


def _live(*where: sa.ColumnElement[bool]) -> sa.Select[Account]:
    return sa.select(Account).where(Account.bot, Account.erased_at.is_(None), *where).order_by(Account.id)


def _of(session: Session, owner_id: int) -> list[Account]:
    return list(session.scalars(_live(Account.owner_id == owner_id)))


def _own(owner_id: int, bot_id: int) -> sa.Select[Account]:
    return _live(Account.id == bot_id, Account.owner_id == owner_id)


def _own_bot(session: Session, owner_id: int, bot_id: int) -> Account:
    found = session.scalar(_own(owner_id, bot_id))
    if found is None:
        raise Problem("not-found")
    return found


def _of_house(session: Session, bot_id: int) -> Account:
    found = session.scalar(_live(Account.id == bot_id, Account.level.is_not(None)))
    if found is None:
        raise Problem("not-found")
    return found


def _as_json(session: Session, bot: Account) -> dict[str, Any]:
    used = bot_uses(session, [bot.id]).get(bot.id)
    made = {"id": bot.id, "name": bot.name, "created_at": iso(bot.created_at)}
    return made | {"last_used_at": None if used is None else iso(used)}
