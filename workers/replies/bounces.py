"""What a report says of a mail of ours (pure): that it came back (RFC 3464), or that its reader complains (RFC 5965).

`server.mailbox.delivery_reports` classifies it, as it does the events of relays. What is not a report says nothing:
vacation notes come to the sender of the envelope too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message

from server.mailbox.delivery_reports import DeliveryReport, classify, one_line
from workers.replies.incoming import LONGEST_HEADER, Mail, Part, decoded, headers_in

TYPE = re.compile(r"^[\w-]+ *; *")  # `smtp; 550 5.1.1 ...`
COMPLAINTS = ("abuse", "fraud")
LONGEST, MOST_BLOCKS = 32 * 1024, 50  # of a report; one that is longer says what matters in its first lines


def report_in(mail: Mail) -> DeliveryReport | None:
    """What the mail reports; None if nothing that counts."""
    note = ""
    is_whole = mail.root.headers.get_content_maintype() == "multipart"
    for part in mail.leaves() if is_whole else ():
        kind = part.headers.get_content_type()
        note = note or _plain(part)
        if kind in ("message/delivery-status", "message/global-delivery-status"):
            found = next((one for block in _blocks(part) if (one := _came_back(block, note))), None)
        else:
            found = _complaint(part) if kind == "message/feedback-report" else None
        if found is not None:
            return found
    return _in_prose(mail.root.headers)


def _blocks(part: Part) -> Iterator[Message]:
    """Groups of fields, with an empty line between two of them."""
    for block in re.split(rb"(?:\r?\n){2,}", part.body.lstrip()[:LONGEST], maxsplit=MOST_BLOCKS)[:MOST_BLOCKS]:
        yield headers_in(block)


def _plain(part: Part) -> str:
    return decoded(part, LONGEST).written if part.headers.get_content_type() == "text/plain" else ""


def _came_back(block: Message, note: str) -> DeliveryReport | None:
    """`delayed` is still tried, and `relayed` has left; neither is an end."""
    if _text(block, "Action").lower() != "failed":
        return None
    words = TYPE.sub("", _text(block, "Diagnostic-Code")) or _of_receiver(_text(block, "Final-Recipient"), note)
    return classify(words, _text(block, "Status"))


def _of_receiver(receiver: str, note: str) -> str:
    """OpenSMTPD tells what was said in its note alone: a line that begins with the receiver."""
    email = TYPE.sub("", receiver)
    lines = (line.strip() for line in note.splitlines())
    return next((line[len(email) + 2 :] for line in lines if email and line.startswith(f"{email}: ")), "")


def _complaint(part: Part) -> DeliveryReport | None:
    """Whatever else feedback says (`not-spam`, `auth-failure`), nobody complains."""
    for block in _blocks(part):
        kind = _text(block, "Feedback-Type").lower()
        if kind in COMPLAINTS:
            return DeliveryReport("complaint", one_line(f"{kind}, {_text(block, 'User-Agent')}".rstrip(", ")))
    return None


def _in_prose(mail: Message) -> DeliveryReport | None:
    """Of servers that write for people alone only that it came back; what for is not read out of prose."""
    failed = _text(mail, "X-Failed-Recipients")
    return DeliveryReport("soft", "returned without a status") if failed else None


def _text(block: Message, name: str) -> str:
    """Of one line, of letters that can be written down, and no longer than anybody reads."""
    return " ".join(str(block.get(name, ""))[:LONGEST_HEADER].encode("utf-8", "replace").decode().split())
