"""The reply address and the bounce address of a mail, made for that mail alone."""

from __future__ import annotations

import re

from server.kernel import secrets
from server.kernel.db.models import Notification
from server.mailbox.delivery_reports import METADATA
from workers.mail.facts import ReplyAddress
from workers.queues import WorkerContext

# Microsoft's own mailboxes, which do not sign the recipient of a mail. Companies' domains there are not known.
UNADDRESSED = re.compile(r"@((outlook|hotmail|live)\.[a-z]{2,3}(\.[a-z]{2})?|msn\.com|windowslive\.com|passport\.com)$")
POSTMARK = ".postmarkapp.com"


def reply(ctx: WorkerContext, row: Notification, email: str, *, moves: bool, talks: bool) -> ReplyAddress | None:
    """The reply address of a mail; None if this server does not receive replies."""
    subject = secrets.reply_subject(row, email)
    if ctx.origin.reply is None or subject is None:
        return None
    token = secrets.reply_token(ctx.services.master, "move", subject)
    confirms = moves and bool(UNADDRESSED.search(email.lower()))
    return ReplyAddress(secrets.reply_address(ctx.origin.reply, token), moves, talks, confirms)


def bounce(ctx: WorkerContext, row: Notification, email: str) -> str | None:
    """The envelope sender of a mail; None if bounces are not received, or the mail does not belong to an account."""
    token = None if ctx.origin.bounce is None else _token(ctx, row, email)
    return None if token is None or ctx.origin.bounce is None else secrets.reply_address(ctx.origin.bounce, token)


def marks(ctx: WorkerContext, row: Notification, email: str) -> dict[str, str]:
    """Headers that a relay removes and repeats in its reports on the mail."""
    token = _token(ctx, row, email) if ctx.smtp.host.endswith(POSTMARK) else None
    return {} if token is None else {f"X-PM-Metadata-{METADATA}": token}


def _token(ctx: WorkerContext, row: Notification, email: str) -> str | None:
    subject = None if row.account_id is None else secrets.reply_subject(row, email, "bounce")
    return None if subject is None else secrets.reply_token(ctx.services.master, "bounce", subject)
