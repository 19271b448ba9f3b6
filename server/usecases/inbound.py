"""Mail that comes in is kept before anybody says that it was taken; what is at no address of ours is counted, not kept.

Several mails are one transaction, so that many connections at once cost one write to the disk. Nobody is told whether a
token was good: whoever tries some learns nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server import metrics
from server.auth import replies
from server.config import Settings
from server.db.models import Account, InboundMail, Notification, Plan
from server.errors import Problem
from server.projections.games import iso
from server.services import Services

Via = Literal["smtp", "lmtp", "raw", "mailgun", "postmark"]
LARGEST = 2 * 1024 * 1024  # a reply that quotes our picture and encloses one of its own
MOST_OF_ONE = 10  # kept and not read yet, for one mail of ours
MOST = 5000
MOST_QUARANTINED, QUARANTINE_KEPT = 200, timedelta(days=30)
READ_KEPT = timedelta(days=14)  # its name tells a second copy, and no mail is believed that is half as old


@dataclass(frozen=True, slots=True)
class Arrived:
    """One mail for one address. `relayed`: by the relay that is believed; `once`: what another relay shows one time."""

    to: str
    raw: bytes
    via: Via
    relayed: bool = False
    once: str | None = None


def about(row: Notification, email: str) -> replies.Subject | None:
    """What a token of this mail to this address is about; None if it is of no game."""
    if row.game_id is None or row.seat is None:
        return None
    return replies.Subject(row.id, row.game_id, row.seat, row.seq or 0, email)


def is_ours(settings: Settings, email: str) -> bool:
    """Is this an address of the form that we write from, whether there is such a token or not?"""
    return _token(settings, email) is not None


def keep(services: Services, arrived: Sequence[Arrived]) -> list[int]:
    """The rows of those that are kept, all in the database when this returns; Problem `unavailable` if it is full."""
    with services.database.write() as session:
        waiting = sa.select(sa.func.count()).where(InboundMail.state.in_(("waiting", "leased")))
        if (session.scalar(waiting) or 0) + len(arrived) > MOST:
            raise Problem("unavailable")
        rows = [_keep(services, session, one) for one in arrived]
        session.flush()
        numbers = [row.id for row in rows if row is not None]
    services.waker.wake_mails(numbers)
    return numbers


def _keep(services: Services, session: Session, one: Arrived) -> InboundMail | None:
    found = _known(services.settings, session, one.to)
    how = "unknown" if found is None else _full(session, found, one)
    metrics.INBOUND.labels(one.via, how).inc()
    if found is None or how != "kept":
        return None
    now = services.now()
    row = InboundMail(
        kind=found.kind,
        token=found.token,
        notification_id=found.notification,
        raw=one.raw,
        via=one.via,
        relayed=one.relayed,
        once=one.once,
        state="waiting",
        attempts=0,
        next_at=now,
        received_at=now,
    )
    session.add(row)
    session.flush()
    return row


@dataclass(frozen=True, slots=True)
class _Token:
    kind: replies.Kind
    token: str
    notification: int


def _token(settings: Settings, email: str) -> tuple[replies.Kind, str] | None:
    patterns: tuple[tuple[replies.Kind, str | None], ...] = (
        ("move", settings.reply_address),
        ("bounce", settings.bounce_address),
    )
    for kind, pattern in patterns:
        text = None if pattern is None else replies.token_in(pattern, email)
        if text is not None:
            return kind, text
    return None


def _known(settings: Settings, session: Session, email: str) -> _Token | None:
    named = _token(settings, email)
    number = None if named is None else replies.number_of(named[1])
    row = None if number is None else session.get(Notification, number)
    account = None if row is None else session.get(Account, row.account_id)
    if named is None or row is None or account is None or account.email is None:
        return None
    subject = about(row, account.email)
    good = subject is not None and replies.is_good(settings.master, named[0], named[1], subject)
    return _Token(named[0], named[1], row.id) if good else None


def _full(session: Session, found: _Token, one: Arrived) -> str:
    if one.once is not None and session.scalar(sa.select(InboundMail.id).where(InboundMail.once == one.once)):
        return "again"
    kept = sa.select(sa.func.count()).where(
        InboundMail.notification_id == found.notification, InboundMail.state != "done"
    )
    return "full" if (session.scalar(kept) or 0) >= MOST_OF_ONE else "kept"


def forget_of(session: Session, account_id: int) -> None:
    """What an account has mailed, and its plans: they go with it."""
    mailed = sa.select(Notification.id).where(Notification.account_id == account_id)
    session.execute(sa.delete(InboundMail).where(InboundMail.notification_id.in_(mailed)))
    session.execute(sa.delete(Plan).where(Plan.account_id == account_id))


def forget_mail(services: Services) -> None:
    """What was read long ago, and of what nobody could read all but the newest: it has a cap and an age."""
    now, row = services.now(), InboundMail
    newest = sa.select(row.id).where(row.state == "quarantined").order_by(row.id.desc()).limit(MOST_QUARANTINED)
    old = sa.or_(
        sa.and_(row.state == "done", row.ended_at < now - READ_KEPT),
        sa.and_(row.state == "quarantined", row.ended_at < now - QUARANTINE_KEPT),
        sa.and_(row.state == "quarantined", row.id.not_in(newest)),
    )
    with services.database.read() as session:
        numbers = list(session.scalars(sa.select(row.id).where(old).limit(500)))
    if numbers:
        with services.database.write() as session:
            session.execute(sa.delete(row).where(row.id.in_(numbers)))


def quarantined(services: Services) -> list[dict[str, Any]]:
    """What could not be read, the oldest first: when it came, how, how large, why."""
    rows = sa.select(InboundMail).where(InboundMail.state == "quarantined").order_by(InboundMail.id)
    with services.database.read() as session:
        return [
            {"mail": row.id, "kind": row.kind, "at": iso(row.received_at), "via": row.via, "tries": row.attempts}
            | {"size": len(row.raw or b""), "why": row.reason}
            for row in session.scalars(rows)
        ]


def read_quarantined(services: Services, number: int, *, again: bool, drop: bool) -> bytes | None:
    """The mail as it came in, which waits `again` from now on, or is dropped; None if there is none."""
    with services.database.write() as session:
        row = session.get(InboundMail, number)
        if row is None or row.state != "quarantined":
            return None
        raw = row.raw or b""
        if again:
            row.state, row.attempts, row.next_at, row.ended_at = "waiting", 0, services.now(), None
        elif drop:
            session.delete(row)
    if again:
        services.waker.wake_mails([number])
    return raw
