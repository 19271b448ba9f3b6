"""A mail of ours that came back (RFC 3464), at the address that only its own server was told.

Only what is said of the mailbox itself ends the mail; all else a relay says another time, or says of us.
"""

from __future__ import annotations

import re
from email.message import EmailMessage, Message

import sqlalchemy as sa

from server import metrics
from server.db.models import Notification
from workers.mail.address import clean
from workers.mail.smtp import NO_SUCH_MAILBOX
from workers.queues import Shop


def take(shop: Shop, notification: int, mail: EmailMessage) -> str:
    """`bounced` if the mailbox is gone, else `bounce`."""
    said = mailbox_is_gone(mail)
    metrics.INBOUND.labels("smtp", "bounce").inc()
    if said is None:
        return "bounce"
    row = sa.update(Notification).where(Notification.id == notification, Notification.state == "sent")
    with shop.services.database.write() as session:
        session.execute(row.values(state="failed", reason="refused", last_error=clean(said, 500)))
    return "bounced"


def mailbox_is_gone(mail: EmailMessage) -> str | None:
    """What a report of failed delivery says of the mailbox, if it says that there is none."""
    for part in mail.walk():
        if part.get_content_type() == "message/delivery-status":
            for block in part.get_payload():
                if isinstance(block, Message) and (said := _of_mailbox(block)):
                    return said
    return None


def _of_mailbox(block: Message) -> str | None:
    """`Status` is often a mere 5.0.0 beside what the server said."""
    if str(block.get("Action", "")).strip().lower() != "failed":
        return None
    said = " ".join(str(block.get("Diagnostic-Code", "")).split())
    statuses = re.findall(r"\b5\.\d{1,3}\.\d{1,3}\b", f"{said} {block.get('Status', '')}")
    return f"{statuses[0]} {said}" if statuses and statuses[0] in NO_SUCH_MAILBOX else None
