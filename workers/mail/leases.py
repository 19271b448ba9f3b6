"""Leases of mails: taken in groups, renewed as long as their process lives, and ended in groups.

A lease is one conditional UPDATE, so only one of two processes gets it. It is identified by the number of attempts,
which no other lease of the mail has. Any process may store that a mail was sent; other results only the lease's holder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Notification
from server.mailbox.choices import ASKED_AGAIN
from workers.queues import WorkerContext

FIRST = ("login", "offered")  # someone waits for it, or has little time to withdraw an offer that a thief signed
GIVEN_UP = "given-up"
AWAY = "relay-away"  # of a mail that waits for its next try because there was no connection
PAUSE = timedelta(minutes=5)  # a relay that opens every second connection must not use up the tries of a mail
Where = sa.ColumnElement[bool]


@dataclass(frozen=True, slots=True)
class LeasedMail:
    """A mail that this process may send."""

    id: int
    kind: str
    attempts: int
    request: str | None = None


@dataclass(frozen=True, slots=True)
class MailResult:
    """The result of a mail: its row's new state and values."""

    of: LeasedMail
    state: str
    values: dict[str, Any]


def waiting(now: datetime) -> Where:
    """Mails that are due, for the first time or again."""
    return sa.and_(Notification.state == "pending", Notification.next_at <= now)


def late(now: datetime) -> Where:
    """Mails held by a process that died, and mails that were given up and are due again."""
    abandoned = sa.and_(Notification.state == "leased", Notification.lease_until <= now)
    return sa.or_(abandoned, _asked_again(now))


def _asked_again(now: datetime) -> Where:
    """Mails about moves that were given up. While the move is owed, they are retried now and then."""
    given_up = sa.and_(Notification.state == "failed", Notification.reason == GIVEN_UP)
    return sa.and_(given_up, Notification.kind.in_(ASKED_AGAIN), Notification.next_at <= now)


def lease(ctx: WorkerContext, most: int, *where: Where) -> list[LeasedMail]:
    """The mails that no other process is taking, the longest due first."""
    chosen = sa.select(Notification.id).where(*where).order_by(Notification.next_at, Notification.id).limit(most)
    with ctx.services.database.read() as session:  # an idle server writes nothing
        if session.scalar(chosen.limit(1)) is None:
            return []
    with ctx.services.database.write() as session:
        numbers = list(session.scalars(chosen.with_for_update(skip_locked=True)))
        rows = {row.id: LeasedMail(*row) for row in session.execute(_claim(ctx, numbers))}
    return [rows[number] for number in numbers]


def _claim(ctx: WorkerContext, numbers: Collection[int]) -> Any:
    until = ctx.services.now() + timedelta(seconds=ctx.pace.lease)
    claim = sa.update(Notification).where(Notification.id.in_(numbers))
    claim = claim.values(state="leased", lease_until=until, attempts=Notification.attempts + 1)
    returned = claim.returning(Notification.id, Notification.kind, Notification.attempts, Notification.request_id)
    return returned.execution_options(synchronize_session=False)


def renew(ctx: WorkerContext, held: Collection[LeasedMail]) -> list[LeasedMail]:
    """Renew the leases of waiting mails, so that other processes leave them alone; returns those still held."""
    until = ctx.services.now() + timedelta(seconds=ctx.pace.lease)
    with ctx.services.database.write() as session:
        ours = set(session.scalars(_ours(held).values(lease_until=until).returning(Notification.id)))
    return [one for one in held if one.id in ours]


def give_back(ctx: WorkerContext, held: Collection[LeasedMail]) -> None:
    """Give back mails that were not tried; this does not count as an attempt."""
    with ctx.services.database.write() as session:
        back = {"state": "pending", "lease_until": None, "attempts": Notification.attempts - 1}
        session.execute(_ours(held).values(back))


def _ours(held: Collection[LeasedMail]) -> sa.Update:
    by_number = sorted((one.id, one.attempts) for one in held)  # all in one order, so that no two processes deadlock
    name = sa.tuple_(Notification.id, Notification.attempts)
    found = sa.update(Notification).where(Notification.state == "leased", name.in_(by_number))
    return found.execution_options(synchronize_session=False)


def release(ctx: WorkerContext) -> None:
    """The relay is back: mails that only its absence has put off are due now."""
    now = ctx.services.now()
    off = (Notification.state == "pending", Notification.next_at > now, Notification.reason == AWAY)
    put_off = sa.and_(*off, Notification.said_at <= now - PAUSE)
    with ctx.services.database.read() as session:
        if session.scalar(sa.select(Notification.id).where(put_off).limit(1)) is None:
            return
    with ctx.services.database.write() as session:
        due = sa.update(Notification).where(put_off).values(next_at=now)
        session.execute(due.execution_options(synchronize_session=False))


def store_results(session: Session, ends: Iterable[MailResult]) -> None:
    """Store the result of each mail and end its lease."""
    for end in sorted(ends, key=lambda end: end.of.id):
        whole = {"state": end.state, "lease_until": None, "reason": None, **end.values}
        found = sa.update(Notification).where(Notification.id == end.of.id)
        if end.state != "sent":
            found = found.where(Notification.state == "leased", Notification.attempts == end.of.attempts)
        session.execute(found.values(whole).execution_options(synchronize_session=False))
