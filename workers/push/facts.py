"""What a notification says at the moment it is sent, or why it must not be sent any more.

It contains the kind of the news, the game and the number of games that wait: no names, no moves, no words. The device
has the words (`server/http/static/sw.js`), so a push service that could read it would learn nothing of the game.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from server.kernel.db.models import Game, PushMessage, PushSubscription, Seat
from server.mailbox.choices import ProposedMail, Verdict, verdict
from workers.errors import WorkerError

QUESTIONS = ("turn", "time", "reminder")
NEWS_LASTS = timedelta(days=1)
SHORTEST, LONGEST = timedelta(minutes=1), timedelta(days=28)  # for which a push service keeps it


class OutdatedPushError(WorkerError):
    """It must no longer be sent; the message is the reason."""


class PostponedPushError(WorkerError):
    """Its reader wants it later."""

    def __init__(self, found: Verdict) -> None:
        super().__init__(found.reason)
        self.verdict = found


def text(kind: str, game_id: str, waiting: int) -> bytes:
    """The content; `waiting` games, as the badge shows them."""
    return msgspec.json.encode({"kind": kind, "game": game_id, "count": min(waiting, 999)})


def check(session: Session, row: PushMessage, device: PushSubscription, now: datetime) -> None:
    """Raise if it does not apply any more, or its reader does not want it now."""
    reason = _why_not(session, row, device.account_id, now)
    if reason is not None:
        raise OutdatedPushError(reason)
    proposed = ProposedMail(row.kind, device.account_id, row.created_at, row.game_id)
    found = verdict(session, proposed, now, is_push=True)
    if found.do == "not":
        raise OutdatedPushError(found.reason)
    if found.do != "send":
        raise PostponedPushError(found)


def time_to_live(session: Session, row: PushMessage, now: datetime) -> int:
    """In seconds: the time left for the move, or a day for other news."""
    seat = session.get(Seat, (row.game_id, row.seat))
    deadline = None if seat is None or row.kind not in QUESTIONS else seat.deadline
    left = NEWS_LASTS if deadline is None else deadline - now
    return int(max(SHORTEST, min(left, LONGEST)).total_seconds())


def _why_not(session: Session, row: PushMessage, account_id: int, now: datetime) -> str | None:
    game, seat = session.get_one(Game, row.game_id), session.get(Seat, (row.game_id, row.seat))
    holds = seat is not None and seat.account_id == account_id
    if row.kind == "taken":
        return "taken-back" if holds else None
    if seat is None or (not holds and row.kind != "offered"):
        return "seat-left"
    if game.faulted_at is not None or game.missing_since is not None:
        return "game-stopped"
    if row.kind in ("over", "cancelled"):
        return None
    if game.status != "running":
        return "game-over"
    return _of_running(row, seat, now)


def _of_running(row: PushMessage, seat: Seat, now: datetime) -> str | None:
    if row.kind in QUESTIONS and (seat.question_seq is None or seat.question_seq > (row.seq or 0)):
        return "answered"
    if row.kind == "absent" and not seat.absent:
        return "back"
    if row.kind == "offered" and not seat.open:
        return "closed"
    return _of_deadline(row, seat, now) if row.kind in ("reminder", "time") else None


def _of_deadline(row: Any, seat: Seat, now: datetime) -> str | None:
    """It is about one deadline, by the number in its key."""
    if seat.deadline is None or seat.deadline <= now:
        return "too-late"
    return None if f".n{seat.deadline_n}." in row.dedupe_key else "more-time"
