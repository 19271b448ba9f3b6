"""Sends one leased mail, or drops it: check that it still applies, compose it, send it, return the result.

The connection is opened before the facts are read, so that nothing delays the mail after the check. If the worker dies
after the relay has accepted the mail and before the row says so, it is sent again under the same Message-ID. No other
mail is sent twice, and none is lost.
"""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime
from typing import Any

from server.kernel.db.models import Notification
from server.kernel.logs import apart, bind_request, log, request_id
from server.log.recovery import STOPPED
from server.mailbox import delivery_reports
from server.mailbox.delivery_reports import DeliveryReport
from workers.dispatch import verdict_values
from workers.errors import where
from workers.mail import reply_addresses
from workers.mail.compose import compose
from workers.mail.errors import OutdatedMailError, PostponedMailError
from workers.mail.headers import AddressError, clean
from workers.mail.leases import AWAY, GIVEN_UP, LeasedMail, MailResult
from workers.mail.load import load
from workers.mail.smtp import KeptConnection, PermanentMailError, RelayAwayError, TransientMailError
from workers.queues import WorkerContext

LONGEST_WORD = 500  # of a server's answer, as the row stores it
LOOK = 300  # seconds until a mail looks again whether its game goes on


def deliver(ctx: WorkerContext, one: LeasedMail, line: KeptConnection) -> MailResult:
    """Send it and return the result; a fault of ours is also a result, and the mail is tried again."""
    return apart(lambda: _deliver(ctx, one, line))


def _deliver(ctx: WorkerContext, one: LeasedMail, line: KeptConnection) -> MailResult:
    bind_request(one.request)
    try:
        return _delivered(ctx, one, line)
    except Exception as fault:  # noqa: BLE001 - logged by its place, without what it says: it may hold what a seat hides
        log.error("mail-fault", notification=one.id, place=where(fault))
        return _later(ctx, one, where(fault))


def _delivered(ctx: WorkerContext, one: LeasedMail, line: KeptConnection) -> MailResult:
    try:
        said = _mail(ctx, one.id, line)
    except OutdatedMailError as reason:
        return MailResult(one, "dropped", {"reason": str(reason)})
    except PostponedMailError as wanted:  # no server was contacted, so it does not count as a try
        values = verdict_values(wanted.verdict, ctx.services.now())
        return MailResult(one, values.pop("state"), values | {"attempts": one.attempts - 1})
    except PermanentMailError as no:
        return _refused(ctx, one, str(no))
    except AddressError as no:
        return MailResult(one, "failed", _unsaid(ctx, str(no)) | {"reason": "refused"})
    except RelayAwayError as no:
        return _later(ctx, one, str(no), AWAY)
    except TransientMailError as wait:
        return (_until_it_goes_on if str(wait) in STOPPED else _later)(ctx, one, str(wait))
    return MailResult(one, "sent", _taken(ctx, said))


def _mail(ctx: WorkerContext, number: int, line: KeptConnection) -> str:
    connection = line.session()
    with ctx.services.database.read() as session:
        row = session.get(Notification, number)
        assert row is not None
        reader, facts = load(ctx, session, row)
        sender, marks = reply_addresses.bounce(ctx, row, reader.email), reply_addresses.marks(ctx, row, reader.email)
    letter = compose(ctx.origin, reader, facts)
    request = request_id()
    told = {} if request is None else {"X-Request-Id": request}
    for name, value in {"Date": format_datetime(ctx.services.now()), **told, **marks}.items():
        letter[name] = value
    return connection.send(letter, sender)


def _refused(ctx: WorkerContext, one: LeasedMail, says: str) -> MailResult:
    """The mailbox does not exist, so mail to it stops. Noted first, so that nothing is lost if the worker dies here."""
    with ctx.services.database.write() as session:
        row = session.get_one(Notification, one.id)
        account = delivery_reports.account_of(session, row)
        if account is not None:
            delivery_reports.add_report(
                ctx.services, session, row, account.id, DeliveryReport("gone", clean(says, LONGEST_WORD)), "relay"
            )
    return MailResult(one, "failed", _unsaid(ctx, says) | {"reason": "refused"})


def _later(ctx: WorkerContext, one: LeasedMail, says: str, reason: str | None = None) -> MailResult:
    values = _unsaid(ctx, says) | {
        "next_at": ctx.services.now() + timedelta(seconds=ctx.pace.wait(one.attempts)),
    }
    if one.attempts >= ctx.pace.tries:
        return MailResult(one, "failed", values | {"reason": GIVEN_UP})
    return MailResult(one, "pending", values | {"reason": reason})


def _until_it_goes_on(ctx: WorkerContext, one: LeasedMail, why: str) -> MailResult:
    """No relay has refused it, so this is not an attempt. Nothing wakes the mail when rules have been installed."""
    soon = ctx.services.now() + timedelta(seconds=LOOK)
    return MailResult(one, "pending", _unsaid(ctx, why) | {"next_at": soon, "attempts": max(1, one.attempts - 1)})


def _taken(ctx: WorkerContext, said: str) -> dict[str, Any]:
    """For the row: the server's answer, and when."""
    now = ctx.services.now()
    return {"sent_at": now, "said_at": now, "said": clean(said, LONGEST_WORD), "last_error": None}


def _unsaid(ctx: WorkerContext, says: str) -> dict[str, Any]:
    """For the row: why it was not accepted, and when."""
    why = clean(says, LONGEST_WORD)
    return {"said_at": ctx.services.now(), "said": why, "last_error": why}
