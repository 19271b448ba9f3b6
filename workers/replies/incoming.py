"""An incoming mail, from its bytes on: whether a person wrote it, and the text that its writer sees (pure)."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr

from workers.mail.facts import MailOrigin
from workers.replies.html import text_of

LONGEST = 200_000  # letters that are looked at; what a person types stands long before
WINDOWS = frozenset(("iso-8859-1", "latin-1", "latin1", "windows-1252"))  # what is called the first is the last
# How our Message-IDs begin (`workers.mail.facts`); people of our own domain write with its name too.
OURS = "(?:g|login|hook|waiting|digest)"


def parse(raw: bytes) -> EmailMessage:
    """The mail. Reading its headers may still fail where they are broken."""
    return message_from_bytes(raw, policy=policy.default)


def body(mail: EmailMessage) -> str:
    """What was written, with what is quoted below or above; "" if there is no text."""
    for kind, seen in (("plain", _flowed), ("html", _page)):
        part = _part(mail, f"text/{kind}")
        text = "" if part is None else seen(part, _decoded(part))
        if text.strip():
            return text
    return ""


def _part(mail: EmailMessage, kind: str) -> EmailMessage | None:
    """The first part of this kind that is neither a file nor of a mail that is enclosed."""
    if mail.get_content_type() == kind:
        return None if mail.get_content_disposition() == "attachment" else mail
    if mail.get_content_maintype() != "multipart" or not mail.is_multipart():
        return None
    inner = (_part(part, kind) for part in mail.iter_parts() if isinstance(part, EmailMessage))
    return next((part for part in inner if part is not None), None)


def _decoded(part: EmailMessage) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    named = str(part.get_content_charset("utf-8")).lower()
    for charset in ("cp1252" if named in WINDOWS else named, "utf-8", "cp1252"):
        try:
            return data.decode(charset)[:LONGEST]
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    return data.decode("utf-8", "replace")[:LONGEST]


def _page(_: EmailMessage, text: str) -> str:
    return text_of(text)


def _flowed(part: EmailMessage, text: str) -> str:
    """Lines that were broken for the way are whole again (RFC 3676)."""
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    drops = str(part.get_param("delsp", "")).lower() == "yes"
    whole: list[str] = []
    open_at = -1  # the depth of quotation of a line that goes on
    for line in text.splitlines():
        stripped = line.lstrip(">")
        depth, rest = len(line) - len(stripped), stripped.removeprefix(" ")
        if depth == open_at and rest != "-- ":
            whole[-1] += rest
        else:
            whole.append((">" * depth + " " if depth else "") + rest)
        goes_on = rest.endswith(" ") and rest != "-- "
        open_at = depth if goes_on else -1
        if goes_on and drops:
            whole[-1] = whole[-1][:-1]
    return "\n".join(whole)


# --- mail that no person has written: vacation notes, lists, reports, our own; it does nothing ------------------------


def is_automatic(mail: EmailMessage, origin: MailOrigin) -> bool:
    """By RFC 3834, by headers that programs write, and by the sender."""
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
