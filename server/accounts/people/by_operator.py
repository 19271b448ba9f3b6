"""Acts of an operator on people: read and close reports, silence or suspend an account for some days, release it.

A silenced account may not write at tables. A suspended one may not write, open tables or sit down either. Both play on
in their running games. An account's bots share its fate.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import operator_log
from server.kernel.db.account_lock import lock_accounts
from server.kernel.db.models import Account, PlayerReport
from server.kernel.errors import Problem
from server.kernel.operator_log import Operator
from server.kernel.services import Services

MOST = 200  # reports listed at once


def reports(services: Services, *, is_all: bool = False) -> list[dict[str, Any]]:
    """Open reports, or all, oldest first, each with both players and the copy of the message."""
    by, about = sa.orm.aliased(Account), sa.orm.aliased(Account)
    query = sa.select(PlayerReport, by.name, about.name)
    query = query.join(by, by.id == PlayerReport.by_id).join(about, about.id == PlayerReport.about_id)
    query = query if is_all else query.where(PlayerReport.closed_at.is_(None))
    with services.database.read() as session:
        return [_shown(*row) for row in session.execute(query.order_by(PlayerReport.id).limit(MOST))]


def _shown(row: PlayerReport, by: str, about: str) -> dict[str, Any]:
    names = ("id", "at", "by_id", "about_id", "game_id", "message_n", "why", "copy", "closed_at", "outcome")
    return {name: getattr(row, name) for name in names} | {"by": by, "about": about}


def close(services: Services, by: Operator, number: int) -> None:
    """Close a report; the reason is its outcome."""
    with services.database.write() as session:
        report = session.get(PlayerReport, number)
        if report is None:
            raise Problem("not-found")
        report.closed_at, report.outcome = services.now(), by.why
        operator_log.record(services, session, by, "report-close", f"report {number}")


def show(services: Services, account_id: int) -> dict[str, Any]:
    """An account's standing, and how many people have reported it."""
    names = ("id", "name", "blocked_at", "silent_until", "suspended_until")
    about = sa.select(sa.func.count(), sa.func.count(sa.distinct(PlayerReport.by_id))).where(
        PlayerReport.about_id == account_id
    )
    with services.database.read() as session:
        account = _account(session, account_id)
        made, people = session.execute(about).one()
        return {name: getattr(account, name) for name in names} | {"reports": made, "reported_by": people}


def silence(services: Services, by: Operator, account_id: int, days: int) -> None:
    """Keep it from writing at tables for so many days."""
    _set(services, by, account_id, "silence", {"silent_until": services.now() + timedelta(days=days)})


def suspend(services: Services, by: Operator, account_id: int, days: int) -> None:
    """Keep it from writing, opening tables and sitting down for so many days."""
    _set(services, by, account_id, "suspend", {"suspended_until": services.now() + timedelta(days=days)})


def release(services: Services, by: Operator, account_id: int) -> None:
    """End both."""
    _set(services, by, account_id, "release", {"silent_until": None, "suspended_until": None})


def _set(services: Services, by: Operator, account_id: int, act: str, values: Mapping[str, Any]) -> None:
    with services.database.write() as session:
        lock_accounts(session, Account.id == account_id)  # as for a new bot
        _account(session, account_id)
        theirs = sa.or_(Account.id == account_id, Account.owner_id == account_id)
        session.execute(sa.update(Account).where(theirs).values(**values))
        operator_log.record(services, session, by, f"people-{act}", f"account {account_id}")


def _account(session: Session, account_id: int) -> Account:
    account = session.get(Account, account_id)
    if account is None or account.erased_at is not None:
        raise Problem("not-found")
    return account
