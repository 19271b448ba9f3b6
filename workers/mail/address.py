"""Names and addresses as a mail header may carry them: no control characters, no second line, bounded (pure)."""

from __future__ import annotations

import unicodedata
from email.headerregistry import Address
from email.utils import parseaddr

from workers.errors import WorkerError

LONGEST_NAME = 60
LONGEST_ADDRESS = 254  # RFC 5321 4.5.3.1.3, without the angle brackets


class AddressError(WorkerError, ValueError):
    """No mail can go there; the message holds no part of the address, since it is logged."""


def clean(text: str, longest: int = LONGEST_NAME) -> str:
    """One printable line: a name with a newline in it must not become a header, or a line of a board."""
    printable = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in text)
    line = " ".join(printable.split())
    return line if len(line) <= longest else line[: longest - 3].rstrip() + "..."


def mailbox(name: str, email: str) -> Address:
    """The `To` of a letter. The name is cleaned; an address that is not plain ASCII `local@domain` is refused."""
    local, at, domain = email.rpartition("@")
    if not (local and at and domain) or len(email) > LONGEST_ADDRESS or not _is_plain(email):
        raise AddressError("an address is local@domain in printable ASCII, at most 254 characters")
    try:
        return Address(clean(name), username=local, domain=domain)
    except ValueError as wrong:
        raise AddressError("an address that is not valid in mail") from wrong


def _is_plain(email: str) -> bool:
    return email.isascii() and email.isprintable() and not set(email) & set(' <>",;:\\()[]')


def sender(line: str) -> Address:
    """The `From` of every letter, as the operator wrote it: `Sealed Move <games@example.org>`."""
    name, email = parseaddr(line)
    return mailbox(name, email)
