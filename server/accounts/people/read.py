"""The handle of an account, and the players whom it has blocked, for that account alone."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from server.kernel.db.models import Account, Block
from server.kernel.services import Services
from server.kernel.text import clean, iso


def handle_of(services: Services, account_id: int) -> str | None:
    with services.database.read() as session:
        return session.scalar(sa.select(Account.handle).where(Account.id == account_id))


def blocks(services: Services, account_id: int) -> list[dict[str, Any]]:
    """By handle and name, the newest first. A deleted account has neither, and cannot sit anywhere."""
    query = sa.select(Account.handle, Account.name, Block.at).join(Block, Block.about_id == Account.id)
    mine = query.where(Block.account_id == account_id, Account.erased_at.is_(None))
    with services.database.read() as session:
        rows = session.execute(mine.order_by(Block.at.desc(), Account.id)).all()
    return [{"handle": handle, "name": clean(name), "at": iso(at)} for handle, name, at in rows]
