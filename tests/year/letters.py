"""The letters of a simulated year, read as their readers read them, and held against the rows when they go out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import sqlalchemy as sa

from server.kernel import text
from server.kernel.db.models import Account, Game, Notification, Seat
from server.kernel.services import Services
from tests.year.laws import Watch
from workers.mail.leases import LeasedMail

REMINDER = re.compile(r"<g\.(.*)\.e\d+\.(\d+)\.(reminder\d*\.n\d+)@")
ABOUT_A_MOVE = ("turn", "reminder", "time")


class Line:
    """A connection to a relay that takes every letter at once."""

    def __init__(self, take: Callable[[EmailMessage], None]) -> None:
        self._take = take

    def session(self) -> Line:
        return self

    def send(self, letter: EmailMessage, sender: str | None = None) -> str:
        self._take(letter)
        return "250 taken"


class Letters:
    """All letters that were sent, judged one by one."""

    def __init__(self, services: Services, watch: Watch) -> None:
        self.services, self.watch = services, watch
        self.reminders: Counter[tuple[str, ...]] = Counter()
        self.sent: Counter[str] = Counter()
        self.readers: dict[int, Any] = {}

    def line(self, one: LeasedMail) -> Line:
        return Line(lambda letter: self._judge(one, letter))

    def _judge(self, one: LeasedMail, letter: EmailMessage) -> None:
        self.sent[str(letter["Message-ID"])] += 1
        if self.sent[str(letter["Message-ID"])] > 1:
            self.watch.breach("the same mail twice", id=letter["Message-ID"])
        with self.services.database.read() as session:
            row = session.get_one(Notification, one.id)
            reader = session.get(Account, row.account_id)
            wrong = JUDGES.get(row.kind, _anything)(session, row, reader, _words(letter), self.services.now())
        if wrong:
            self.watch.breach("an untrue mail", kind=row.kind, game=row.game_id, seat=row.seat, wrong=wrong)
        if (found := REMINDER.match(str(letter["Message-ID"]))) is not None:
            self.reminders[str(row.account_id), *found.groups()] += 1
            if self.reminders[str(row.account_id), *found.groups()] > 1:
                self.watch.breach("a second reminder", id=letter["Message-ID"])
        if row.account_id in self.readers:
            self.readers[row.account_id].read(row.kind)


def _words(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


def _anything(*_: object) -> str:
    return ""


def _move(session: sa.orm.Session, row: Any, reader: Any, words: str, now: Any) -> str:
    """The seat is theirs, it owes a move, and the deadline is the row's, in the reader's zone."""
    seat = session.get_one(Seat, (row.game_id, row.seat))
    if seat.account_id != row.account_id or seat.question_seq is None:
        return "no move is owed"
    if seat.deadline is None:
        return "" if "no clock" in words else "no deadline"
    ends = seat.own_until if seat.own_until is not None and seat.own_until > now else seat.deadline
    told = text.moment(ends, text.zone_of(reader.zone))
    return "" if told in words else f"{told} is not in it"


def _digest(session: sa.orm.Session, row: Any, reader: Any, words: str, now: Any) -> str:
    """Every move that the reader owes is in it, with its deadline."""
    owed = sa.select(Seat).join(Game, Game.id == Seat.game_id).where(Game.status == "running")
    owed = owed.where(Seat.account_id == row.account_id, Seat.question_seq.is_not(None))
    return "; ".join(filter(None, (_owed(seat, reader, words, now) for seat in session.scalars(owed))))


def _owed(seat: Seat, reader: Any, words: str, now: Any) -> str:
    assert seat.deadline is not None
    if seat.deadline <= now:
        return ""
    ends = seat.own_until if seat.own_until is not None and seat.own_until > now else seat.deadline
    told = text.moment(ends, text.zone_of(reader.zone))
    return "" if told in words else f"{told} is not in it"


def _ended(session: sa.orm.Session, row: Any, reader: Any, words: str, now: Any) -> str:
    status = session.get_one(Game, row.game_id).status
    return "" if status == {"over": "finished"}.get(row.kind, row.kind) else f"the game is {status}"


def _absent(session: sa.orm.Session, row: Any, reader: Any, words: str, now: Any) -> str:
    seat = session.get_one(Seat, (row.game_id, row.seat))
    return "" if seat.absent and seat.account_id == row.account_id else "nobody is absent"


def _taken(session: sa.orm.Session, row: Any, reader: Any, words: str, now: Any) -> str:
    seat = session.get_one(Seat, (row.game_id, row.seat))
    return "the seat is still theirs" if seat.account_id == row.account_id else ""


JUDGES: dict[str, Callable[..., str]] = {
    **dict.fromkeys(ABOUT_A_MOVE, _move),
    "digest": _digest,
    "over": _ended,
    "cancelled": _ended,
    "absent": _absent,
    "taken": _taken,
}
