"""The limits of a person's account: tables that they host, seats at tables that have not started, seats in all.

Counted under a lock of the account's own, so that of two requests at once the second one sees what the first has done.
The lock is taken after the game's and before those of accounts, and nobody waits for two of them. A seat before the
start also counts among the seats in all: its table may start at any moment. A new account has half of each limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.config import Settings
from server.kernel.db.models import Account, Game, Quota, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services

NEW = timedelta(days=7)  # after this time, or with a finished game, an account is not new any more


class Limit(NamedTuple):
    """A limit: the setting that it comes from, and what it counts, in words."""

    setting: str
    says: str


LIMITS: Mapping[str, Limit] = {
    "open_tables": Limit("most_open_tables", "Tables that you host and that have not started"),
    "lobby_seats": Limit("most_lobby_seats", "Seats at tables that have not started"),
    "seats": Limit("most_seats", "Seats at tables that have not ended"),
}


def check(services: Services, session: Session, account_id: int, *names: str) -> None:
    """Raise Problem `too-many-tables` with the first limit that is reached. Bots have limits of their own."""
    account = session.get_one(Account, account_id)
    if account.bot or services.settings.is_for_one:
        return
    lock(services, session, account_id)
    for name in names:
        most = _most(services, session, account, name)
        if most is not None and _used(session, account_id, name) >= most:
            raise Problem("too-many-tables", limit=name, most=most)


def lock(services: Services, session: Session, account_id: int) -> None:
    """Let nobody else count for this account until the transaction ends."""
    made = services.database.insert(Quota).values(account_id=account_id)
    session.execute(made.on_conflict_do_nothing(index_elements=["account_id"]))
    session.execute(sa.select(Quota.account_id).where(Quota.account_id == account_id).with_for_update())


def overview(services: Services, account_id: int) -> list[dict[str, Any]]:
    """Each limit with what the account uses of it; `most` is None where there is none."""
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        free = account.bot or services.settings.is_for_one
        return [
            {
                "name": name,
                "says": limit.says,
                "used": _used(session, account_id, name),
                "most": None if free else _most(services, session, account, name),
            }
            for name, limit in LIMITS.items()
        ]


def most_of(settings: Settings, name: str, *, is_new: bool) -> int | None:
    """The limit for an account; None if the operator has switched it off."""
    most: int = getattr(settings, LIMITS[name].setting)
    return None if most == 0 else max(1, most // 2) if is_new else most


def _most(services: Services, session: Session, account: Account, name: str) -> int | None:
    return most_of(services.settings, name, is_new=_is_new(services, session, account))


def _is_new(services: Services, session: Session, account: Account) -> bool:
    if account.created_at <= services.now() - NEW:
        return False
    played = sa.select(Seat.seat).join(Game, Game.id == Seat.game_id)
    return session.scalar(played.where(Seat.account_id == account.id, Game.status == "finished").limit(1)) is None


def _used(session: Session, account_id: int, name: str) -> int:
    if name == "open_tables":
        query = sa.select(sa.func.count()).select_from(Game).where(Game.host_id == account_id, Game.status == "lobby")
    else:
        stages = ("lobby",) if name == "lobby_seats" else ("lobby", "running")
        query = sa.select(sa.func.count()).select_from(Seat).join(Game, Game.id == Seat.game_id)
        query = query.where(Seat.account_id == account_id, Game.status.in_(stages))
    return session.scalar(query) or 0
