"""Delivery reports on a mailbox, and what follows: mail to it stops until its owner resumes it.

It is stopped (`MailStop`) at once if the mailbox is gone or its reader complains, and after a week in which every mail
bounced. Only mail stops: nobody is signed out, and games are not affected. Security notices and sign-in links are still
mailed: a server that is wrong about a mailbox must not lock anybody out. The use of a link that was mailed since shows
that mail arrives; a new address starts without reports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Account, LoginLink, MailReport, MailStop, Notification
from server.kernel.errors import Problem, ServerError
from server.kernel.services import Services
from server.kernel.text import clean
from server.log import outbox
from server.mailbox.choices import QUESTIONS

UNSTOPPED = ("login", "waiting", "confirm", "offered", "bounced")  # kinds of mail that are never stopped
PATIENCE = timedelta(days=7)  # in which all mails must bounce
FEWEST = 3  # that many of them, at least
ARRIVED = timedelta(days=5)  # a mail that has not bounced by then has arrived: relays give up earlier
KEPT = timedelta(days=30)
MOST_DAYS = 7  # until a bounced question is mailed again


class MailInTransitError(ServerError):
    """The worker that hands the mail over has not noted the result yet."""


def note_report(services: Services, session: Session, mail: int, report: DeliveryReport, via: str) -> str:
    """Store a report on this mail and act on it; returns its kind, `again` for a known one, or `nobody`."""
    row = session.scalars(sa.select(Notification).where(Notification.id == mail).with_for_update()).one_or_none()
    account = None if row is None else account_of(session, row)
    if row is None or account is None:
        return "nobody"
    if row.state == "leased":
        raise MailInTransitError
    if _is_known(session, row, report):
        return "again"
    add_report(services, session, row, account.id, report, via)
    if report.kind != "complaint":
        _came_back(services, session, row, report)
    return report.kind


def add_report(
    services: Services, session: Session, row: Notification, account_id: int, report: DeliveryReport, via: str
) -> None:
    """Add a report on this account's mailbox, which may stop its mail."""
    now = services.now()
    made = {"account_id": account_id, "notification_id": row.id, "kind": report.kind, "says": report.says[:500]}
    session.add(MailReport(**made, via=via, at=now, spent=False))
    session.flush()
    since = now if report.kind != "soft" else _since(session, account_id, now)
    if report.kind != "ours" and since is not None:
        _stop(session, account_id, report, since=now)


def account_of(session: Session, row: Notification) -> Account | None:
    """The account that a mail went to; for a sign-in link, the account that has its address now."""
    if row.account_id is not None:
        found = session.get(Account, row.account_id)
        return found if found is not None and found.email is not None else None
    link = None if row.login_link_id is None else session.get(LoginLink, row.login_link_id)
    return None if link is None else session.scalar(sa.select(Account).where(Account.email == link.email))


def is_stopped(session: Session, account_id: int | None, kind: str) -> bool:
    """Is mail of this kind to this account stopped?"""
    if account_id is None or kind in UNSTOPPED:
        return False
    return session.scalar(sa.select(MailStop.account_id).where(MailStop.account_id == account_id)) is not None


def _is_known(session: Session, row: Notification, report: DeliveryReport) -> bool:
    """A mail bounces at most once for each time it was sent; a complaint counts once."""
    if report.kind != "complaint":
        return row.state == "failed" and (report.kind != "gone" or row.reason == "refused")
    same = (MailReport.notification_id == row.id, MailReport.kind == "complaint")
    return session.scalar(sa.select(MailReport.id).where(*same)) is not None


def _came_back(services: Services, session: Session, row: Notification, report: DeliveryReport) -> None:
    """Only reports on the mailbox are final; a question that bounced is mailed again, at growing intervals."""
    mine = sa.select(sa.func.count()).where(MailReport.notification_id == row.id)
    days = min(session.scalar(mine) or 1, MOST_DAYS)
    row.state, row.lease_until = "failed", None
    row.said = row.last_error = report.says[:500]
    row.said_at = services.now()
    row.reason = "refused" if report.kind == "gone" else "given-up"
    row.next_at = services.now() + timedelta(days=days)


def _since(session: Session, account_id: int, now: datetime) -> datetime | None:
    """Since when everything bounces, if that is long enough to stop mail; otherwise None.

    A mail that was sent again has arrived unless it has bounced again. What digests contained was not mailed alone.
    """
    mail, report = Notification, MailReport
    back = sa.exists().where(report.notification_id == mail.id, report.at >= mail.sent_at)
    sent = (mail.account_id == account_id, mail.sent_at <= now - ARRIVED, mail.digest_id.is_(None), ~back)
    mail_arrived = session.scalar(sa.select(sa.func.max(mail.sent_at)).where(*sent))
    run = sa.select(sa.func.min(report.at), sa.func.count()).where(
        report.account_id == account_id, report.kind == "soft", report.spent.is_(False)
    )
    if mail_arrived is not None:
        run = run.where(report.at > mail_arrived)
    first, count = session.execute(run).one()
    return first if count >= FEWEST and first <= now - PATIENCE else None


def _stop(session: Session, account_id: int, report: DeliveryReport, since: datetime) -> None:
    """Stop mail. A complaint outweighs a server's report; otherwise the present reason stays."""
    found = session.get(MailStop, account_id)
    why = {"gone": "gone", "soft": "failing", "complaint": "complaint"}[report.kind]
    if found is None:
        session.add(MailStop(account_id=account_id, why=why, says=report.says[:500], since=since))
        if why != "complaint":  # a server may be wrong about a mailbox; a reader who complains wants no more mail
            outbox.row_of_mail(session, "bounced", account_id, None, since)
    elif why == "complaint" != found.why:
        found.why, found.says, found.since = why, report.says[:500], since


# --- resuming mail --------------------------------------------------------------------------------------------------


def want_mail(services: Services, account_id: int) -> None:
    """Resume mails: what still applies is mailed now; Problem `not-found` if mails are not stopped."""
    with services.database.write() as session:
        if session.get(MailStop, account_id) is None:
            raise Problem("not-found")
        lift_stop(services, session, account_id)


def mail_arrived(services: Services, session: Session, account_id: int, mailed_at: datetime) -> None:
    """Lift the stop after a mailed sign-in link was used, since mail arrives; a complaint stays."""
    found = session.get(MailStop, account_id)
    if found is not None and found.why != "complaint" and mailed_at > found.since:
        lift_stop(services, session, account_id)


def lift_stop(services: Services, session: Session, account_id: int) -> None:
    """Spend all earlier reports. Locks the mails first, as `note` does."""
    row = Notification
    kept_back = sa.or_(
        sa.and_(row.state == "dropped", row.reason == "suspended"),
        sa.and_(row.state == "failed", row.reason.in_(("refused", "given-up"))),
    )
    waits = sa.update(row).where(row.account_id == account_id, row.kind.in_(QUESTIONS), kept_back)
    anew = {"state": "pending", "reason": None, "digest_id": None, "next_at": services.now(), "attempts": 0}
    session.execute(waits.values(anew))
    session.execute(sa.update(MailReport).where(MailReport.account_id == account_id).values(spent=True))
    session.execute(sa.delete(MailStop).where(MailStop.account_id == account_id))


def forget_stops(session: Session, account_id: int) -> None:
    """Delete the reports on an erased account's mailbox."""
    for table in (MailStop, MailReport):
        session.execute(sa.delete(table).where(table.account_id == account_id))


def is_over(services: Services) -> sa.ColumnElement[bool]:
    """Reports that no longer count."""
    return MailReport.at < services.now() - KEPT


# --- The kind of a delivery report ------------------------------------------------------------------------------------
# from a server's status and words, or a relay's event (pure).
#
# Only reports on the mailbox itself are final. The numbers in a server's own words come before the status beside
# them, which is often just 5.0.0; and words about a full mailbox, or about us, outweigh a number that means that
# there is none. A delivery that a relay still retries is not final.


Kind = Literal["gone", "soft", "ours", "complaint"]
"""The mailbox is gone; it takes nothing now; it takes nothing from us; its reader does not want it."""


class DeliveryReport(NamedTuple):
    """A report: its kind, and the original words."""

    kind: Kind
    says: str


NO_SUCH_MAILBOX = ("5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1")
OURS = ("5.7.", "5.1.7", "5.1.8", "5.3.4", "5.5.", "5.6.")
METADATA = "mail"  # the name of the metadata in which Postmark returns our id
ANY = re.IGNORECASE
STATUS = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)")
FULL = re.compile(r"\b(over ?quota|quota|mailbox (is )?full|full mailbox|storage|disk space)\b", ANY)
OF_US = re.compile(r"\b(spam|spf|dkim|dmarc|blacklist\w*|blocklist\w*|listed|reputation|polic(y|ies)|blocked)\b", ANY)
NAMES = re.compile(r"<[^<>]*>|\S*@\S*|https?://\S*")
POSTMARK: dict[str, Kind] = {
    "HardBounce": "gone",
    "BadEmailAddress": "gone",
    "SoftBounce": "soft",
    "DnsError": "soft",
    "Unknown": "soft",
    "SpamComplaint": "complaint",
    "SpamNotification": "ours",
    "Blocked": "ours",
    "DMARCPolicy": "ours",
    "VirusNotification": "ours",
    "SMTPApiError": "ours",
}


def classify(words: str, status: str) -> DeliveryReport:
    """From the server's words, and the status beside them."""
    bare = NAMES.sub("", words)
    found = [*STATUS.findall(bare), *STATUS.findall(status)]
    first = next((one for one in found if not one.endswith(".0.0")), status.strip())
    kind: Kind = "ours" if first.startswith(OURS) else "soft"
    return DeliveryReport(_of_mailbox(bare) if first in NO_SUCH_MAILBOX else kind, one_line(words or first))


def _of_mailbox(words: str) -> Kind:
    return "soft" if FULL.search(words) else "ours" if OF_US.search(words) else "gone"


def one_line(text: str) -> str:
    """Its text as one line of limited length."""
    return clean(text)[:500]


def of_postmark(event: Mapping[str, Any]) -> DeliveryReport | None:
    """By the bounce type; for types that mean "no such mailbox" the server's own words count."""
    record, words = event.get("RecordType"), one_line(str(event.get("Details") or event.get("Description") or ""))
    if record == "SpamComplaint":
        return DeliveryReport("complaint", words)
    kind = POSTMARK.get(str(event.get("Type"))) if record == "Bounce" else None
    if kind != "gone":
        return None if kind is None else DeliveryReport(kind, words)
    return classify(words, "5.1.1")


def of_mailgun(event: Mapping[str, Any]) -> DeliveryReport | None:
    """Permanent `failed` and `complained` events; Mailgun retries temporary failures itself."""
    if event.get("event") == "complained":
        return DeliveryReport("complaint", "complained")
    if event.get("event") != "failed" or event.get("severity") != "permanent":
        return None
    status = event.get("delivery-status")
    given = status if isinstance(status, Mapping) else {}
    words = str(given.get("message") or given.get("description") or event.get("reason") or "")
    return classify(words, str(given.get("enhanced-code") or ""))
