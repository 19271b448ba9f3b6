"""Deletes rows that are no longer needed, after their times in the settings, batch by batch.

Nothing here is part of a game's record, and nothing that can still be used is deleted: a mail stays while the question
it asks is open, a link while a mail contains it. A round takes a batch of each table in turn until nothing is left or
its time is used, so a table that grows quickly keeps no other waiting.

SQLite gives the number of a deleted newest row again. Tokens and names of mails are made from such numbers, so the
newest row of their tables stays.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.accounts.devices.write import LIFETIME as GRANT_LIFETIME
from server.accounts.statements import CHALLENGE_LIFETIME
from server.http.credentials import SESSION_LIFETIME
from server.kernel import operator_log
from server.kernel.db.models import (
    Account,
    AccountEvent,
    Base,
    DeviceGrant,
    IdempotencyKey,
    InboundMail,
    KeyChallenge,
    LoginLink,
    MailReport,
    Message,
    Notification,
    Outbox,
    PlayerReport,
    Seat,
    UnnumberedEvent,
    WebSession,
)
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.mailbox import delivery_reports, inbound
from server.tables.talk import write as talk

LEAP = 1_000_000  # more events than any account gets after a backup is made
MOST = 1000  # rows of a batch: a writer of SQLite blocks all others
SHARE = 1.0  # seconds of a round of the clock, which come five seconds apart
Condition = sa.ColumnElement[bool]


class Served(NamedTuple):
    """A table from which old rows are deleted: those for which `is_over` is true.

    `gone` gets the values of `told`, by default the first column of the key, of the rows that were deleted.
    """

    table: type[Base]
    is_over: Callable[[Services], Condition]
    told: Any = None
    gone: Callable[[Session, Sequence[Any]], None] | None = None


def forget(services: Services, share: float = SHARE) -> Counter[str]:
    """Delete rows that are no longer needed, for about `share` seconds at most; returns how many of each table."""
    gone, until = Counter[str](), time.monotonic() + share
    waiting = deque(SERVED)
    while waiting:
        served = waiting.popleft()
        count = _forget_batch(services, served)
        gone[served.table.__tablename__] += count
        if count == MOST and time.monotonic() < until:
            waiting.append(served)
    return +gone


def _forget_batch(services: Services, served: Served) -> int:
    """Look first: an idle server writes nothing. The deletion repeats the condition for rows that change meanwhile."""
    is_over, key = served.is_over(services), sa.inspect(served.table).primary_key
    with services.database.read() as session:
        if session.execute(sa.select(*key).where(is_over).limit(1)).first() is None:
            return 0
    batch = sa.select(*key).where(is_over).limit(MOST).correlate(None)
    named = key[0].in_(batch) if len(key) == 1 else sa.tuple_(*key).in_(batch)
    gone = sa.delete(served.table).where(named, is_over).execution_options(synchronize_session=False)
    with services.database.write() as session:
        deleted = session.scalars(gone.returning(key[0] if served.told is None else served.told)).all()
        if served.gone is not None:
            served.gone(session, deleted)
    return len(deleted)


def _events(services: Services) -> Condition:
    """A reader who needs them gets `reset`."""
    return AccountEvent.created_at < _days_ago(services, services.settings.events_kept)


def _unread_events(services: Services) -> Condition:
    return UnnumberedEvent.created_at < _days_ago(services, services.settings.events_kept)


def _use_numbers(session: Session, accounts: Sequence[int]) -> None:
    """The numbers of deleted events count as used, so a reader who needs them gets `reset`."""
    for account, lost in sorted(Counter(accounts).items()):
        session.execute(sa.update(Account).where(Account.id == account).values(events=Account.events + lost))


def _outbox(services: Services) -> Condition:
    is_old = Outbox.dispatched_at < _days_ago(services, services.settings.outbox_kept)
    return sa.and_(is_old, Outbox.id < _newest(Outbox))


def _mails(services: Services) -> Condition:
    """Ended ones, but not about an open question: it may be answered by mail, and nobody is asked twice."""
    is_open = sa.exists().where(
        Seat.game_id == Notification.game_id, Seat.seat == Notification.seat, Seat.question_seq <= Notification.seq
    )
    return sa.and_(
        Notification.state.in_(("sent", "dropped", "failed")),
        Notification.next_at < _days_ago(services, services.settings.mails_kept),
        ~is_open,
        Notification.id < _newest(Notification),
    )


def _links(services: Services) -> Condition:
    """Without a limit for requests that counts them, and without a mail."""
    mailed = sa.exists().where(Notification.login_link_id == LoginLink.id)
    noted = sa.exists().where(Outbox.login_link_id == LoginLink.id)
    return sa.and_(LoginLink.expires_at <= services.now(), ~mailed, ~noted, LoginLink.id < _newest(LoginLink))


def _challenges(services: Services) -> Condition:
    return KeyChallenge.created_at <= services.now() - CHALLENGE_LIFETIME


def _grants(services: Services) -> Condition:
    """Some minutes after its end, so that a program that polls reads that it has expired."""
    return DeviceGrant.expires_at <= services.now() - GRANT_LIFETIME


def _repeats(services: Services) -> Condition:
    return IdempotencyKey.created_at < _days_ago(services, services.settings.repeats_kept)


def _sessions(services: Services) -> Condition:
    return WebSession.last_used_at <= services.now() - SESSION_LIFETIME


SERVED = (
    Served(AccountEvent, _events),
    Served(UnnumberedEvent, _unread_events, UnnumberedEvent.account_id, _use_numbers),
    Served(Outbox, _outbox),
    Served(Notification, _mails),
    Served(LoginLink, _links),
    Served(KeyChallenge, _challenges),
    Served(DeviceGrant, _grants),
    Served(IdempotencyKey, _repeats),
    Served(WebSession, _sessions),
    Served(InboundMail, inbound.is_over),
    Served(MailReport, delivery_reports.is_over),
    Served(Message, talk.is_over),
    Served(PlayerReport, talk.is_report_over),
)


def _days_ago(services: Services, days: int) -> datetime:
    return services.now() - timedelta(days=days)


def _newest(table: type[Notification | LoginLink | Outbox]) -> sa.ScalarSelect[int]:
    other = sa.orm.aliased(table)
    return sa.select(sa.func.max(other.id)).scalar_subquery()


def leap_events(services: Services, by: Operator) -> int:
    """After a restore, skip the numbers used since the backup, so that readers get `reset`. The number of accounts."""
    with services.database.write() as session:
        operator_log.record(services, session, by, "reset-events")
        session.execute(sa.delete(AccountEvent))
        session.execute(sa.delete(UnnumberedEvent))
        return len(session.scalars(sa.update(Account).values(events=Account.events + LEAP).returning(Account.id)).all())
