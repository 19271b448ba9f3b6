"""Reads one mail: whether it is automatic, whether its sender is proven, and its text; or the report in it (pure).

It runs in a process that the worker can end (`child`), since anyone can send a mail, and no list of inputs that slow
down parsers is complete. In an unproven mail only the headers and the first lines of text are read.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from server.mailbox.delivery_reports import DeliveryReport
from workers.mail.facts import MailOrigin
from workers.replies import bounces
from workers.replies.authentication import Claim, Relay, UnprovenSenderError, prove
from workers.replies.dns import Dns
from workers.replies.incoming import Mail, Text, TooMuchError, body, first_lines, is_automatic, parse
from workers.replies.parser import parse_reply

MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,200}>")


class UnreadMail(msgspec.Struct, frozen=True):
    """A mail, with its expected sender and receiver if it is an answer, and the trusted relay.

    With `body_hashes` it is only the beginning of a mail (`server.mailbox.arriving`).
    """

    raw: bytes
    origin: MailOrigin
    claim: Claim | None = None
    relay: Relay | None = None
    body_hashes: bytes | None = None


class ReadMail(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result. `name` to `text` are for a proven mail; `stops` and `reason` for an unproven one."""

    kind: Literal["proven", "unproven", "automatic", "report"]
    name: bytes = b""
    message_id: str = ""
    to_us: bool = False
    subject: str = ""
    text: Text = Text()
    stops: bool = False
    reason: str = ""
    report: DeliveryReport | None = None


def read(unread: UnreadMail, dns: Dns) -> ReadMail:
    """Read one mail: an answer if it has a claim, else a report. `TooMuchError`: it is beyond a cap."""
    try:
        mail = parse(unread.raw, unread.body_hashes)
        if unread.claim is None:
            return ReadMail("report", report=bounces.report_in(mail))
        return _answer(unread, unread.claim, mail, dns)
    except (RecursionError, MemoryError) as beyond:
        raise TooMuchError(type(beyond).__name__) from None


def _answer(unread: UnreadMail, claim: Claim, mail: Mail, dns: Dns) -> ReadMail:
    if is_automatic(mail.root.headers, unread.origin):
        return ReadMail("automatic")
    try:
        proof = prove(unread.raw, mail, claim, dns, unread.relay)
    except UnprovenSenderError as no:
        stops = parse_reply(first_lines(mail), lambda _, text: text == "stop").word == "stop"  # alone it may be a move
        return ReadMail("unproven", stops=stops, reason=str(no))
    named = MESSAGE_ID.fullmatch(str(mail.headers["Message-ID"] or "").strip())
    return ReadMail("proven", proof.name, named[0] if named else "", proof.to_us, proof.subject, body(mail))
