"""Writes table talk and private notes, one verb a function.

A message is numbered under the lock of its game, as entries are, so it comes before or after a seat changes hands and
never between. The messages of an author are counted under the lock of their limits, one table after the other. Their
account is locked, too, so that nothing is said once it is erased.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.kernel import operator_log
from server.kernel.db.models import (
    IN_FORCE,
    Account,
    Block,
    Entry,
    Game,
    IdempotencyKey,
    Message,
    OwnNote,
    PlayerReport,
    Seat,
    TalkMute,
    TalkSeen,
)
from server.kernel.db.tables import lock_game
from server.kernel.errors import Problem
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.kernel.text import iso
from server.log import outbox, quotas
from server.log.outbox import SeatEvent
from server.tables import guests, limits
from server.tables.talk import read
from server.tables.talk.read import TAKE_BACK

Via = Literal["page", "api", "mail"]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MOST_AN_HOUR, MOST_AT_TABLE = 30, 2000  # an hour at one table; at a table, ever
KEPT = timedelta(days=365)  # after the end of the game
REPORTS_KEPT = timedelta(days=180)


@dataclass(frozen=True, slots=True)
class NewMessage:
    """What somebody says, how it came, and the idempotency key of the request."""

    text: str
    via: Via
    key: str | None = None

    def hash(self, game_id: str) -> bytes:
        return hashlib.sha256(msgspec.json.encode(["talk", game_id, self.text])).digest()


@dataclass(frozen=True, slots=True)
class WrittenMessage:
    """A message in its transaction, and the events that announce it, without its text."""

    message: Message
    events: Sequence[SeatEvent]


def say(services: Services, account_id: int, game_id: str, new: NewMessage) -> tuple[dict[str, Any], bool]:
    """Write at the table; the message, and whether the same request had written it before."""
    try:
        with services.database.write() as session:
            game = lock_game(session, game_id)
            message, told = _said_before(session, account_id, game_id, new), list[int]()
            again = message is not None
            if message is None:
                said = say_in(services, session, game, account_id, new)
                message = said.message
                _remember(services, session, account_id, new, message)
                told = outbox.write_events(session.connection(), said.events, services.now())
            author = session.get_one(Account, account_id)
            shown = read.shown_message(account_id, message, author.name, author.handle, None)
    except IntegrityError:  # the same key at once for another request, which shares no lock with this one
        raise Problem("idempotency-reused") from None
    services.waker.wake([], outbox.topics(told))
    return shown, again


def say_in(services: Services, session: Session, game: Any, account_id: int, new: NewMessage) -> WrittenMessage:
    """The same in the caller's transaction, which has locked the game and writes the events."""
    quotas.lock(services, session, account_id)
    seat = _author(services, session, account_id, game)
    if (shut := read.closed(session, game, services.now())) is not None:
        raise shut
    last = session.scalar(sa.select(sa.func.max(Message.n)).where(Message.game_id == game.id)) or 0
    _check_limits(services, session, account_id, game.id, last)
    message = Message(game_id=game.id, n=last + 1, account_id=account_id, seat=seat, head_seq=game.head_seq)
    message.body, message.via, message.at = new.text, new.via, services.now()
    session.add(message)
    session.flush()
    _note_seen(session, account_id, game.id, message.n)
    return WrittenMessage(message, _events(services, session, game, account_id))


def _author(services: Services, session: Session, account_id: int, game: Any) -> int:
    """The seat that the account holds; its row is locked so that it is not erased meanwhile."""
    query = sa.select(Seat.seat, Account).join(Account, Account.id == Seat.account_id)
    mine = query.where(Seat.game_id == game.id, Seat.account_id == account_id, *IN_FORCE)
    row = session.execute(mine.with_for_update(read=True, key_share=True, of=Account)).one_or_none()
    if row is None:
        raise Problem("no-seat")
    if row.Account.bot:
        raise Problem("no-talk")
    guests.check_is_none(row.Account)
    until = max(filter(None, (row.Account.silent_until, row.Account.suspended_until)), default=None)
    if until is not None and until > services.now():
        raise Problem("silenced", until=iso(until))
    seat: int = row.seat
    return seat


def _check_limits(services: Services, session: Session, account_id: int, game_id: str, last: int) -> None:
    if last >= MOST_AT_TABLE:
        raise Problem("talk-full", most=MOST_AT_TABLE)
    a_day = limits.most_of(services.settings, "messages", is_new=False) or 0
    for span, most, where in ((HOUR, MOST_AN_HOUR, (Message.game_id == game_id,)), (DAY, a_day, ())):
        mine = (Message.account_id == account_id, Message.at > services.now() - span, *where)
        count, first = session.execute(sa.select(sa.func.count(), sa.func.min(Message.at)).where(*mine)).one()
        if count >= most:
            wait = int((first + span - services.now()).total_seconds())
            raise Problem("too-much-talk", most=most, retry_after=max(1, wait))


def _events(services: Services, session: Session, game: Any, author: int) -> list[SeatEvent]:
    """For every holder, also the author's other devices; not for those who have muted or blocked the author."""
    muted = sa.select(TalkMute.account_id).where(TalkMute.game_id == game.id, TalkMute.about_id == author)
    deaf = sa.union_all(muted, sa.select(Block.account_id).where(Block.about_id == author))
    here = sa.select(Seat.seat).where(Seat.game_id == game.id, Seat.account_id.is_not(None))
    hears = here.where(Seat.account_id.not_in(deaf))
    now = services.now()
    return [SeatEvent("talk", game.id, seat, game.head_seq, now, None) for seat in session.scalars(hears)]


def _said_before(session: Session, account_id: int, game_id: str, new: NewMessage) -> Message | None:
    if new.key is None:
        return None
    where = (IdempotencyKey.account_id == account_id, IdempotencyKey.key == new.key)
    before = session.scalar(sa.select(IdempotencyKey).where(*where))
    if before is None:
        return None
    if before.request_hash != new.hash(game_id):
        raise Problem("idempotency-reused")
    return session.get_one(Message, (before.game_id, before.seq))


def _remember(services: Services, session: Session, account_id: int, new: NewMessage, message: Message) -> None:
    if new.key is None:
        return
    made = {"account_id": account_id, "key": new.key, "request_hash": new.hash(message.game_id)}
    placed = {"game_id": message.game_id, "seq": message.n, "created_at": services.now()}
    session.execute(sa.insert(IdempotencyKey).values(**made, **placed))


def take_back(services: Services, account_id: int, game_id: str, n: int) -> None:
    """Remove one's own message, within ten minutes. Mails that were sent with it stay as they are."""
    with services.database.write() as session:
        game = lock_game(session, game_id)
        where = (Message.game_id == game_id, Message.n == n, Message.account_id == account_id)
        message = session.scalars(sa.select(Message).where(*where)).one_or_none()
        if message is None:
            raise Problem("not-found")
        if message.removed_at is not None:
            return
        if services.now() >= message.at + TAKE_BACK:
            raise Problem("message-stays")
        _remove(services, message, "author")
        session.flush()
        told = outbox.write_events(session.connection(), _events(services, session, game, account_id), services.now())
    services.waker.wake([], outbox.topics(told))


def remove(services: Services, by: Operator, game_id: str, n: int) -> None:
    """By the operator, at any time."""
    with services.database.write() as session:
        game = lock_game(session, game_id)
        message = session.get(Message, (game_id, n))
        if message is None:
            raise Problem("not-found")
        if message.removed_at is None:
            _remove(services, message, "operator")
        operator_log.record(services, session, by, "message-remove", f"game {game_id}")
        session.flush()
        events = _events(services, session, game, message.account_id)
        told = outbox.write_events(session.connection(), events, services.now())
    services.waker.wake([], outbox.topics(told))


def _remove(services: Services, message: Message, by: str) -> None:
    message.body, message.removed_at, message.removed_by = None, services.now(), by


def mark_seen(services: Services, account_id: int, game_id: str, n: int) -> None:
    """Note that the holder of a seat has seen the messages up to this one; it never goes back."""
    with services.database.write() as session:
        _seat(session, account_id, game_id)
        last = session.scalar(sa.select(sa.func.max(Message.n)).where(Message.game_id == game_id)) or 0
        _note_seen(session, account_id, game_id, min(n, last))


def _note_seen(session: Session, account_id: int, game_id: str, n: int) -> None:
    row = session.get(TalkSeen, (game_id, account_id))
    if row is None:
        session.add(TalkSeen(game_id=game_id, account_id=account_id, n=n))
    else:
        row.n = max(row.n, n)


def _seat(session: Session, account_id: int, game_id: str) -> int:
    """The seat that the account holds, with the game locked."""
    lock_game(session, game_id)
    seat = session.scalar(sa.select(Seat.seat).where(Seat.game_id == game_id, Seat.account_id == account_id))
    if seat is None:
        raise Problem("no-seat")
    return seat


# --- Muting and reporting ---------------------------------------------------------------------------------------------


def mute(services: Services, account_id: int, game_id: str, seat: int, *, is_muted: bool) -> None:
    """Read nothing more of the player who holds this seat now, at this table; or read them again."""
    with services.database.write() as session:
        if _seat(session, account_id, game_id) == seat:
            raise Problem("not-about-yourself")
        about = session.scalar(sa.select(Seat.account_id).where(Seat.game_id == game_id, Seat.seat == seat))
        if about is None:
            raise Problem("not-found")
        row = session.get(TalkMute, (game_id, account_id, about))
        if is_muted and row is None:
            session.add(TalkMute(game_id=game_id, account_id=account_id, about_id=about))
        elif not is_muted and row is not None:
            session.delete(row)


def report(services: Services, account_id: int, game_id: str, n: int, why: str) -> None:
    """Report a message to the operator, with a copy of its text; once for each message."""
    with services.database.write() as session:
        row = session.execute(read.found(account_id, game_id, Message.n == n)).one_or_none()
        if row is None:
            lock_game(session, game_id)  # reports a game that does not exist
            raise Problem("no-seat")
        message = row.Message
        if message is None:
            raise Problem("not-found")
        if message.account_id == account_id:
            raise Problem("not-about-yourself")
        limits.check(services, session, account_id, "reports")
        made = {"by_id": account_id, "about_id": message.account_id, "game_id": game_id, "message_n": n, "why": why}
        once = services.database.insert(PlayerReport).values(**made, copy=message.body, at=services.now())
        session.execute(once.on_conflict_do_nothing(index_elements=["by_id", "game_id", "message_n"]))


# --- Private notes ----------------------------------------------------------------------------------------------------


def keep_notes(services: Services, account_id: int, game_id: str, text: str, known: Any = None) -> None:
    """Replace the account's own notes on the game. `known`: whether the caller has the present version."""
    with services.database.write() as session:
        lock_game(session, game_id)
        read.check_sat(session, account_id, game_id)
        row = session.get(OwnNote, (game_id, account_id))
        if known is not None and not known(row.text if row else ""):
            raise Problem("notes-changed")
        if row is None:
            row = OwnNote(game_id=game_id, account_id=account_id)
            session.add(row)
        row.text, row.at = text, services.now()


# --- Forgetting -------------------------------------------------------------------------------------------------------


def forget_of(session: Session, account_id: int, now: datetime) -> None:
    """Delete what an erased account has said, its notes and its mutes. Copies in reports stay for their time.

    The messages are updated once: PostgreSQL checks the keys of a row again that a transaction updates twice, and would
    lock its game while the account is locked. Writing at a table locks them the other way round.
    """
    gone: dict[str, Any] = {"removed_at": sa.func.coalesce(Message.removed_at, now), "body": None}
    gone["removed_by"] = sa.func.coalesce(Message.removed_by, sa.literal("erasure"))
    session.execute(sa.update(Message).where(Message.account_id == account_id).values(gone))
    for table in (TalkSeen, TalkMute, OwnNote):
        session.execute(sa.delete(table).where(table.account_id == account_id))


def is_over(services: Services) -> sa.ColumnElement[bool]:
    """Messages of a game that ended a year ago."""
    past = services.now() - KEPT
    last = sa.and_(Entry.game_id == Game.id, Entry.seq == Game.head_seq)
    ended = sa.select(Game.id).join(Entry, last).where(Game.status.in_(read.DONE), Entry.at < past)
    return sa.and_(Message.at < past, ended.where(Game.id == Message.game_id).exists())


def is_report_over(services: Services) -> sa.ColumnElement[bool]:
    return PlayerReport.at < services.now() - REPORTS_KEPT
