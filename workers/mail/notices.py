"""Short mails about a table, to one person: what has happened there, and a button."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import secrets, text
from server.kernel.db import models
from server.mailbox import switched_off
from server.tables.hosting.write import MOST_KEPT
from server.tables.read import title_of
from workers.mail import facts, headers
from workers.mail.account_facts import Notice
from workers.mail.errors import OutdatedMailError
from workers.queues import WorkerContext


class NoticeText(NamedTuple):
    """The words of a notice: its subject, its sentences, and its button."""

    subject: str
    lead: str
    label: str


NOTICES = {
    "removed": NoticeText(
        "The host removed you from the table",
        "The host removed you from a {title} table before the game started. You will not get any more emails about it.",
        "Find another table",
    ),
    "hosts": NoticeText(
        "You are the host now",
        "You are the host of your {title} table from now on. Before the game starts you may invite and remove players "
        "or cancel the game; later you may give other players more time.",
        "Open the table",
    ),
    "full": NoticeText(
        "Are you ready?",
        "All seats at your {title} table are taken. The game starts as soon as all players are ready.",
        "Open the table",
    ),
    "wish": NoticeText(
        "A player wants to cancel the game",
        "{by} wants to cancel your {title} game without a result. It is cancelled as soon as all players "
        "agree, and after seven days if only absent players have not agreed. If you do not want that, object.",
        "Agree or object",
    ),
    "wish-pause": NoticeText(
        "A player wants to pause the game",
        "{by} wants to pause your {title} game until {at}. No clock runs from the moment at which all players agree, "
        "or after seven days if only absent players have not agreed. If you do not want that, object.",
        "Agree or object",
    ),
    "own-wish": NoticeText(
        "You asked to cancel the game",
        "Your account has asked the other players to cancel your {title} game without a result. If you did not do "
        "this, object to it, then end all sessions on your account's page.",
        "See or withdraw it",
    ),
    "own-pause": NoticeText(
        "You asked to pause the game",
        "Your account has asked the other players to pause your {title} game until {at}. If you did not do this, "
        "object to it, then end all sessions on your account's page.",
        "See or withdraw it",
    ),
    "ending": NoticeText(
        "Your table will end soon",
        "Your {title} table has not started. It will be cancelled on {at}. If you keep it open, it waits for 14 more "
        "days.",
        "Keep it open",
    ),
    "last-ending": NoticeText(
        "Your table will end soon",
        "Your {title} table has not started. It will be cancelled on {at}. It cannot be kept open any longer.",
        "Open the table",
    ),
    "stop": NoticeText(
        "Did you stop emails about this table?",
        "A reply to one of our emails asked us to stop emails about your {title} table. We could not verify that you "
        "wrote it. Until you decide, you only get reminders while your time runs out.",
        "Confirm or undo",
    ),
    "muted": NoticeText(
        "Emails about this table have stopped",
        "A link in one of our emails was used to stop emails about your {title} table. The game goes on: if your time "
        "runs out, the server plays a default move for you. If you did not want this, undo it.",
        "Undo",
    ),
    "off": NoticeText(
        "emails about your games have stopped",
        "A link in one of our emails was used to stop all emails about your games. The games go on: if your time runs "
        "out, the server plays a default move for you. If you did not want this, undo it.",
        "Undo",
    ),
    "no-digest": NoticeText(
        "your daily digest has stopped",
        "A link in one of our emails was used to stop your daily digest. Your games go on: if your time runs out, the "
        "server plays a default move for you. If you did not want this, undo it.",
        "Undo",
    ),
    "bounced": NoticeText(
        "we have stopped sending you emails",
        "Our last emails to you failed, so we have stopped sending you emails about your games. The games go on. If "
        "you read this, your mailbox works again: resume emails on your account's page.",
        "Resume emails",
    ),
}


# By the kind of the mail, what is wished.
WISHES = {"wish": "cancel", "own-wish": "cancel", "wish-pause": "pause", "own-pause": "pause"}


def load_switch(ctx: WorkerContext, session: Session, row: models.Notification) -> tuple[facts.Reader, Notice]:
    """The last mail before none comes, with a link that undoes that."""
    account = session.get_one(models.Account, row.account_id)
    if account.erased_at is not None or account.email is None:
        raise OutdatedMailError("account-erased")
    title = "" if row.game_id is None else title_of(session.get_one(models.Game, row.game_id).type)
    link = ctx.origin.site + _undo(ctx.services.master, session, row, account)
    reader = facts.Reader(account.name, account.email, account.zone or "UTC")
    return reader, Notice(row.message_id or "", row.kind, row.game_id, title, link)


def _undo(master: bytes, session: Session, row: models.Notification, account: models.Account) -> str:
    """The path of the page with the button."""
    if row.kind == "bounced":
        if session.get(models.MailStop, account.id) is None:
            raise OutdatedMailError("mail-goes-on")
        return "/account#mail"
    if session.get(models.MailOff, (account.id, row.game_id or switched_off.EVERYWHERE)) is None:
        raise OutdatedMailError("mail-goes-on")
    if row.game_id is None:
        return f"/m/{secrets.choice_token(master, row.kind, account)}?undo"
    mine = (models.Seat.game_id == row.game_id, models.Seat.account_id == account.id)
    seat = session.scalars(sa.select(models.Seat).where(*mine)).one_or_none()
    if seat is None:
        raise OutdatedMailError("seat-left")
    return f"/u/{secrets.unsubscribe_token(master, seat.game_id, seat.seat, seat.since_seq)}"


def load(ctx: WorkerContext, session: Session, row: models.Notification) -> tuple[facts.Reader, Notice]:
    """The reader and the facts, while the notice is true."""
    game, account = session.get_one(models.Game, row.game_id), session.get_one(models.Account, row.account_id)
    if account.erased_at is not None or account.email is None:
        raise OutdatedMailError("account-erased")
    if row.kind != "removed":
        _check(session, row, game, account)
    path = "/tables" if row.kind == "removed" else f"/games/{game.id}"
    reader = facts.Reader(account.name, account.email, account.zone or "UTC")
    kind = "last-ending" if row.kind == "ending" and game.kept_open >= MOST_KEPT else row.kind
    notice = Notice(row.message_id or "", kind, game.id, title_of(game.type), ctx.origin.site + path, game.ends_at)
    return reader, replace(notice, **_wish(session, game.id, row.kind)) if row.kind in WISHES else notice


def _check(session: Session, row: models.Notification, game: models.Game, account: models.Account) -> None:
    if game.status in ("finished", "cancelled"):
        raise OutdatedMailError("game-over")
    if row.kind in ("full", "ending") and game.status != "lobby":
        raise OutdatedMailError("started")
    if row.kind == "ending" and game.warned_at is None:
        raise OutdatedMailError("kept-open")
    if row.kind in ("hosts", "ending") and game.host_id != account.id:
        raise OutdatedMailError("other-host")
    mine = (models.Seat.game_id == game.id, models.Seat.account_id == account.id, models.Seat.ready.is_(False))
    if row.kind == "full" and session.scalar(sa.select(models.Seat.seat).where(*mine)) is None:
        raise OutdatedMailError("seat-left")


def _wish(session: Session, game_id: str, kind: str) -> dict[str, Any]:
    """The first player to wish it, and the end of the pause that they wish for."""
    query = sa.select(models.Account.name, models.Consent.about).join(models.Account)
    query = query.where(models.Consent.game_id == game_id, models.Consent.what == WISHES[kind])
    wish = session.execute(query.order_by(models.Consent.at).limit(1)).one_or_none()
    if wish is None:
        raise OutdatedMailError("wish-ended")
    return {"by": wish.name, "at": None if wish.about is None else datetime.fromisoformat(wish.about)}


def words(notice: Notice, zone: ZoneInfo) -> dict[str, str]:
    """The variables of the templates."""
    said = NOTICES[notice.kind]
    return {
        "lead": said.lead.format(title=notice.title, at=_moment(notice.at, zone), by=headers.clean(notice.by)),
        "label": said.label,
        "link": notice.link,
    }


def _moment(at: datetime | None, zone: ZoneInfo) -> str:
    return "" if at is None else text.moment(at, zone)
