"""Verifies that a mail is from its stated sender, by a DKIM signature of exactly its From's domain and further rules.

A valid signature is not enough. A signed mail may have been sent to somebody else, so our address must be in its To,
and its date recent; if To is not signed, only the author is proven and not the recipient (`Proof`). Unsigned headers
may have been added on top, so no header that we read may occur twice. A relay's result can replace the check of the
signature (`Authentication-Results`, RFC 8601): only a configured relay at a configured address, and only its topmost
header. The other rules still apply.

The token in the address proves nothing here: anyone who was forwarded a mail has it.
"""

from __future__ import annotations

import base64
import contextlib
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import authres
import dkim
from dkim.canonicalization import CanonicalizationPolicy
from dkim.util import InvalidTagValueList, parse_tag_value

from workers.errors import WorkerError
from workers.replies.dns import Dns, DnsError
from workers.replies.incoming import LONGEST_HEADER, Mail

MOST_SIGNATURES, MOST_COVERED = 5, 200
SIGNED = (b"from", b"date")  # and `To`; otherwise the recipient is not proven
ALGORITHMS = (b"rsa-sha256", b"ed25519-sha256")
SINGLE = (
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "reply-to",
    "content-type",
    "content-transfer-encoding",
    "sender",
)
OLDEST, NEWEST = timedelta(days=5), timedelta(hours=1)  # relays retry for this long; clocks may be off by this much
# Blanks at line ends, which a relaxed body does not have (RFC 6376, 3.4.4): dkimpy takes quadratic time for them.
BLANKS = re.compile(rb"(?<![ \t])[ \t]++(?=\r?\n)")
_QUIET = logging.getLogger("dkim")
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False


class UnprovenSenderError(WorkerError):
    """The sender of the mail could not be verified. Only the holder of the account learns the reason."""


@dataclass(frozen=True)
class Claim:
    """The expected sender, the address that received the mail, and when: it may wait for days before it is read."""

    email: str
    to: str
    now: datetime


@dataclass(frozen=True)
class Proof:
    """Proof that the holder of the account wrote the mail recently. `name`: 32 bytes that identify the mail for good.

    `to_us`: and wrote it to this very address. Otherwise it may have been written to someone else, who passed it on.
    `subject` is "" unless it is signed.
    """

    name: bytes
    to_us: bool
    subject: str = ""


@dataclass(frozen=True)
class Relay:
    """The relay whose result in the header is trusted; it must be the one that delivered the mail."""

    name: str


def prove(raw: bytes, mail: Mail, claim: Claim, dns: Dns, relay: Relay | None = None) -> Proof:
    """Return what the mail's signature proves; UnprovenSenderError if nothing. DnsError: ask again later."""
    with _readable():
        _check_headers(raw, mail)
        domain = _check_people(mail, claim)
        _check_date(mail, claim.now)
        signatures = sorted(_signatures(raw, mail, domain), key=lambda one: not one.is_addressed)
        if relay is not None and len(signatures) == 1 and _is_believed(mail, relay, domain):
            held = next((one for one in signatures if one.would_do(claim.now)), None)
        else:
            held = next((one for one in signatures if one.would_do(claim.now) and one.holds(dns)), None)
        if held is None:
            raise UnprovenSenderError(f"it has no valid DKIM signature of {domain} that covers From and Date")
        subject = str(mail.headers["Subject"] or "") if b"subject" in held.covered else ""
        return Proof(_name(mail, held), held.is_addressed, subject)


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """Treat a header that cannot be read as no proof."""
    try:
        yield
    except (UnprovenSenderError, DnsError):
        raise
    except Exception as fault:  # the library's header parser fails in many ways on malformed input
        raise UnprovenSenderError("its headers cannot be read") from fault


def _check_headers(raw: bytes, mail: Mail) -> None:
    head = raw[: mail.head_ends]
    if b"\0" in head or re.search(rb"\r(?!\n)", head):
        raise UnprovenSenderError("its headers cannot be read")
    found = [(name.lower(), value) for name, value in mail.headers.raw_items()]
    for name in SINGLE:
        values = [value for called, value in found if called == name]
        if len(values) > 1:
            raise UnprovenSenderError(f"it has more than one {name.title()} header")
        if values and len(values[0]) > LONGEST_HEADER:
            raise UnprovenSenderError(f"its {name.title()} header is too long")


def _check_people(mail: Mail, claim: Claim) -> str:
    """The domain of the sender, checked to be the holder of the account who wrote to our address."""
    told = mail.headers
    senders, receivers = told["From"].addresses, told["To"].addresses if told["To"] else ()
    if len(senders) != 1 or senders[0].addr_spec.lower() != claim.email.lower():
        raise UnprovenSenderError("it is not from the address of your account")
    if claim.to.lower() not in [one.addr_spec.lower() for one in receivers]:
        raise UnprovenSenderError("it was not addressed to the mailbox that received it")
    return str(senders[0].domain).lower()


def _check_date(mail: Mail, now: datetime) -> None:
    """The zone `-0000`, and any unknown one, is UTC without a word about the writer's own (RFC 5322, 3.3 and 4.3)."""
    date = mail.headers["Date"].datetime if mail.headers["Date"] else None
    date = date.replace(tzinfo=UTC) if date is not None and date.tzinfo is None else date
    if date is None or not now - OLDEST <= date <= now + NEWEST:
        raise UnprovenSenderError("its date is missing, too old or in the future")


@dataclass(frozen=True)
class Signature:
    """One signature of the sender's domain."""

    raw: bytes
    number: int
    tags: dict[bytes, bytes]
    body_hashes: bytes | None = None

    @property
    def covered(self) -> list[bytes]:
        return [name.strip().lower() for name in self.tags[b"h"].split(b":")]

    @property
    def is_addressed(self) -> bool:
        """Does it cover the recipient? Microsoft's signatures do not."""
        return b"to" in self.covered

    def would_do(self, now: datetime) -> bool:
        """Does it qualify? No `l`, which allows unsigned text; not past `x`; covers every header that we read."""
        ends = int(self.tags.get(b"x", b"0"))
        covers = all(name in self.covered for name in SIGNED)
        over = bool(ends) and ends <= now.timestamp()
        few = len(self.covered) <= MOST_COVERED
        return b"l" not in self.tags and self.tags[b"a"] in ALGORITHMS and covers and few and not over

    def holds(self, dns: Dns) -> bool:
        """Is it valid by the key of its domain, which must not be a test key?"""
        seen: list[bytes] = []

        def record(name: bytes | str, timeout: int = 5) -> bytes | None:  # noqa: ARG001 - dkimpy's own form
            found = dns(name.decode() if isinstance(name, bytes) else name)
            seen.append(found or b"")
            return found

        try:
            good = _Dkim(self.raw, self.body_hashes).verify(self.number, dnsfunc=record)
        except dkim.DKIMException:
            return False
        return bool(good) and not any(_is_trial(one) for one in seen)


class _Dkim(dkim.DKIM):  # type: ignore[misc]
    """Verifies a signature also by the hashes of a body that is not here."""

    def __init__(self, raw: bytes, body_hashes: bytes | None) -> None:
        super().__init__(raw, logger=_QUIET, minkey=1024)
        self._body_hashes = body_hashes

    def verify_sig(self, sig: dict[bytes, bytes], *more: Any) -> bool:
        if self._body_hashes is not None:
            form = CanonicalizationPolicy.from_c_value(sig.get(b"c")).body_algorithm.name
            found = self._body_hashes[32:] if form == b"relaxed" else self._body_hashes[:32]
            if base64.b64decode(b"".join(sig[b"bh"].split())) != found:
                return False
            sig = {name: value for name, value in sig.items() if name != b"bh"}  # so its own check is left out
        return bool(super().verify_sig(sig, *more))


def _is_trial(record: bytes) -> bool:
    return b"y" in [flag.strip() for flag in parse_tag_value(record).get(b"t", b"").split(b":")]


def _signatures(raw: bytes, mail: Mail, domain: str) -> Iterator[Signature]:
    """The signatures that claim this very domain. If there are two, a relay's result does not name the one it means."""
    trimmed = raw[: mail.head_ends] + BLANKS.sub(b"", raw[mail.head_ends :])
    headers: list[tuple[bytes, bytes]] = dkim.DKIM(raw, logger=_QUIET).headers
    written = [value for name, value in headers if name.lower() == b"dkim-signature"][:MOST_SIGNATURES]
    for number, value in enumerate(written):
        with contextlib.suppress(InvalidTagValueList, KeyError, ValueError):
            tags = parse_tag_value(value)
            one = Signature(
                trimmed if tags.get(b"c", b"").endswith(b"/relaxed") else raw, number, tags, mail.body_hashes
            )
            if one.tags[b"d"].decode("ascii").lower() == domain and one.tags[b"h"]:
                yield one


def _is_believed(mail: Mail, relay: Relay, domain: str) -> bool:
    """Does the relay's topmost result report a valid signature of this domain? DMARC or SPF alone do not count."""
    words = (value for name, value in mail.headers.raw_items() if name.lower() == "authentication-results")
    top = next(words, None)
    if top is None or len(top) > LONGEST_HEADER:
        return False
    try:
        read = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {' '.join(str(top).split())}")
    except authres.core.AuthResError:
        return False
    named = str(read.authserv_id or "").lower() == relay.name.lower()
    return named and any(_passes(result, domain) for result in read.results)


def _passes(result: Any, domain: str) -> bool:
    said = getattr(result, "header_d", None) or str(getattr(result, "header_i", None) or "").rpartition("@")[2]
    return result.method == "dkim" and result.result == "pass" and str(said).lower() == domain


def _name(mail: Mail, held: Signature) -> bytes:
    """By its sender and its Message-ID, if that is signed, as others can copy it; else by the signature itself.

    It is decoded: the last letter of Base64 has bits that mean nothing, so one signature can be spelled in 16 ways.
    """
    told = str(mail.headers["Message-ID"] or "").strip() if b"message-id" in held.covered else ""
    if told:
        return sha256(f"{mail.headers['From'].addresses[0].addr_spec.lower()} {told}".encode()).digest()
    signature = b"".join(held.tags[b"b"].split())
    with contextlib.suppress(ValueError):  # a relay may believe a signature that cannot be decoded
        signature = base64.b64decode(signature)
    return sha256(signature).digest()
