"""Incoming mail from relays by HTTP, at `POST /inbound/raw`, `/inbound/mailgun` and `/inbound/postmark`; and reports on
sent mail, at `/inbound/mailgun/events` and `/inbound/postmark/events`.

Each path exists only if its secret is set. The sender of a mail is verified by DKIM as usual, whatever the relay says,
and no URL in a request is fetched. 200 means that the mail is stored, now or earlier, or is not for an address of ours:
a relay would retry a refused mail for days. After 503 it sends the mail again.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hmac
import json
import re
import threading
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
import sqlalchemy as sa
from flask import Blueprint, Response, current_app, g, request

from server.kernel.config import Settings
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.mailbox import delivery_reports
from server.mailbox.arriving import KEPT, LARGEST, ArrivingMail
from server.mailbox.inbound import IncomingMail, RelayReport, Via, is_ours, keep, keep_report

blp = Blueprint("relays", __name__, url_prefix="/inbound")
FRESH = 300  # seconds for which a Mailgun signature is valid
ROOM = 33 * 1024 * 1024  # bytes of a request with a mail, of which some are escaped, and fields around it
USUAL = 2 * KEPT  # bytes of a request; longer ones are read one at a time
_LONG = threading.Lock()


@blp.before_request
def _room() -> None:
    """Allow larger bodies than those of pages, but only one long one in memory: its relay sends another one again."""
    request.max_content_length = request.max_form_memory_size = ROOM
    is_long = request.content_length is None or request.content_length > USUAL
    if is_long and not _LONG.acquire(blocking=False):
        raise Problem("unavailable")
    g.has_long_mail = is_long


@blp.teardown_request
def _done(_: BaseException | None) -> None:
    if g.pop("has_long_mail", False):
        _LONG.release()


@blp.post("/raw")
def raw() -> Response:
    """The mail itself; its recipient is in `X-Envelope-To`. The secret is the password of Basic, or a bearer token."""
    _check_secret()
    if request.mimetype != "message/rfc822":
        raise Problem("bad-request", expected="message/rfc822")
    return _stored([request.headers.get("X-Envelope-To", "")], request.get_data(cache=False), "raw")


@blp.post("/postmark")
def postmark() -> Response:
    """JSON with the mail in `RawEmail`, to be switched on at Postmark. The secret is the password of Basic."""
    _check_secret()
    try:
        posted = json.loads(request.get_data(cache=False))
        to, text = str(posted["OriginalRecipient"]), _bytes_of(str(posted["RawEmail"]))
    except (ValueError, KeyError, TypeError, RecursionError) as no:
        raise Problem("bad-request", expected="OriginalRecipient, RawEmail") from no
    return _stored([to], text, "postmark")


@blp.post("/mailgun")
def mailgun() -> Response:
    """A form with the mail in `body-mime`: at Mailgun, the route's URL must end in `mime`, or be `.../mailgun?mime`."""
    key = _mailgun_key()  # before the form is read, which has the signature in it
    form = request.form
    once = _signed_once(key, form)
    text = form.get("body-mime", "")
    recipients = form.get("recipient", "").split(",")
    return _stored(recipients, _bytes_of(text), "mailgun", once)


def _bytes_of(text: str) -> bytes:
    """The mail in a text. Problem `bad-request` if it has half a surrogate pair that stands for no byte."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as no:
        raise Problem("bad-request", expected="a mail without lone surrogates") from no


def _mailgun_key() -> bytes:
    key = _settings().mailgun_key
    if key is None:
        raise Problem("not-found")
    return key.encode()


def _signed_once(key: bytes, given: Mapping[str, Any]) -> str:
    """Check Mailgun's signature; returns its one-time value."""
    stamp, token, shown = (str(given.get(name, "")) for name in ("timestamp", "token", "signature"))
    made = hmac.new(key, f"{stamp}{token}".encode(), sha256).hexdigest()
    if not hmac.compare_digest(made.encode(), shown.encode()) or not _is_fresh(stamp):
        raise Problem("bad-secret")
    return f"mailgun {token}"[:100]


@blp.post("/postmark/events")
def postmark_events() -> Response:
    """Reports on a sent mail: `Bounce` and `SpamComplaint`, with the metadata of that mail."""
    _check_secret()
    event = _object(request.get_data(cache=False))
    report = delivery_reports.of_postmark(event)
    token = str(_object(event.get("Metadata")).get(delivery_reports.METADATA, ""))
    if report is None or not token:
        return _accepted()
    made = sha256(msgspec.json.encode([event.get("RecordType"), event.get("ID"), token])).hexdigest()
    to = str(event.get("Email", ""))
    return _accepted(RelayReport(report, to, "postmark", token=token, once=f"postmark {made}"))


@blp.post("/mailgun/events")
def mailgun_events() -> Response:
    """Reports on a sent mail: `failed` and `complained`, with its Message-ID."""
    key = _mailgun_key()
    whole = _object(request.get_data(cache=False))
    once = _signed_once(key, _object(whole.get("signature")))
    event = _object(whole.get("event-data"))
    report, named = delivery_reports.of_mailgun(event), _object(_object(event.get("message")).get("headers"))
    if report is None:
        return _accepted()
    ours = str(named.get("message-id", ""))
    return _accepted(RelayReport(report, str(event.get("recipient", "")), "mailgun", message_id=ours, once=once))


def _object(given: Any) -> dict[str, Any]:
    """A JSON object, also from bytes; a member that is not an object counts as an empty one."""
    if not isinstance(given, bytes):
        return given if isinstance(given, dict) else {}
    try:
        found = json.loads(given)
    except (ValueError, RecursionError) as no:
        raise Problem("bad-request", expected="a JSON object") from no
    if not isinstance(found, dict):
        raise Problem("bad-request", expected="a JSON object")
    return found


def _accepted(report: RelayReport | None = None) -> Response:
    """The same answer whether or not the report is about a mail of ours."""
    with contextlib.suppress(sa.exc.IntegrityError):  # a concurrent duplicate, on PostgreSQL
        if report is not None:
            keep_report(_services(), report)
    return Response("kept\n", mimetype="text/plain")


def _is_fresh(stamp: str) -> bool:
    now = _services().now().timestamp()
    return bool(re.fullmatch("[0-9]{1,12}", stamp)) and abs(now - int(stamp)) <= FRESH


def _check_secret() -> None:
    secret = _settings().inbound_secret
    if secret is None:
        raise Problem("not-found")
    if not hmac.compare_digest(_credential(), secret.encode()):
        raise Problem("bad-secret")


def _credential() -> bytes:
    kind, _, text = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return text.strip().encode()
    try:
        return base64.b64decode(text).partition(b":")[2] if kind.lower() == "basic" else b""
    except (binascii.Error, ValueError):
        return b""


def _stored(recipients: list[str], text: bytes, via: Via, once: str | None = None) -> Response:
    """Store the mail for each recipient of ours. A request with a `once` that was used before stores nothing."""
    mail = ArrivingMail.of(text)
    if not text or mail.is_too_large:
        raise Problem("too-large", most=LARGEST) if text else Problem("bad-request", expected="a mail")
    ours = [to for to in recipients if is_ours(_settings(), to)]
    names = [once if number == 0 else f"{once} {number}" for number in range(len(ours))] if once else [None] * len(ours)
    try:
        kept = keep(_services(), [_incoming(to, mail, via, name) for to, name in zip(ours, names, strict=True)])
    except sa.exc.IntegrityError:  # a concurrent duplicate, on PostgreSQL
        return _accepted()
    if "full" in kept:
        raise Problem("unavailable")
    return _accepted()


def _incoming(to: str, mail: ArrivingMail, via: Via, once: str | None) -> IncomingMail:
    return IncomingMail(to, mail.beginning, via, once=once, body_hashes=mail.body_hashes())


def _services() -> Services:
    found: Services = current_app.extensions["sealedmove"]
    return found


def _settings() -> Settings:
    return _services().settings
