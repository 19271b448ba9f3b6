"""Reports in mails on our mails (pure): bounces (RFC 3464) and complaints (RFC 5965).

`server.mailbox.delivery_reports` classifies them, like the events of relays. Any other mail is ignored: vacation notes
also go to the envelope sender.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message

from server.mailbox.delivery_reports import DeliveryReport, classify, one_line
from workers.replies.incoming import LONGEST_HEADER, Mail, MimePart, decoded, headers_in

TYPE = re.compile(r"^[\w-]+ *; *")  # `smtp; 550 5.1.1 ...`
COMPLAINTS = ("abuse", "fraud")
LONGEST, MOST_BLOCKS = 32 * 1024, 50  # of a report: what matters is in the first lines


def report_in(mail: Mail) -> DeliveryReport | None:
    """The report in a mail; None if it has none that counts."""
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


def _blocks(part: MimePart) -> Iterator[Message]:
    """Groups of fields, separated by an empty line."""
    for block in re.split(rb"(?:\r?\n){2,}", part.body.lstrip()[:LONGEST], maxsplit=MOST_BLOCKS)[:MOST_BLOCKS]:
        yield headers_in(block)


def _plain(part: MimePart) -> str:
    return decoded(part, LONGEST).written if part.headers.get_content_type() == "text/plain" else ""


def _came_back(block: Message, note: str) -> DeliveryReport | None:
    """Is it final? `delayed` is still being retried, and `relayed` has left."""
    if _text(block, "Action").lower() != "failed":
        return None
    words = TYPE.sub("", _text(block, "Diagnostic-Code")) or _of_receiver(_text(block, "Final-Recipient"), note)
    return classify(words, _text(block, "Status"))


def _of_receiver(receiver: str, note: str) -> str:
    """OpenSMTPD gives the reason only in its text: a line that begins with the receiver."""
    email = TYPE.sub("", receiver)
    lines = (line.strip() for line in note.splitlines())
    return next((line[len(email) + 2 :] for line in lines if email and line.startswith(f"{email}: ")), "")


def _complaint(part: MimePart) -> DeliveryReport | None:
    """Is it a complaint? Other kinds of feedback (`not-spam`, `auth-failure`) are not."""
    for block in _blocks(part):
        kind = _text(block, "Feedback-Type").lower()
        if kind in COMPLAINTS:
            return DeliveryReport("complaint", one_line(f"{kind}, {_text(block, 'User-Agent')}".rstrip(", ")))
    return None


def _in_prose(mail: Message) -> DeliveryReport | None:
    """Servers that write only prose: just the fact that it bounced; the reason is not extracted."""
    failed = _text(mail, "X-Failed-Recipients")
    return DeliveryReport("soft", "returned without a status") if failed else None


def _text(block: Message, name: str) -> str:
    """One line of printable characters, of limited length."""
    return " ".join(str(block.get(name, ""))[:LONGEST_HEADER].encode("utf-8", "replace").decode().split())
