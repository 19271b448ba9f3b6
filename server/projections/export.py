"""All that is kept of an account, for its owner: what he gave, what he made, where he sits, what was mailed to him.

Secrets are not in it, since they are kept as hashes or not at all; what a game hides is not either: a seat's own
openings are read at the game, where whose seat it is is asked.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.db.models import (
    Account,
    AccountKey,
    ApiToken,
    Base,
    CalendarLink,
    FormerHolder,
    Game,
    Hook,
    KeyBox,
    MailChoice,
    MailException,
    MailReport,
    Notification,
    Plan,
    Seat,
    WaitingAct,
    WebSession,
)
from server.services import Services
from server.wording import iso

# Of each table whose rows are one account's, the columns that are told.
PARTS: dict[str, tuple[type[Base], tuple[str, ...]]] = {
    "keys": (AccountKey, ("kid", "x", "counts", "created_at")),
    "keybox": (KeyBox, ("box", "kid", "x", "created_at")),
    "sessions": (WebSession, ("id", "created_at", "last_used_at")),
    "tokens": (ApiToken, ("id", "name", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at")),
    "webhooks": (Hook, ("id", "name", "url", "kinds", "signature", "paused", "created_at")),
    "waiting": (WaitingAct, ("id", "act", "about", "created_at", "due_at", "ended_at", "how")),
    "seats": (Seat, ("game_id", "seat", "since_seq", "muted")),
    "former_seats": (FormerHolder, ("game_id", "seat", "since_seq", "until_seq", "ended")),
    "plans": (Plan, ("game_id", "seat", "notation", "created_at")),
    "mail_reports": (MailReport, ("kind", "says", "at")),
    "mails": (Notification, ("kind", "game_id", "seat", "state", "reason", "created_at", "sent_at", "said", "said_at")),
    "mail_choices": (MailChoice, ("says", "hours_since")),
    "mail_exceptions": (MailException, ("game_id", "says", "hours_since")),
    "calendar": (CalendarLink, ("created_at", "last_used_at")),
}
OF_ACCOUNT = ("id", "name", "email", "zone", "bot", "created_at")


def of(services: Services, account_id: int) -> dict[str, Any]:
    """In one look, so that no part contradicts another."""
    with services.database.read() as session:
        made: dict[str, Any] = {"account": _row(session.get_one(Account, account_id), OF_ACCOUNT)}
        made |= {name: _rows(session, table, columns, account_id) for name, (table, columns) in PARTS.items()}
        bots = session.scalars(sa.select(Account).where(Account.owner_id == account_id).order_by(Account.id))
        made["bots"] = [_row(bot, OF_ACCOUNT) for bot in bots]
        opened = session.scalars(sa.select(Game).where(Game.creator_id == account_id).order_by(Game.created_at))
        made["opened_games"] = [_row(game, ("id", "type", "options", "status", "created_at")) for game in opened]
    return made


def _rows(session: Session, table: Any, columns: tuple[str, ...], account_id: int) -> list[dict[str, Any]]:
    order = next(getattr(table, name) for name in ("created_at", "at", "game_id", "account_id") if hasattr(table, name))
    found = session.scalars(sa.select(table).where(table.account_id == account_id).order_by(order))
    return [_row(row, columns) for row in found]


def _row(row: Any, columns: tuple[str, ...]) -> dict[str, Any]:
    return {name: _told(getattr(row, name)) for name in columns}


def _told(value: Any) -> Any:
    return iso(value) if isinstance(value, datetime) else value
