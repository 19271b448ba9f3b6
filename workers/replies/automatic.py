"""Mail that no person has written: vacation notes, lists, reports, our own. It does nothing (pure)."""

from __future__ import annotations

import re
from email.message import EmailMessage
from email.utils import parseaddr

from workers.mail.facts import MailOrigin

# How our Message-IDs begin (`workers.mail.facts`); people of our own domain write with its name too.
OURS = "(?:g|login|hook|waiting|digest)"


def is_automatic(mail: EmailMessage, origin: MailOrigin) -> bool:
    """By RFC 3834, by what programs write beside it, and by whose it is."""
    said: dict[str, str] = {}
    for name, value in mail.raw_items():  # the first of a name: the one on top is of whoever took it in
        said.setdefault(name.lower(), str(value).strip().lower())
    if said.get("auto-submitted", "no").split(";")[0].strip() not in ("no", ""):
        return True
    if said.get("precedence") in ("bulk", "junk", "list", "auto_reply"):
        return True
    if said.get("return-path") == "<>" or mail.get_content_type() in ("multipart/report", "message/delivery-status"):
        return True
    named = ("x-autoreply", "x-autorespond", "x-failed-recipients", "list-id", "x-loop")
    return any(name in said for name in named) or _is_ours(said, origin)


def _is_ours(said: dict[str, str], origin: MailOrigin) -> bool:
    own = parseaddr(origin.mailbox)[1].lower()
    from_us = parseaddr(said.get("from", ""))[1] == own
    return from_us or bool(
        re.fullmatch(rf"<{OURS}\.[^@]*@{re.escape(origin.host.lower())}>", said.get("message-id", ""))
    )
