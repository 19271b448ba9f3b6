"""Sessions, tokens and keys of an account, for its owner's page: when each was made and last used."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.http import credentials
from server.kernel.db.models import (
    Account,
    AccountKey,
    ApiToken,
    Base,
    Block,
    CalendarLink,
    FormerBox,
    FormerHolder,
    Game,
    Holiday,
    Hook,
    KeyBox,
    MailChoice,
    MailException,
    MailReport,
    Message,
    Notification,
    OwnNote,
    Plan,
    PlayedTurn,
    PushSubscription,
    Seat,
    Uninvited,
    WaitingAct,
    WebSession,
)
from server.kernel.services import Services
from server.kernel.text import iso
from server.tables.invitations import read as invitations


def overview(services: Services, account_id: int) -> dict[str, Any]:
    """Rows as in the tables, of everything in force."""
    with services.database.read() as session:
        return {
            "me": session.get_one(Account, account_id),
            "keys": _of(session, AccountKey, account_id),
            "box": session.get(KeyBox, account_id),
            "sessions": credentials.sessions_of(services, account_id),
            "tokens": _tokens(services, session, account_id),
            "hooks": _of(session, Hook, account_id),
            "bots": _bots(session, account_id),
            "calendar": session.get(CalendarLink, account_id),
        }


def frame_facts(services: Services, account_id: int | None) -> dict[str, Any]:
    """The waiting acts of the reader, for the head of every page."""
    return {"waits": [] if account_id is None else _waiting(services, account_id)}


def _waiting(services: Services, account_id: int) -> list[WaitingAct]:
    waits = (WaitingAct.account_id == account_id, WaitingAct.ended_at.is_(None))
    with services.database.read() as session:
        return list(session.scalars(sa.select(WaitingAct).where(*waits).order_by(WaitingAct.id)))


def bot_uses(session: Session, bots: list[int]) -> dict[int, Any]:
    """When each bot last used a token."""
    used = sa.select(ApiToken.account_id, sa.func.max(ApiToken.last_used_at)).group_by(ApiToken.account_id)
    return {row[0]: row[1] for row in session.execute(used.where(ApiToken.account_id.in_(bots)))}


def _of(session: Session, table: Any, account_id: int) -> list[Any]:
    return list(session.scalars(sa.select(table).where(table.account_id == account_id).order_by(table.id)))


def _tokens(services: Services, session: Session, account_id: int) -> list[ApiToken]:
    mine = sa.select(ApiToken).join(Account, Account.id == ApiToken.account_id)
    where = (ApiToken.account_id == account_id, *credentials.live_tokens(services.now()))
    return list(session.scalars(mine.where(*where).order_by(ApiToken.id)))


def _bots(session: Session, account_id: int) -> list[tuple[Account, Any]]:
    theirs = sa.select(Account).where(Account.owner_id == account_id, Account.erased_at.is_(None))
    bots = list(session.scalars(theirs.order_by(Account.id)))
    used = bot_uses(session, [bot.id for bot in bots])
    return [(bot, used.get(bot.id)) for bot in bots]


# --- All data of an account, for its owner ----------------------------------------------------------------------------
# what they gave, what they made, their seats, the mails to them.
#
# It has no secrets, since those are stored as hashes or not at all, and nothing that a game hides: a seat's
# openings are read from the game, which checks who holds the seat.


# Of each table whose rows belong to one account: the exported columns.
PARTS: dict[str, tuple[type[Base], tuple[str, ...]]] = {
    "keys": (AccountKey, ("kid", "x", "counts", "created_at")),
    "keybox": (KeyBox, ("box", "kid", "x", "created_at")),
    "former_keyboxes": (FormerBox, ("box", "kid", "ended_at")),
    "sessions": (WebSession, ("id", "created_at", "last_used_at")),
    "tokens": (ApiToken, ("id", "name", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at")),
    "webhooks": (Hook, ("id", "name", "url", "kinds", "signature", "paused", "created_at")),
    "notifications": (PushSubscription, ("id", "host", "created_at", "renewed_at", "last_used_at", "clicked_at")),
    "waiting": (WaitingAct, ("id", "act", "about", "created_at", "due_at", "ended_at", "how")),
    "holidays": (Holiday, ("id", "starts_at", "ends_at", "made_at", "ended_at")),
    "seats": (Seat, ("game_id", "seat", "since_seq", "muted")),
    "former_seats": (FormerHolder, ("game_id", "seat", "since_seq", "until_seq", "ended")),
    "turns": (PlayedTurn, ("game_id", "seq", "at", "seconds", "by_clock")),
    "plans": (Plan, ("game_id", "seat", "notation", "created_at")),
    "mail_reports": (MailReport, ("kind", "says", "at")),
    "mails": (Notification, ("kind", "game_id", "seat", "state", "reason", "created_at", "sent_at", "said", "said_at")),
    "mail_choices": (MailChoice, ("says", "hours_since")),
    "mail_exceptions": (MailException, ("game_id", "says", "hours_since")),
    "messages": (Message, ("game_id", "n", "body", "at", "removed_at", "removed_by")),
    "blocks": (Block, ("about_id", "at")),
    "notes": (OwnNote, ("game_id", "text", "at")),
    "calendar": (CalendarLink, ("created_at", "last_used_at")),
}
ORDERS = ("created_at", "made_at", "ended_at", "at", "game_id", "account_id")  # the first of these that a table has
OF_ACCOUNT = ("id", "name", "email", "zone", "hides_pace", "bot", "created_at")


def export_of(services: Services, account_id: int) -> dict[str, Any]:
    """The export, from one transaction, so that its parts are consistent."""
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        made: dict[str, Any] = {"account": _row(account, OF_ACCOUNT)}
        made |= {name: _rows(session, table, columns, account_id) for name, (table, columns) in PARTS.items()}
        refused = invitations.refused_by(invitations.mailbox(services, account), account)
        refusals = session.scalars(sa.select(Uninvited).where(refused).order_by(Uninvited.at, Uninvited.id))
        made["refused_inviters"] = [_row(refusal, ("by_id", "at")) for refusal in refusals]
        bots = session.scalars(sa.select(Account).where(Account.owner_id == account_id).order_by(Account.id))
        made["bots"] = [_row(bot, OF_ACCOUNT) for bot in bots]
        opened = session.scalars(sa.select(Game).where(Game.creator_id == account_id).order_by(Game.created_at))
        made["opened_games"] = [_row(game, ("id", "type", "options", "status", "created_at")) for game in opened]
    return made


def _rows(session: Session, table: Any, columns: tuple[str, ...], account_id: int) -> list[dict[str, Any]]:
    order = next(getattr(table, name) for name in ORDERS if hasattr(table, name))
    found = session.scalars(sa.select(table).where(table.account_id == account_id).order_by(order))
    return [_row(row, columns) for row in found]


def _row(row: Any, columns: tuple[str, ...]) -> dict[str, Any]:
    return {name: _plain(getattr(row, name)) for name in columns}


def _plain(value: Any) -> Any:
    return iso(value) if isinstance(value, datetime) else value
