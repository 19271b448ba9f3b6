"""Blocks a player or ends a block; reports a player to the operator."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Account, Block, PlayedTurn, PlayerReport
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import quotas
from server.tables import limits


def block(services: Services, account_id: int, handle: str) -> None:
    """Neither sits down where the other sits or hosts. Running games go on."""
    with services.database.write() as session:
        about = _other(session, account_id, handle)
        quotas.lock(services, session, account_id)
        limits.check(services, session, account_id, "blocks", more=session.get(Block, (account_id, about)) is None)
        made = services.database.insert(Block).values(account_id=account_id, about_id=about, at=services.now())
        session.execute(made.on_conflict_do_nothing(index_elements=["account_id", "about_id"]))


def unblock(services: Services, account_id: int, handle: str) -> None:
    """End the block; without one, nothing changes."""
    with services.database.write() as session:
        about = _other(session, account_id, handle)
        session.execute(sa.delete(Block).where(Block.account_id == account_id, Block.about_id == about))


def report(services: Services, account_id: int, handle: str, why: str) -> None:
    """Report a player as such, not one of their messages; the same words are one report until it is closed."""
    with services.database.write() as session:
        about = _other(session, account_id, handle)
        quotas.lock(services, session, account_id)
        same = (
            PlayerReport.by_id == account_id,
            PlayerReport.about_id == about,
            PlayerReport.game_id.is_(None),
            PlayerReport.why == why,
        )
        if session.scalar(sa.select(PlayerReport.id).where(*same, PlayerReport.closed_at.is_(None)).limit(1)) is None:
            limits.check(services, session, account_id, "reports")
            session.add(PlayerReport(by_id=account_id, about_id=about, why=why, at=services.now()))


def _other(session: Session, account_id: int, handle: str) -> int:
    """The account of another player; a bot stands for the person who is responsible for it."""
    whose = sa.func.coalesce(Account.owner_id, Account.id)
    named = sa.select(whose).where(Account.handle == handle, Account.erased_at.is_(None))
    found = session.scalar(named) if handle.isalnum() else None  # PostgreSQL takes no NUL in a text
    if found is None:
        raise Problem("no-such-player")
    if found == account_id:
        raise Problem("not-about-yourself")
    return found


def forget_of(session: Session, account_id: int) -> None:
    """Delete an erased account's blocks, those of others about it, and its figures."""
    session.execute(sa.delete(Block).where(sa.or_(Block.account_id == account_id, Block.about_id == account_id)))
    session.execute(sa.delete(PlayedTurn).where(PlayedTurn.account_id == account_id))
