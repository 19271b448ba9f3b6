"""The headers of a mail (pure): which names and addresses are allowed, and how headers are folded and encoded.

Names and addresses have no control characters, fit on one line and are limited in length. Words may be encoded; ids and
URLs are neither encoded nor folded.

The library's own folding encodes an id or URL that is longer than a line, which breaks one-click unsubscribing and
threads. It also loses spaces between encoded words, and makes those one letter too long (RFC 2047 2).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from email.header import Header
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UniqueAddressHeader, UniqueUnstructuredHeader
from email.policy import SMTP, Policy
from email.utils import parseaddr, quote
from typing import Any

from workers.errors import WorkerError

LONGEST_NAME = 60
LONGEST_ADDRESS = 254  # RFC 5321 4.5.3.1.3, without the angle brackets
LINE = 78  # RFC 5322 2.1.1
ENCODED = 74  # an encoded word has at most 75 letters, and the library counts one too few
IDS = ("message-id", "in-reply-to", "references", "list-id", "list-unsubscribe", "list-unsubscribe-post")
NAMES = ("from", "to", "reply-to")


class AddressError(WorkerError, ValueError):
    """The address cannot receive mail. The message contains no part of the address, since it is logged."""


def clean(text: str, longest: int = LONGEST_NAME) -> str:
    """One printable line: a newline in a name must not begin a header, or a line of a board."""
    printable = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in text)
    line = " ".join(printable.split())
    return line if len(line) <= longest else line[: longest - 3].rstrip() + "..."


def mailbox(name: str, email: str) -> Address:
    """The `To` of a mail. The name is cleaned; an address that is not plain ASCII `local@domain` is refused."""
    local, at, domain = email.rpartition("@")
    if not (local and at and domain) or len(email) > LONGEST_ADDRESS or not _is_plain_address(email):
        raise AddressError("an address is local@domain in printable ASCII, at most 254 characters")
    try:
        return Address(clean(name), username=local, domain=domain)
    except ValueError as wrong:
        raise AddressError("an address that is not valid in mail") from wrong


def _is_plain_address(email: str) -> bool:
    return email.isascii() and email.isprintable() and not set(email) & set(' <>",;:\\()[]')


def sender(line: str) -> Address:
    """The `From` of every mail, as the operator wrote it: `Sealed Move <games@example.org>`."""
    name, email = parseaddr(line)
    return mailbox(name, email)


# --- on the wire ------------------------------------------------------------------------------------------------------


class AsGiven(UniqueUnstructuredHeader, BaseHeader):  # type: ignore[misc]  # the stubs do not know that it is one
    """A value that is kept as given: text in it that looks encoded is not decoded."""

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        kwds |= {"parse_tree": cls.value_parser(""), "decoded": value}


class Worded(AsGiven):
    """Text, such as a subject."""

    def fold(self, *, policy: Policy[Any]) -> str:
        return f"{self.name}: {_words(str(self), self.name, policy.linesep)}{policy.linesep}"


class Verbatim(AsGiven):
    """Ids and URLs: ASCII, folded only at spaces; the first one is on the line of the header's name."""

    def fold(self, *, policy: Policy[Any]) -> str:
        first, *words = str(self).split()
        return policy.linesep.join(_lines(f"{self.name}: {first}", words)) + policy.linesep


class MailboxHeader(UniqueAddressHeader, BaseHeader):  # type: ignore[misc]  # the stubs do not know that it is one
    """One mailbox: its name as text, its address unbroken on its own line."""

    def fold(self, *, policy: Policy[Any]) -> str:
        (box,) = self.addresses
        if not box.display_name:
            return f"{self.name}: {box.addr_spec}{policy.linesep}"
        name = _phrase(box.display_name, self.name, policy.linesep)
        return f"{self.name}: {name}{policy.linesep} <{box.addr_spec}>{policy.linesep}"


def _lines(first: str, words: Sequence[str]) -> list[str]:
    lines = [first]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > LINE:
            lines.append("")
        lines[-1] += f" {word}"
    return lines


def _words(text: str, name: str, linesep: str) -> str:
    return Header(text, "us-ascii" if is_plain(text) else "utf-8", ENCODED, name).encode(linesep=linesep)


def _phrase(text: str, name: str, linesep: str) -> str:
    return f'"{quote(text)}"' if is_plain(text) else _words(text, name, linesep)


def is_plain(text: str) -> bool:
    """True if it can be sent unencoded; text that looks like an encoded word cannot, since it would be decoded."""
    return text.isascii() and "=?" not in text


def _registry() -> HeaderRegistry:
    registry = HeaderRegistry()
    registry.map_to_type("subject", Worded)
    for name in IDS:
        registry.map_to_type(name, Verbatim)
    for name in NAMES:
        registry.map_to_type(name, MailboxHeader)
    return registry


POLICY = SMTP.clone(header_factory=_registry())
