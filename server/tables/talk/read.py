"""Table talk as one account may read it.

Permission and messages are read in one statement, since a seat may change hands between two. The holder of a seat reads
everything, from the beginning; a former holder reads what was said before their holding ended; others read nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import (
    Account,
    Block,
    Entry,
    FormerHolder,
    Game,
    Message,
    Notification,
    OwnNote,
    Seat,
    TalkMute,
    TalkSeen,
)
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import clean, iso
from server.tables.read import game_row

OPEN_AFTER_END = timedelta(days=7)
TAKE_BACK = timedelta(minutes=10)
LONGEST = 1000  # characters of a message
MOST_SHOWN = 100  # messages on the game's page
ALL = 2**31 - 1  # beyond the last entry of any log
LATELY = timedelta(days=7)  # older messages are on the game's page
DONE = ("finished", "cancelled")
MAILED_WITH = ("turn", "reminder", "started", "answer", "over")  # mails that include talk


UNHEARD = sa.func.coalesce(TalkMute.about_id, Block.about_id)  # the author, if the reader has muted or blocked them


def may_read(account_id: int, game_id: str) -> sa.Subquery:
    """One row: `until`, the entry from which on the account reads nothing more; NULL if it may read nothing at all."""
    holds = sa.select(sa.literal(ALL).label("until")).where(Seat.game_id == game_id, Seat.account_id == account_id)
    ended = (FormerHolder.game_id == game_id, FormerHolder.account_id == account_id, FormerHolder.ended != "removed")
    either = sa.union_all(holds, sa.select(FormerHolder.until_seq.label("until")).where(*ended)).subquery()
    return sa.select(sa.func.max(either.c.until).label("until")).subquery()


def found(account_id: int, game_id: str, *where: sa.ColumnElement[bool]) -> sa.Select[Message, str, str | None, int]:
    """The messages that the account may read, each with its author and whether the account has muted or blocked them.

    One row without a message if there is none; no row at all if the account may not read.
    """
    access = may_read(account_id, game_id)
    readable = sa.and_(Message.game_id == game_id, Message.head_seq < access.c.until, *where)
    return (
        sa.select(Message, Account.name, Account.handle, UNHEARD)
        .select_from(access)
        .join(Message, readable, isouter=True)
        .join(Account, Account.id == Message.account_id, isouter=True)
        .join(TalkMute, _mutes(account_id), isouter=True)
        .join(Block, _blocks(account_id), isouter=True)
        .where(access.c.until.is_not(None))
    )


def _mutes(account_id: int) -> sa.ColumnElement[bool]:
    here = sa.and_(TalkMute.game_id == Message.game_id, TalkMute.about_id == Message.account_id)
    return sa.and_(here, TalkMute.account_id == account_id)


def _blocks(account_id: int) -> sa.ColumnElement[bool]:
    return sa.and_(Block.account_id == account_id, Block.about_id == Message.account_id)


def talk(services: Services, account_id: int, game_id: str, after: int, limit: int) -> dict[str, Any]:
    """A page of messages, oldest first; `next` continues it. Problem `no-seat` for those who never sat here."""
    with services.database.read() as session:
        query = found(account_id, game_id, Message.n > after).order_by(Message.n).limit(limit + 1)
        rows = session.execute(query).all()
        game = game_row(session, game_id)
        if not rows:
            raise Problem("no-seat")
        shown = [shown_message(account_id, *row) for row in rows[:limit] if row.Message is not None]
        return {
            "closed": closed(session, game, services.now()) is not None,
            "seen": seen(session, account_id, game_id),
            "muted": muted_seats(session, account_id, game_id),
            "messages": shown,
            "next": shown[-1]["n"] if len(rows) > limit else None,
        }


def shown_message(
    account_id: int, message: Message, name: str, handle: str | None, muted: int | None
) -> dict[str, Any]:
    """A message; without its text if it was removed, or its author is muted or blocked."""
    return {
        "n": message.n,
        "seat": message.seat,
        "name": clean(name) or f"Seat {message.seat + 1}",
        "handle": handle,
        "own": message.account_id == account_id,
        "text": None if muted else message.body,
        "muted": muted is not None,
        "removed": message.removed_by,
        "via": message.via,
        "seq": message.head_seq,
        "at": iso(message.at),
    }


def seen(session: Session, account_id: int, game_id: str) -> int:
    """The last message that the account has seen here; 0 if none."""
    where = (TalkSeen.game_id == game_id, TalkSeen.account_id == account_id)
    return session.scalar(sa.select(TalkSeen.n).where(*where)) or 0


def muted_seats(session: Session, account_id: int, game_id: str) -> list[int]:
    """The seats whose present holders the account has muted."""
    about = sa.select(TalkMute.about_id).where(TalkMute.game_id == game_id, TalkMute.account_id == account_id)
    seats = sa.select(Seat.seat).where(Seat.game_id == game_id, Seat.account_id.in_(about))
    return list(session.scalars(seats.order_by(Seat.seat)))


def closed(session: Session, game: Any, now: datetime) -> Problem | None:
    """Why nobody can write at this table: it has no talk, or has ended some days ago, or never began."""
    if game.talk == "off":
        return Problem("talk-off")
    if game.status not in DONE:
        return None
    entries = sa.select(Entry.at).where(Entry.game_id == game.id)
    ended = session.scalars(entries.where(Entry.seq == game.head_seq)).one()
    began = session.scalar(entries.where(Entry.kind == "started"))
    return Problem("talk-closed") if began is None or ended + OPEN_AFTER_END <= now else None


# --- In mails ---------------------------------------------------------------------------------------------------------


MOST_MAILED, MOST_LETTERS = 10, 2000


def unseen(session: Session, account_id: int, game_id: str, since: int) -> tuple[list[tuple[Message, str]], int]:
    """The newest messages of others that the account has not seen, and how many more there are.

    Those since entry `since`, at which it last moved, and those since the last mail to it about the game: an answer by
    mail answers a mail that is older than they are.
    """
    noted = sa.select(TalkSeen.n).where(TalkSeen.game_id == game_id, TalkSeen.account_id == account_id)
    after = sa.func.coalesce(noted.scalar_subquery(), 0)
    told = (Notification.account_id == account_id, Notification.game_id == game_id, Notification.kind.in_(MAILED_WITH))
    mailed = sa.select(sa.func.max(Notification.sent_at)).where(*told).scalar_subquery()
    is_new = sa.or_(Message.head_seq >= since, Message.at > mailed)
    wanted = (Message.n > after, is_new, Message.account_id != account_id, Message.body.is_not(None))
    heard = found(account_id, game_id, *wanted).where(UNHEARD.is_(None), Message.n.is_not(None))
    rows, shown, letters = session.execute(heard.order_by(Message.n.desc())).all(), list[tuple[Message, str]](), 0
    for message, name, *_ in rows[:MOST_MAILED]:
        letters += len(message.body or "")
        if letters > MOST_LETTERS and shown:
            break
        shown.append((message, clean(name)))
    return shown[::-1], len(rows) - len(shown)


def is_unseen(account_id: int, now: datetime) -> sa.ColumnElement[bool]:
    """Of a row of `Game` and the account's `Seat`: have others lately written something that it has not seen?"""
    noted = sa.and_(TalkSeen.game_id == Message.game_id, TalkSeen.account_id == account_id)
    others = (Message.at > now - LATELY, Message.account_id != account_id, Message.body.is_not(None))
    query = sa.select(Message.n).join(TalkSeen, noted, isouter=True).join(TalkMute, _mutes(account_id), isouter=True)
    query = query.join(Block, _blocks(account_id), isouter=True).where(Message.game_id == Game.id, *others)
    fresh = query.where(Message.n > sa.func.coalesce(TalkSeen.n, 0), UNHEARD.is_(None)).correlate(Game)
    return sa.and_(Seat.seat.is_not(None), fresh.exists())


# --- On the game's page -----------------------------------------------------------------------------------------------


def section(services: Services, account_id: int | None, game_id: str) -> dict[str, Any] | None:
    """Talk and notes as the game's page shows them to this reader; None for those who may not read."""
    if account_id is None:
        return None
    with services.database.read() as session:
        query = found(account_id, game_id).order_by(Message.n.desc()).limit(MOST_SHOWN)
        rows = session.execute(query).all()
        if not rows:
            return None
        game, now = session.get_one(Game, game_id), services.now()
        holds = session.scalar(sa.select(Seat.seat).where(Seat.game_id == game_id, Seat.account_id == account_id))
        shut, noted = closed(session, game, now), seen(session, account_id, game_id)
        messages = [_on_page(services, account_id, *row) for row in reversed(rows) if row.Message is not None]
        return {
            "off": game.talk == "off",
            "once": services.random(12).hex(),
            "writes": holds is not None and shut is None,
            "messages": messages,
            "seen": noted,
            "unread": sum(one["n"] > noted and not one["own"] and one["text"] is not None for one in messages),
            "muted": muted_seats(session, account_id, game_id),
            "notes": notes_in(session, account_id, game_id),
        }


def _on_page(services: Services, account_id: int, message: Message, *author: Any) -> dict[str, Any]:
    is_own = message.account_id == account_id
    fresh = is_own and message.body is not None and services.now() < message.at + TAKE_BACK
    return shown_message(account_id, message, *author) | {"when": message.at, "can_go": fresh}


# --- Private notes ----------------------------------------------------------------------------------------------------


def notes(services: Services, account_id: int, game_id: str) -> dict[str, str]:
    """The account's own notes on the game. Problem `no-seat` for those who never sat here."""
    with services.database.read() as session:
        check_sat(session, account_id, game_id)
        return {"text": notes_in(session, account_id, game_id)}


def notes_in(session: Session, account_id: int, game_id: str) -> str:
    where = (OwnNote.game_id == game_id, OwnNote.account_id == account_id)
    return session.scalar(sa.select(OwnNote.text).where(*where)) or ""


def check_sat(session: Session, account_id: int, game_id: str) -> None:
    """Problem unless the account holds a seat of the game, or has held one."""
    if session.scalar(sa.select(may_read(account_id, game_id).c.until)) is None:
        game_row(session, game_id)
        raise Problem("no-seat")
