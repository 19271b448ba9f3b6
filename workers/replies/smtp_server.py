"""The SMTP and LMTP server: limits size, recipients, sessions and rate; stores mail before `250`.

Every address in the form of our reply addresses is accepted, whether its token is valid or not: guessing reveals
nothing, and nobody gets a bounce for a mail that they did not write. Any other address is refused.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from server.kernel.config import Settings
from server.kernel.logs import log
from server.kernel.peers import counted_as
from server.mailbox.arriving import LARGEST, ArrivingMail
from server.mailbox.inbound import IncomingMail, Via, is_ours
from workers.replies.batch_writer import BatchWriter
from workers.replies.certificate import TlsCertificate
from workers.replies.mail_data import MailData

STORED = "250 2.0.0 stored"
FULL = "452 4.2.2 too many mails waiting for this address, try again later"
LATER = "451 4.3.0 try again later"
BUSY = b"421 4.3.2 too many connections, try again\r\n"
TOO_LARGE = f"552 5.3.4 the mail has more than {LARGEST // 2**20} MB: send it without attachments"
TOO_LONG = "500 5.5.2 a line of the mail is too long"
TIMEOUT = 60
RATE = 64 * 1024  # bytes of a mail that give its session another second
LONGEST_LINE = 65536
AT_ONCE = 2**24  # bytes: whatever the library has read, so that it can be given back what follows the mail
logging.getLogger("mail").setLevel(logging.CRITICAL)  # it logs who sends what to whom


@dataclass
class ConnectionLimits:
    """Limits of one process. A relay is one peer, so a peer's limits are high, until half of the sessions are taken.

    Then each peer may have a few, so that some addresses cannot keep out all others.
    """

    recipients: int = 10
    sessions: int = 200
    of_peer: int = 50
    of_peer_when_busy: int = 5
    a_minute: int = 1200
    open: Counter[str] = field(default_factory=Counter)
    _came: Counter[tuple[str, int]] = field(default_factory=Counter)

    def is_open_to(self, peer: str) -> bool:
        total = self.open.total()
        most = self.of_peer if total < self.sessions // 2 else self.of_peer_when_busy
        return total < self.sessions and self.open[peer] < most

    def leave(self, peer: str) -> None:
        """End a session. A peer without one is forgotten, since in weeks there are many."""
        self.open[peer] -= 1
        if not self.open[peer]:
            del self.open[peer]

    def takes(self, peer: str) -> bool:
        """May this peer send one more mail in this minute?"""
        minute = int(time.monotonic() // 60)
        if any(then != minute for _, then in self._came):
            self._came.clear()
        self._came[peer, minute] += 1
        return self._came[peer, minute] <= self.a_minute


@dataclass
class InboundHandler:
    """The callbacks of aiosmtpd for each mail."""

    settings: Settings
    keeper: BatchWriter
    limits: ConnectionLimits
    via: Via

    async def handle_RCPT(
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        if not is_ours(self.settings, address):
            return "550 5.7.1 not an address of this server"
        if len(envelope.rcpt_tos) >= self.limits.recipients:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 ok"

    async def keep(self, session: Session, envelope: Envelope, mail: ArrivingMail) -> str:
        """Store the mail for its recipients; returns the answer."""
        peer = _peer(session)
        if not self.limits.takes(counted_as(peer)):
            return "451 4.7.1 too many mails, try again later"
        relayed = self.settings.auth_results is not None and peer == self.settings.auth_results[1]
        raw, hashes = mail.beginning, mail.body_hashes()
        kept = await self.keeper.keep(
            [IncomingMail(to, raw, self.via, relayed, body_hashes=hashes) for to in envelope.rcpt_tos]
        )
        answers = (
            [LATER] * len(envelope.rcpt_tos) if kept is None else [FULL if how == "full" else STORED for how in kept]
        )
        if self.via == "lmtp":
            return "\r\n".join(answers)
        return next((answer for answer in answers if answer != STORED), STORED)

    async def handle_exception(self, error: Exception) -> str:
        """The library's own answer would reveal the error."""
        log.error("door-failed", error=type(error).__name__)
        return LATER


def _one_line(sender: str | None) -> str:
    """The library gives an empty sender as `<>`."""
    return "" if sender == "<>" else "".join(char for char in sender or "" if char.isprintable())


def _peer(session: Session) -> str:
    return _peer_name(session.peer)


def _peer_name(peer: Any) -> str:
    """The address of a socket's other end."""
    return str(peer[0]) if isinstance(peer, tuple) else "local"


class _Counted(SMTP):
    """Sessions are counted; one too many is refused with a reply. Only the beginning of a long mail is in memory."""

    line_length_limit = LONGEST_LINE
    limits: ConnectionLimits
    door: InboundHandler
    peer = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if self.peer:  # the same session, encrypted from now on
            super().connection_made(transport)
            return
        peer = counted_as(_peer_name(transport.get_extra_info("peername")))
        if not self.limits.is_open_to(peer):
            assert isinstance(transport, asyncio.WriteTransport)
            transport.write(BUSY)
            transport.close()
            return
        self.peer = peer
        self.limits.open[peer] += 1
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Count down once: after a failed handshake the library calls this twice."""
        if self.peer:
            self.limits.leave(self.peer)
            self.peer = ""
            super().connection_lost(error)

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:
        """In place of the library's, which collects the lines of a mail in memory."""
        if await self.check_helo_needed():
            return
        assert self.envelope is not None
        if arg or not self.envelope.rcpt_tos:
            await self.push("501 Syntax: DATA" if arg else "503 Error: need RCPT command")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        answer = await self._answer(self.envelope)
        self._set_post_data_state()  # type: ignore[no-untyped-call]
        await self.push(answer)

    async def _answer(self, envelope: Envelope) -> str:
        """Read the mail to its end, then keep or refuse it."""
        mail, line, is_too_long = ArrivingMail(), 0, False
        mail.take(f"Return-Path: <{_one_line(envelope.mail_from)}>\r\n".encode("utf-8", "replace"))
        async for piece in self._pieces():
            last = piece.rfind(b"\n") + 1
            line = len(piece) - last + (0 if last else line)
            is_too_long |= line > LONGEST_LINE
            if not is_too_long:
                mail.take(piece)
        if is_too_long or mail.is_too_large:
            return TOO_LONG if is_too_long else TOO_LARGE
        assert self.session is not None
        return await self.door.keep(self.session, envelope, mail)

    async def _pieces(self) -> AsyncIterator[bytes]:
        """The mail's bytes. A session that ends meanwhile is cancelled by the library."""
        data, begun, size = MailData(), self.loop.time(), 0
        while data.rest is None:
            read = await self._reader.read(AT_ONCE)
            if not read:
                raise ConnectionResetError
            size += len(read)
            self._reset_timeout(TIMEOUT + begun - self.loop.time() + min(size, LARGEST) / RATE)
            yield data.take(read)
        self._reset_timeout()
        if data.rest:
            self._reader.feed_data(data.rest)


class _CountedLmtp(_Counted, LMTP):
    pass


def protocol(
    url: str,
    settings: Settings,
    keeper: BatchWriter,
    limits: ConnectionLimits,
    certificate: TlsCertificate | None = None,
) -> tuple[Callable[[], SMTP], str, int]:
    """The server and address for a URL of INBOUND_LISTEN; ValueError if it is invalid."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("smtp", "lmtp") or not parts.hostname or not parts.port:
        raise ValueError(
            "INBOUND_LISTEN must hold addresses such as lmtp://127.0.0.1:24 or smtp://0.0.0.0:25, separated by commas"
        )
    kind: type[_Counted] = _CountedLmtp if parts.scheme == "lmtp" else _Counted
    door = InboundHandler(settings, keeper, limits, "lmtp" if parts.scheme == "lmtp" else "smtp")
    given: dict[str, Any] = {
        "data_size_limit": LARGEST,
        "enable_SMTPUTF8": True,
        "hostname": (settings.reply_address or "@localhost").rpartition("@")[2],
        "ident": "ready",
        "timeout": TIMEOUT,
    }

    def serve() -> SMTP:
        context = None if certificate is None else certificate.context()
        made = kind(door, tls_context=context, **given)
        made.limits, made.door = limits, door
        return made

    return serve, parts.hostname, parts.port
