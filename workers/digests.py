"""Digests: several mails gathered into one, at the hour that the reader chose.

A mail for the digest is a row in state `held`. At the chosen hour the clock inserts one row of kind `digest` for all
held rows of a reader and sets their `digest_id`, in one transaction; the digest is then sent like any other mail. When
it ends, its rows end with the same result. If a process dies in between, each row is either held or in one digest.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import quarantine
from server.kernel.db.models import Game, Notification, Seat
from server.mailbox.choices import ProposedMail, verdict
from workers.dispatch import insert
from workers.mail.facts import digest_id
from workers.queues import WorkerContext

MOST = 200
STOPPED = timedelta(hours=1)  # until a stopped game is checked again
HELD = (Notification.state == "held", Notification.digest_id.is_(None))
LOOP = quarantine.Loop("digests", Notification.account_id)


def gather(ctx: WorkerContext) -> None:
    """Make a digest for each reader with held mails that are due."""
    quarantine.process(ctx.services, LOOP, due(ctx.services.now()), MOST, partial(_gather_all, ctx))


def due(now: datetime) -> sa.Select[int | None]:
    """Accounts with held mails whose hour has come."""
    late = sa.select(Notification.account_id).where(*HELD, Notification.next_at <= now)
    return late.distinct().order_by(Notification.account_id)


def _gather_all(ctx: WorkerContext, account_id: int) -> None:
    with ctx.services.database.write() as session:
        _gather(session, ctx, account_id)


def _gather(session: Session, ctx: WorkerContext, account_id: int) -> None:
    """Make the digest's row from the mails that still apply; the others are dropped with their reason."""
    now = ctx.services.now()
    late = sa.select(Notification).where(*HELD, Notification.account_id == account_id, Notification.next_at <= now)
    rows = session.scalars(late.order_by(Notification.id).with_for_update(skip_locked=True)).all()
    good = [row for row in rows if _is_so(session, row, now)]
    if not good:
        return
    last, at = good[-1].id, int(now.timestamp())
    number = insert(
        session,
        ctx,
        {
            "dedupe_key": f"digest.{last}.{at}",
            "kind": "digest",
            "account_id": account_id,
            "message_id": digest_id(ctx.origin.host, last, at),
            "next_at": now,
        },
        now,
    )
    assert number is not None  # of two digests made in the same second, no two end with the same row
    for row in good:
        row.digest_id = number


def _is_so(session: Session, row: Notification, now: datetime) -> bool:
    """True if it goes into the digest now. If not, stores the reason or the time of the next check in the row."""
    why = against(session, row, now)
    if why is not None:
        row.state, row.reason = "dropped", why
        return False
    if session.get_one(Game, row.game_id).is_stopped:
        row.next_at = now + STOPPED
        return False
    return True


def against(session: Session, row: Notification, now: datetime) -> str | None:
    """Why it is left out of digests: it no longer applies, or is not wanted."""
    why = _outdated(session, row, now)
    if why is not None:
        return why
    found = verdict(session, ProposedMail(row.kind, row.account_id, row.created_at, row.game_id), now)
    return found.reason if found.do == "not" else None


def _outdated(session: Session, row: Notification, now: datetime) -> str | None:
    """Why it no longer applies, judging by the rows of its game; None if it still does."""
    seat, game = session.get(Seat, (row.game_id, row.seat)), session.get_one(Game, row.game_id)
    if seat is None or seat.account_id != row.account_id:
        return "seat-left"
    if row.kind in ("over", "cancelled"):
        return None
    if game.status != "running":
        return "game-over"
    if row.kind == "absent":
        return None if seat.absent else "back"
    if row.kind not in ("turn", "time", "reminder"):
        return None
    if seat.question_seq is None or seat.question_seq > (row.seq or 0):
        return "answered"
    return "too-late" if seat.deadline is not None and seat.deadline <= now else None


def settle(ctx: WorkerContext) -> None:
    """Close the mails that ended digests contained, with the same result."""
    for number, ended in _ended(ctx):
        told = sa.update(Notification).where(Notification.digest_id == number, Notification.state == "held")
        with ctx.services.database.write() as session:
            session.execute(told.values(**ended))


def _ended(ctx: WorkerContext) -> list[tuple[int, dict[str, Any]]]:
    digest = sa.orm.aliased(Notification)
    over = sa.or_(digest.state.in_(("sent", "dropped")), sa.and_(digest.state == "failed", digest.reason == "refused"))
    # From the held rows, which are few: ended digests grow in number with the days.
    waited_for = sa.select(Notification.digest_id).where(
        Notification.state == "held", Notification.digest_id.is_not(None)
    )
    asked = sa.select(digest).where(digest.id.in_(waited_for), over).limit(MOST)
    with ctx.services.database.read() as session:
        return [(row.id, {name: getattr(row, name) for name in ENDS}) for row in session.scalars(asked)]


ENDS = ("state", "reason", "sent_at", "said", "said_at", "last_error")
