"""Incoming mail: stored before it is acknowledged. Mail to other addresses is counted, not stored.

Several mails are one transaction, so that many connections at once cost one write to the disk. The response does not
reveal whether a token is valid, unless it is flooded.

The replies to one mail wait in three rooms with separate limits: `open` for anybody's; `signed` for mails that have a
signature of the account's domain, not yet verified; `proven` for those whose signature is valid and which wait for
something else. A mail whose room is full is refused temporarily: its sender's server sends it again later.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import metrics, operator_log, secrets
from server.kernel.config import Settings
from server.kernel.db.models import Account, InboundMail, Notification, Plan
from server.kernel.errors import Problem
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.kernel.text import iso
from server.mailbox import delivery_reports
from server.mailbox.delivery_reports import DeliveryReport, Kind

Kept = Literal["kept", "full", "again", "unknown"]
Room = Literal["open", "signed", "proven"]
Via = Literal["smtp", "lmtp", "raw", "mailgun", "postmark"]
MOST_NAMED = 5  # addresses of ours that are read in one complaint
LONGEST_HEAD = 32 * 1024  # bytes that are searched for a signature
MOST_OF_ONE = 10  # waiting in one room, for one mail of ours
MOST_PROVEN = 50  # in this room, which only their senders can fill
MOST = 5000  # waiting in one room
OPERATOR, MOST_LETTERS = ("postmaster", "abuse"), 50
MOST_QUARANTINED, QUARANTINE_KEPT = 200, timedelta(days=30)
READ_KEPT = timedelta(days=14)  # their names identify copies; replies stop being accepted at half this age

_END = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """One mail to one address. `relayed`: by the trusted relay; `once`: a relay's one-time value.

    Of a long mail `raw` is the beginning, and `body_hashes` are those of its whole body (`server.mailbox.arriving`).
    """

    to: str
    raw: bytes
    via: Via
    relayed: bool = False
    once: str | None = None
    body_hashes: bytes | None = None


def is_ours(settings: Settings, email: str) -> bool:
    """Does this address have the form of our reply addresses, with a valid token or not? Or is it the operator's?"""
    return (
        _token(settings, email) is not None or _is_for_complaints(settings, email) or _is_for_operator(settings, email)
    )


def keep(services: Services, arrived: Sequence[IncomingMail]) -> list[Kept]:
    """Store them all before returning; the result of each. One that finds its room full must be sent again later."""
    with services.database.write() as session:
        return [_keep(services, session, one) for one in arrived]


def _keep(services: Services, session: Session, one: IncomingMail) -> Kept:
    if _is_for_operator(services.settings, one.to):
        return _keep_letter(services, session, one)
    found = _known(services, session, one)
    room: Room = "open" if found is None or not _looks_signed(one.raw, found.email) else "signed"
    how: Kept = "unknown" if found is None else _how(session, found, room, one.once)
    metrics.INBOUND.labels(one.via, how).inc()
    if found is None or how != "kept":
        return how
    row = _row(services, found, one.raw, one.via)
    row.relayed, row.once, row.room, row.body_hashes = one.relayed, one.once, room, one.body_hashes
    session.add(row)
    session.flush()
    return how


def _keep_letter(services: Services, session: Session, one: IncomingMail) -> Kept:
    """Keep a letter to the operator in the quarantine, where nothing reads it but the operator."""
    waiting = sa.select(sa.func.count()).where(InboundMail.kind == "letter")
    how: Kept = "full" if (session.scalar(waiting) or 0) >= MOST_LETTERS else "kept"
    metrics.INBOUND.labels(one.via, how).inc()
    if how == "kept":
        row = _row(services, _Addressee("letter", "", 0, ""), one.raw, one.via)
        row.state, row.reason, row.ended_at = "quarantined", "a letter to the operator", services.now()
        session.add(row)
    return how


def _row(services: Services, found: _Addressee, raw: bytes, via: Via) -> InboundMail:
    now = services.now()
    return InboundMail(
        kind=found.kind,
        token=found.token,
        notification_id=found.notification,
        raw=raw,
        via=via,
        relayed=False,
        room="open",
        state="waiting",
        attempts=0,
        next_at=now,
        received_at=now,
    )


@dataclass(frozen=True, slots=True)
class _Addressee:
    kind: Literal["move", "bounce", "report", "letter"]
    token: str
    notification: int
    email: str


def _token(settings: Settings, email: str) -> tuple[secrets.ReplyKind, str] | None:
    patterns: tuple[tuple[secrets.ReplyKind, str | None], ...] = (
        ("move", settings.reply_address),
        ("bounce", settings.bounce_address),
    )
    for kind, pattern in patterns:
        text = None if pattern is None else secrets.reply_token_in(pattern, email)
        if text is not None:
            return kind, text
    return None


def _known(services: Services, session: Session, one: IncomingMail) -> _Addressee | None:
    if _is_for_complaints(services.settings, one.to):
        named_in = (_named(services, session, address) for address in _senders(services.settings, one.raw))
        return next((found for found in named_in if found is not None), None)
    return _named(services, session, one.to)


def _named(services: Services, session: Session, email: str) -> _Addressee | None:
    named = _token(services.settings, email)
    number = None if named is None else secrets.reply_number(named[1])
    row = None if number is None else session.get(Notification, number)
    owner = None if named is None or row is None else _email_of(services, session, row, *named)
    if named is None or row is None or owner is None:
        return None
    return _Addressee(named[0], named[1], row.id, owner)


def _email_of(
    services: Services, session: Session, row: Notification, kind: secrets.ReplyKind, token: str
) -> str | None:
    """The address to which this mail went, if the token belongs to it and the account still has that address."""
    account = None if row.account_id is None else session.get(Account, row.account_id)
    subject = None if account is None or account.email is None else secrets.reply_subject(row, account.email, kind)
    if account is None or subject is None or not secrets.is_good_reply(services.master, kind, token, subject):
        return None
    return account.email


def _looks_signed(raw: bytes, email: str) -> bool:
    """Does it claim to be from this address, with a signature of its domain? Verified later."""
    head = _END.split(raw[:LONGEST_HEAD], maxsplit=1)[0].lower()
    fields = re.sub(rb"\r?\n[ \t]", b" ", head).splitlines()
    domain = email.lower().rpartition("@")[2].encode()
    senders = [field for field in fields if field.startswith(b"from:")]
    signatures = [b"".join(field.split()) for field in fields if field.startswith(b"dkim-signature:")]
    is_signed = any(b"d=" + domain in signature for signature in signatures)
    return is_signed and any(email.lower().encode() in sender for sender in senders)


def _is_for_complaints(settings: Settings, email: str) -> bool:
    return settings.complaint_address is not None and email.strip().lower() == settings.complaint_address


def _is_for_operator(settings: Settings, email: str) -> bool:
    """Addresses that every domain with mail has (RFC 2142), at the domain of our reply addresses."""
    local, _, domain = email.strip().lower().partition("@")
    ours = (settings.reply_address or "").rpartition("@")[2]
    return bool(ours) and local in OPERATOR and domain in (ours, "" if local == "postmaster" else ours)


def _senders(settings: Settings, raw: bytes) -> list[str]:
    """Our sender addresses in a complaint that quotes a mail, which prove that it is about that mail."""
    before, _, after = (settings.bounce_address or "").partition(secrets.REPLY_TOKEN)
    shape = re.escape(before) + "[a-z2-7]{24}" + re.escape(after)
    found = re.findall(shape, raw.decode("latin-1").lower()) if settings.bounce_address else []
    return list(dict.fromkeys(found))[:MOST_NAMED]


# --- reports from relays by HTTP ----------------------------------------------------------------------------------


class _Report(msgspec.Struct, frozen=True):
    """A relay's report, as its row stores it; `to` is the address that it is about."""

    kind: Kind
    says: str
    to: str


@dataclass(frozen=True, slots=True)
class RelayReport:
    """A report of an authenticated relay on the mail with this Message-ID, or with this token of ours."""

    said: DeliveryReport
    to: str
    via: Via
    message_id: str = ""
    token: str = ""
    once: str | None = None


def keep_report(services: Services, one: RelayReport) -> bool:
    """Store it for a worker before returning; False if it is about no mail of ours to this address."""
    with services.database.write() as session:
        row = _reported(services, session, one)
        found = None if row is None else _Addressee("report", one.token, row.id, one.to)
        how: Kept = "unknown" if found is None else _how(session, found, "open", one.once)
        metrics.INBOUND.labels(one.via, how).inc()
        if how == "full":
            raise Problem("unavailable")
        if found is None or how != "kept":
            return False
        raw = msgspec.json.encode(_Report(one.said.kind, one.said.says[:500], one.to.strip().lower()))
        made = _row(services, found, raw, one.via)
        made.once = one.once
        session.add(made)
    return True


def _reported(services: Services, session: Session, one: RelayReport) -> Notification | None:
    if one.token:
        number = secrets.reply_number(one.token)
        row = None if number is None else session.get(Notification, number)
        row = row if row is not None and _email_of(services, session, row, "bounce", one.token) else None
    else:
        rows = sa.select(Notification).where(Notification.message_id == f"<{one.message_id.strip('<> ')}>")
        row = session.scalars(rows.limit(1)).one_or_none()
    return row if row is not None and _is_to(session, row, one.to) else None


def _is_to(session: Session, row: Notification, email: str) -> bool:
    account = delivery_reports.account_of(session, row)
    return account is not None and account.email == email.strip().lower()


def report_of(raw: bytes) -> DeliveryReport:
    """The content of a stored report."""
    found = msgspec.json.decode(raw, type=_Report)
    return DeliveryReport(found.kind, found.says)


def is_ours_still(services: Services, session: Session, held: InboundMail) -> bool:
    """Does it still refer to a mail of ours, to the present address of its account?"""
    row = session.get(Notification, held.notification_id)
    if row is None:
        return False
    if held.kind == "report":
        return _is_to(session, row, msgspec.json.decode(held.raw or b"", type=_Report).to)
    return _email_of(services, session, row, "bounce", held.token) is not None


def _how(session: Session, found: _Addressee, room: Room, once: str | None) -> Kept:
    if once is not None and session.scalar(sa.select(InboundMail.id).where(InboundMail.once == once)):
        return "again"
    if _waiting(session, room) >= MOST or _waiting(session, room, found) >= MOST_OF_ONE:
        return "full"
    return "full" if room == "signed" and _waiting(session, "proven", found) >= MOST_PROVEN else "kept"


def _waiting(session: Session, room: Room, of: _Addressee | None = None) -> int:
    """How many wait in this room, in all or for one mail of ours."""
    rows = sa.select(sa.func.count()).where(InboundMail.state.in_(("waiting", "leased")), InboundMail.room == room)
    if of is not None:
        rows = rows.where(InboundMail.notification_id == of.notification, InboundMail.kind == of.kind)
    return session.scalar(rows) or 0


def forget_of(session: Session, account_id: int) -> None:
    """Delete an erased account's incoming mail and drafts."""
    mailed = sa.select(Notification.id).where(Notification.account_id == account_id)
    session.execute(sa.delete(InboundMail).where(InboundMail.notification_id.in_(mailed)))
    session.execute(sa.delete(Plan).where(Plan.account_id == account_id))


def is_over(services: Services) -> sa.ColumnElement[bool]:
    """Processed mail of an age, and unreadable mail beyond a number and an age.

    The last processed one stays: the answer to a mail is named after its number, which SQLite would give again.
    """
    now, row, other = services.now(), InboundMail, sa.orm.aliased(InboundMail)
    newest = sa.select(other.id).where(other.state == "quarantined").order_by(other.id.desc()).limit(MOST_QUARANTINED)
    last = sa.select(sa.func.max(other.id)).where(other.state == "done").scalar_subquery()
    return sa.or_(
        sa.and_(row.state == "done", row.ended_at < now - READ_KEPT, row.id < last),
        sa.and_(row.state == "quarantined", row.ended_at < now - QUARANTINE_KEPT),
        sa.and_(row.state == "quarantined", row.id.not_in(newest)),
    )


def quarantined(services: Services) -> list[dict[str, Any]]:
    """Unreadable mail, oldest first: when it came, how, its size, why."""
    rows = sa.select(InboundMail).where(InboundMail.state == "quarantined").order_by(InboundMail.id)
    with services.database.read() as session:
        return [
            {"mail": row.id, "kind": row.kind, "at": iso(row.received_at), "via": row.via, "tries": row.attempts}
            | {"size": len(row.raw or b""), "why": row.reason}
            for row in session.scalars(rows)
        ]


def read_quarantined(services: Services, number: int) -> bytes | None:
    """The mail as it came in; None if it is not there."""
    with services.database.read() as session:
        row = _quarantined(session, number)
        return None if row is None else row.raw or b""


def retry_quarantined(services: Services, by: Operator, number: int) -> bool:
    """Queue the mail again; return whether it was there."""
    with services.database.write() as session:
        row = _quarantined(session, number)
        if row is not None and row.kind == "letter":  # no worker reads it
            return False
        if row is not None:
            row.state, row.attempts, row.next_at, row.ended_at = "waiting", 0, services.now(), None
            operator_log.record(services, session, by, "mail-again", f"mail {number}")
    return row is not None


def drop_quarantined(services: Services, by: Operator, number: int) -> bool:
    """Delete the mail; return whether it was there."""
    with services.database.write() as session:
        row = _quarantined(session, number)
        if row is not None:
            session.delete(row)
            operator_log.record(services, session, by, "mail-drop", f"mail {number}")
    return row is not None


def _quarantined(session: Session, number: int) -> InboundMail | None:
    row = session.get(InboundMail, number)
    return row if row is not None and row.state == "quarantined" else None
