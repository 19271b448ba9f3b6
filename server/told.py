"""What is said of a mail that went out, in one word: by a server's status and words, or by a relay's event (pure).

Only what is said of the mailbox itself is final. The numbers in a server's own words come before the status beside
them, which is often a mere 5.0.0; and words that speak of a full mailbox, or of us, outweigh a number that says that
there is none. What a relay still tries is no end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from server.wording import clean

Kind = Literal["gone", "soft", "ours", "complaint"]
"""The mailbox is gone; it takes nothing now; it takes nothing from us; its reader does not want it."""


class Said(NamedTuple):
    """A report in one word, with what was said."""

    kind: Kind
    says: str


NO_SUCH_MAILBOX = ("5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1")
OURS = ("5.7.", "5.1.7", "5.1.8", "5.3.4", "5.5.", "5.6.")
METADATA = "mail"  # the name under which Postmark gives back what a mail went out with
ANY = re.IGNORECASE
STATUS = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)")
FULL = re.compile(r"\b(over ?quota|quota|mailbox (is )?full|full mailbox|storage|disk space)\b", ANY)
OF_US = re.compile(r"\b(spam|spf|dkim|dmarc|blacklist\w*|blocklist\w*|listed|reputation|polic(y|ies)|blocked)\b", ANY)
NAMES = re.compile(r"<[^<>]*>|\S*@\S*|https?://\S*")
POSTMARK: dict[str, Kind] = {
    "HardBounce": "gone",
    "BadEmailAddress": "gone",
    "SoftBounce": "soft",
    "DnsError": "soft",
    "Unknown": "soft",
    "SpamComplaint": "complaint",
    "SpamNotification": "ours",
    "Blocked": "ours",
    "DMARCPolicy": "ours",
    "VirusNotification": "ours",
    "SMTPApiError": "ours",
}


def judged(words: str, status: str) -> Said:
    """By what a server said, and the status that stands beside it."""
    bare = NAMES.sub("", words)
    found = [*STATUS.findall(bare), *STATUS.findall(status)]
    first = next((one for one in found if not one.endswith(".0.0")), status.strip())
    kind: Kind = "ours" if first.startswith(OURS) else "soft"
    return Said(_of_mailbox(bare) if first in NO_SUCH_MAILBOX else kind, says(words or first))


def _of_mailbox(words: str) -> Kind:
    return "soft" if FULL.search(words) else "ours" if OF_US.search(words) else "gone"


def says(text: str) -> str:
    """One line of it, bounded."""
    return clean(text)[:500]


def of_postmark(event: Mapping[str, Any]) -> Said | None:
    """By the type that it gives a bounce; where that says that there is no mailbox, the server's own words count."""
    record, words = event.get("RecordType"), says(str(event.get("Details") or event.get("Description") or ""))
    if record == "SpamComplaint":
        return Said("complaint", words)
    kind = POSTMARK.get(str(event.get("Type"))) if record == "Bounce" else None
    if kind != "gone":
        return None if kind is None else Said(kind, words)
    return judged(words, "5.1.1")


def of_mailgun(event: Mapping[str, Any]) -> Said | None:
    """`failed` for good, and `complained`; what it says is temporary it tries again itself."""
    if event.get("event") == "complained":
        return Said("complaint", "complained")
    if event.get("event") != "failed" or event.get("severity") != "permanent":
        return None
    status = event.get("delivery-status")
    given = status if isinstance(status, Mapping) else {}
    words = str(given.get("message") or given.get("description") or event.get("reason") or "")
    return judged(words, str(given.get("enhanced-code") or ""))
