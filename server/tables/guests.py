"""Where guests may sit: at tables of their own with house players, which nobody else may join or take over.

A guest has no address (`Account.guest_since`), so nobody could reach them, and anybody could be as many as they like.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from server.kernel.db.models import Account
from server.kernel.errors import Problem


def check_is_none(account: Account) -> None:
    """Raise Problem `guest` for a guest, who may not do this."""
    if account.guest_since is not None:
        raise Problem("guest")


def check_opens(account: Account, seats: int, house: Sequence[Any], handover: str) -> None:
    """Refuse a guest's table with room for another person, now or later."""
    if account.guest_since is not None and (len(house) < seats - 1 or handover != "none"):
        raise Problem("guest")


def check_sits(session: Session, game: Any, account: Account) -> None:
    """Refuse a seat beside a guest, and a guest's seat at another's table."""
    if account.guest_since is not None and game.host_id != account.id:
        raise Problem("guest")
    host = None if account.level is not None or game.host_id is None else session.get(Account, game.host_id)
    if host is not None and host.guest_since is not None and host.id != account.id:
        raise Problem("guest-table")
