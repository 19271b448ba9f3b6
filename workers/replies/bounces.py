"""What a report says of a mail of ours (pure): that it came back (RFC 3464), or that its reader complains (RFC 5965).

What it means is judged where relays' events are (`server.told`). What is no report says nothing: vacation notes come to
the sender of the envelope too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage, Message

from server.told import Said, judged, says

TYPE = re.compile(r"^[\w-]+ *; *")  # `smtp; 550 5.1.1 ...`
COMPLAINTS = ("abuse", "fraud")


def said(mail: EmailMessage) -> Said | None:
    """What the mail reports; None if nothing that counts."""
    for part in mail.iter_parts() if mail.get_content_maintype() == "multipart" else ():
        kind = part.get_content_type()
        if kind in ("message/delivery-status", "message/global-delivery-status"):
            found = next((one for block in _blocks(part) if (one := _came_back(block))), None)
        else:
            found = _complaint(part) if kind == "message/feedback-report" else None
        if found is not None:
            return found
    return _in_prose(mail)


def _blocks(part: Message) -> Iterator[Message]:
    inside = part.get_payload()
    yield from (block for block in inside if isinstance(block, Message)) if isinstance(inside, list) else ()


def _came_back(block: Message) -> Said | None:
    """`delayed` is still tried, and `relayed` has left; neither is an end."""
    if _text(block, "Action").lower() != "failed":
        return None
    return judged(TYPE.sub("", _text(block, "Diagnostic-Code")), _text(block, "Status"))


def _complaint(part: Message) -> Said | None:
    """Whatever else feedback says (`not-spam`, `auth-failure`), nobody complains."""
    for block in _blocks(part):
        kind = _text(block, "Feedback-Type").lower()
        if kind in COMPLAINTS:
            return Said("complaint", says(f"{kind}, {_text(block, 'User-Agent')}".rstrip(", ")))
    return None


def _in_prose(mail: EmailMessage) -> Said | None:
    """Of servers that write for people alone only that it came back; what for is not read out of prose."""
    failed = _text(mail, "X-Failed-Recipients")
    return Said("soft", "returned without a status") if failed else None


def _text(block: Message, name: str) -> str:
    return " ".join(str(block.get(name, "")).split())
