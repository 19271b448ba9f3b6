"""What was mailed to somebody, when, and what became of it: for himself alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.db.models import Account, LoginLink, Notification, Seat
from server.errors import Problem
from server.mailing.choices import ASKED_AGAIN
from server.mailing.hours import zone_of
from server.mailing.why import Mail, says, spoken, standing
from server.services import Services
from server.wording import iso

NOTHING = "You owe no move at this table, so there is nothing to mail."
MADE_LATER = "Your move waits, and no mail is made yet: that takes some seconds, and longer if no process for it runs."


def listed(
    services: Services, account_id: int, game_id: str | None, after: int | None = None, limit: int = 50
) -> dict[str, Any]:
    """The newest first; `next` continues the list. What was mailed to the address to sign in is in it."""
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        links = sa.select(LoginLink.id).where(LoginLink.email == account.email)
        mine = sa.or_(Notification.account_id == account_id, Notification.login_link_id.in_(links))
        asked = sa.select(Notification).where(mine, *_page(game_id, after))
        rows = list(session.scalars(asked.order_by(Notification.id.desc()).limit(limit + 1)))
        shown = [_shown(row, services.now(), account) for row in rows[:limit]]
    return {"mails": shown, "next": shown[-1]["id"] if len(rows) > limit else None}


def _page(game_id: str | None, after: int | None) -> list[sa.ColumnElement[bool]]:
    here = [] if game_id is None else [Notification.game_id == game_id]
    return here + ([] if after is None else [Notification.id < after])


def _shown(row: Notification, now: datetime, account: Account) -> dict[str, Any]:
    mail = _mail(row)
    how = standing(mail)
    return {
        "id": row.id,
        "kind": row.kind,
        "game": row.game_id,
        "seat": row.seat,
        "state": how,
        "reason": row.reason if how == "not-sent" else row.waited,
        "made_at": iso(row.created_at),
        "sent_at": None if row.sent_at is None else iso(row.sent_at),
        "next_at": iso(row.next_at) if how in ("waits", "tried") else None,
        "server": spoken(mail),
        "says": says(mail, now, zone_of(account.zone)),
    }


def _mail(row: Notification) -> Mail:
    return Mail(
        state=row.state,
        reason=row.reason,
        waited=row.waited,
        attempts=row.attempts,
        made=row.created_at,
        sent=row.sent_at,
        next=row.next_at,
        said=row.said,
        digested=row.digest_id is not None,
        again=row.kind in ASKED_AGAIN,
    )


def why(services: Services, account_id: int, game_id: str) -> str:
    """Why he was or was not mailed that he owes a move at this table, in a sentence. Problem `no-seat`."""
    with services.database.read() as session:
        held = sa.select(Seat).where(Seat.game_id == game_id, Seat.account_id == account_id)
        seat = session.scalars(held).one_or_none()
        if seat is None:
            raise Problem("no-seat")
        if seat.question_seq is None:
            return NOTHING
        row = _of_question(session, seat)
        zone = zone_of(session.get_one(Account, account_id).zone)
    return MADE_LATER if row is None else says(_mail(row), services.now(), zone)


def _of_question(session: Session, seat: Seat) -> Notification | None:
    """The mail that asks it."""
    asked = (
        sa.select(Notification)
        .where(Notification.game_id == seat.game_id, Notification.account_id == seat.account_id)
        .where(Notification.kind == "turn", Notification.seq >= seat.question_seq)
    )
    return session.scalars(asked.order_by(Notification.id.desc()).limit(1)).one_or_none()
