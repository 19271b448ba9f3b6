"""One notification, mailed or dropped: lease, look whether it is still true, hand over, note the end.

The lease is one conditional UPDATE, so of two workers one goes on. The connection is open before the facts are read:
between the look and the letter lies no waiting. If the worker dies after the server has taken the letter and before
the row says so, the letter goes again under the same Message-ID; nothing else is ever sent twice, and nothing is lost.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import format_datetime
from typing import Any

import sqlalchemy as sa

from server.db.models import Notification
from server.logs import log
from server.told import Said
from server.usecases import mailbox
from workers.context import current
from workers.mail import answerable
from workers.mail.address import BadAddress, clean
from workers.mail.answerable import where
from workers.mail.compose import compose
from workers.mail.load import load
from workers.mail.smtp import Never, NotNow
from workers.mail.untrue import Untrue
from workers.queues import Shop

QUESTIONS = ("turn", "reminder")
GIVEN_UP = "given-up"
LONGEST_WORD = 500  # of what a server said, as the row keeps it


class Undelivered(Exception):
    """A fault of ours on the way. Says where, and nothing of what: facts of a game may be hidden ones."""


def deliver(notification_id: int) -> None:
    """The job."""
    deliver_in(current(), notification_id)


def deliver_in(shop: Shop, notification_id: int) -> str:
    """What became of it: `sent`, `dropped`, `failed`, `later`, or `not-due` if it is nobody's turn to try."""
    attempts = _lease(shop, notification_id)
    if attempts is None:
        return "not-due"
    try:
        said = _mail(shop, notification_id)
    except Untrue as reason:
        return _end(shop, notification_id, attempts, "dropped", reason=str(reason))
    except Never as no:
        return _refused(shop, notification_id, attempts, str(no))
    except BadAddress as no:
        return _end(shop, notification_id, attempts, "failed", **_unsaid(shop, str(no)), reason="refused")
    except NotNow as wait:
        return _later(shop, notification_id, attempts, str(wait))
    except Exception as fault:  # noqa: BLE001 - raised again below, without what it says
        place = where(fault)
        _later(shop, notification_id, attempts, place)
        raise Undelivered(f"notification {notification_id}: {place}") from None
    return _end(shop, notification_id, None, "sent", **_taken(shop, said), reason=None)


def _lease(shop: Shop, number: int) -> int | None:
    """The number of this try; None if it is not due, or another worker has it."""
    now = shop.services.now()
    waiting = sa.and_(Notification.state == "pending", Notification.next_at <= now)
    abandoned = sa.and_(Notification.state == "leased", Notification.lease_until <= now)
    claim = (
        sa.update(Notification)
        .where(Notification.id == number, sa.or_(waiting, abandoned, asked_again(now)))
        .values(
            state="leased",
            lease_until=now + timedelta(seconds=shop.pace.lease),
            attempts=Notification.attempts + 1,
        )
        .returning(Notification.attempts)
    )
    with shop.services.database.write() as session:
        return session.scalar(claim)


def asked_again(now: datetime) -> sa.ColumnElement[bool]:
    """Questions that were given up: as long as one waits it is tried now and then: the relay may be well."""
    given_up = sa.and_(Notification.state == "failed", Notification.reason == GIVEN_UP)
    return sa.and_(given_up, Notification.kind.in_(QUESTIONS), Notification.next_at <= now)


def _taken(shop: Shop, said: str) -> dict[str, Any]:
    """For the row: what the server said, and when."""
    now = shop.services.now()
    return {"sent_at": now, "said_at": now, "said": clean(said, LONGEST_WORD), "last_error": None}


def _unsaid(shop: Shop, says: str) -> dict[str, Any]:
    """For the row: why it was not taken, and when."""
    why = clean(says, LONGEST_WORD)
    return {"said_at": shop.services.now(), "said": why, "last_error": why}


def _mail(shop: Shop, number: int) -> str:
    with shop.smtp.session() as connection:
        with shop.services.database.read() as session:
            row = session.get(Notification, number)
            assert row is not None
            reader, facts = load(shop, session, row)
            sender, marks = answerable.bounce(shop, row, reader.email), answerable.marks(shop, row, reader.email)
        letter = compose(shop.house, reader, facts)
        for name, value in {"Date": format_datetime(shop.services.now()), **marks}.items():
            letter[name] = value
        return connection.send(letter, sender)


def _refused(shop: Shop, number: int, attempts: int, says: str) -> str:
    """There is no such mailbox, and no more mail goes to it. Noted first: killed here, the next look finds it so."""
    with shop.services.database.write() as session:
        row = session.get_one(Notification, number)
        account = mailbox.account_of(session, row)
        if account is not None:
            mailbox.add(shop.services, session, row, account.id, Said("gone", clean(says, LONGEST_WORD)), "relay")
    return _end(shop, number, attempts, "failed", **_unsaid(shop, says), reason="refused")


def _later(shop: Shop, number: int, attempts: int, says: str) -> str:
    next_at = shop.services.now() + timedelta(seconds=shop.pace.wait(attempts))
    if attempts >= shop.pace.tries:
        return _end(shop, number, attempts, "failed", next_at=next_at, **_unsaid(shop, says), reason=GIVEN_UP)
    _end(shop, number, attempts, "pending", next_at=next_at, **_unsaid(shop, says))
    return "later"


def _end(shop: Shop, number: int, attempts: int | None, state: str, **values: Any) -> str:
    """Give the lease back, if it is still ours; but what was sent is sent, whoever holds the lease by now."""
    ours = [] if attempts is None else [Notification.attempts == attempts, Notification.state == "leased"]
    done = sa.update(Notification).where(Notification.id == number, *ours)
    with shop.services.database.write() as session:
        session.execute(done.values(state=state, lease_until=None, **values))
    log.info("notification", notification=number, state=state, reason=values.get("reason"))
    return state
