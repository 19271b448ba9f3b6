"""Mails that did not arrive: for the operator, for Prometheus, and for the person whom they did not reach."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.db.models import Account, LoginLink, MailReport, MailStop, Notification
from server.services import Services
from server.wording import iso

STATES = ("pending", "leased", "failed", "waits")


def failed(services: Services) -> list[dict[str, Any]]:
    """Every mail that was refused or given up, the oldest first: to whom, of what, and what the relay said."""
    address = sa.func.coalesce(Account.email, LoginLink.email)
    asked = (
        sa.select(Notification, address)
        .join(Account, Account.id == Notification.account_id, isouter=True)
        .join(LoginLink, LoginLink.id == Notification.login_link_id, isouter=True)
        .where(Notification.state == "failed")
        .order_by(Notification.id)
    )
    with services.database.read() as session:
        return [_failed(row, to) for row, to in session.execute(asked)]


def _failed(row: Notification, to: str | None) -> dict[str, Any]:
    return {
        "mail": row.id,
        "kind": row.kind,
        "to": to,
        "game": row.game_id,
        "since": iso(row.created_at),
        "tries": row.attempts,
        "why": row.reason,
        "says": row.last_error,
    }


def trouble(session: Session, account_id: int) -> dict[str, Any] | None:
    """The last mail to this account, if it did not arrive; None once one has."""
    ended = (Notification.account_id == account_id, Notification.state.in_(("sent", "failed")))
    last = session.scalar(sa.select(Notification).where(*ended).order_by(Notification.id.desc()).limit(1))
    if last is None or last.state == "sent":
        return None
    return {"since": iso(last.created_at), "why": last.reason, "says": last.last_error}


def stopped(session: Session, account_id: int) -> dict[str, Any] | None:
    """That mail to this account is kept back, since when and why; None if it is not."""
    row = session.get(MailStop, account_id)
    return None if row is None else {"since": iso(row.since), "why": row.why, "says": row.says}


def all_stopped(services: Services) -> list[dict[str, Any]]:
    """For the operator: every address to which mail is stopped, the latest last."""
    asked = sa.select(MailStop, Account.email).join(Account, Account.id == MailStop.account_id)
    with services.database.read() as session:
        rows = session.execute(asked.order_by(MailStop.since, MailStop.account_id))
        return [
            {"account": row.account_id, "to": to, "since": iso(row.since), "why": row.why, "says": row.says}
            for row, to in rows
        ]


def reports(services: Services) -> list[dict[str, Any]]:
    """For the operator: what was said of mails in the last weeks, the oldest first. `ours` is his to mend."""
    asked = sa.select(MailReport, Account.email).join(Account, Account.id == MailReport.account_id)
    with services.database.read() as session:
        return [
            {"mail": row.notification_id, "to": to, "at": iso(row.at), "kind": row.kind, "via": row.via}
            | {"says": row.says}
            for row, to in session.execute(asked.order_by(MailReport.id))
        ]


def counted_reports(services: Services) -> dict[str, dict[str, int]]:
    """How many reports of each kind are kept, and how many people's mail is stopped, by why."""
    reported = sa.select(MailReport.kind, sa.func.count()).group_by(MailReport.kind)
    stops = sa.select(MailStop.why, sa.func.count()).group_by(MailStop.why)
    with services.database.read() as session:
        found = [{row[0]: row[1] for row in session.execute(asked)} for asked in (reported, stops)]
    return {"reports": found[0], "stops": found[1]}


def counted(services: Services) -> dict[str, int]:
    """How many mails are due or tried again, on their way, or have failed; `waits`: their readers want them later."""
    row = Notification
    later = sa.and_(row.state == "pending", row.waited.is_not(None), row.next_at > services.now())
    state = sa.case((sa.or_(row.state == "held", later), "waits"), else_=row.state)
    named = sa.select(state.label("state")).where(row.state.in_((*STATES, "held"))).subquery()
    asked = sa.select(named.c.state, sa.func.count()).group_by(named.c.state)
    with services.database.read() as session:
        found = {row[0]: row[1] for row in session.execute(asked)}
    return {name: found.get(name, 0) for name in STATES}
