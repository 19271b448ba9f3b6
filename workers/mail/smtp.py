"""Sends mails to an SMTP relay, and tells a missing mailbox from every other failure.

A relay also answers 5xx for mail that it may accept tomorrow, because of a sender that it does not know yet, a
signature or a limit. Only an enhanced status about the mailbox itself (RFC 3463) is final, and only in answer to the
recipient or the message.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import cache
from typing import Any, Self
from urllib.parse import unquote, urlsplit

from server.kernel.config import RELAY_PORTS
from server.mailbox.delivery_reports import classify
from workers.errors import WorkerError
from workers.mail.headers import POLICY, clean

TIMEOUT = 20  # seconds for each step
PATIENCE = 30  # for all steps of a letter together, but the last
ANSWER = 120  # for the answer to its end, whatever was used before: the relay has the letter, and would get it twice
MOST_LETTERS = 50  # per connection: some relays hang up after a hundred
LONGEST_WORDS = 500  # of an answer to a connection
LEADING_DOT, END = re.compile(rb"^\.", re.MULTILINE), b".\r\n"


class TransientMailError(WorkerError):
    """The mail may be accepted later: there was no answer, or the refusal was not about the address."""


class RelayAwayError(TransientMailError):
    """No connection to the relay could be opened, so the failure is not about this mail."""


class PermanentMailError(WorkerError):
    """The mailbox does not exist."""


@dataclass(frozen=True)
class Smtp:
    """The relay: `smtp://host:port`, `smtp+starttls://user:password@host`, or `smtps://...`."""

    scheme: str
    host: str
    port: int
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    sign: Callable[[bytes], bytes] = field(default=bytes, repr=False, compare=False)

    @classmethod
    def at(cls, url: str, sign: Callable[[bytes], bytes] = bytes) -> Self:
        """The relay of SMTP_URL, which the settings have checked. `sign` signs a mail."""
        parts = urlsplit(url)
        user, password = (text and unquote(text) for text in (parts.username, parts.password))
        return cls(parts.scheme, str(parts.hostname), parts.port or RELAY_PORTS[parts.scheme], user, password, sign)

    @contextmanager
    def session(self) -> Iterator[SmtpSession]:
        """A greeted connection for one mail."""
        line = KeptConnection(self)
        try:
            yield line.session()
        finally:
            line.close()

    def open(self) -> Client:
        """A greeted connection. Failures before are a `RelayAwayError`, since they are not about the address."""
        try:
            return self._connect()
        except (OSError, smtplib.SMTPException) as error:
            raise RelayAwayError(_says(error)) from error

    def _connect(self) -> Client:
        if self.scheme == "smtps":
            client: Client = SecureClient(self.host, self.port, timeout=TIMEOUT, context=_secure())
        else:
            client = Client(self.host, self.port, timeout=TIMEOUT)
        try:
            client.ehlo_or_helo_if_needed()
            if self.scheme == "smtp+starttls":
                client.starttls(context=_secure())
            if self.user:
                client.login(self.user, self.password or "")
        except BaseException:
            client.close()
            raise
        return client


def _at_once() -> None:
    """Let the end of a letter follow without a pause."""


def _unheard(_why: str | None) -> None:
    """Nobody asks whether a connection could be opened."""


class Client(smtplib.SMTP):
    """The library's client, which also keeps the server's answer and limits the time of the whole transfer.

    `before_end` is called before the last byte of a letter: from then on the server may have accepted it.
    """

    taken = (0, b"")
    before_end: Callable[[], None] = staticmethod(_at_once)

    def __init__(self, *where: Any, **more: Any) -> None:
        self.begin()
        super().__init__(*where, **more)

    def begin(self) -> None:
        """Limit the time from now on."""
        self._until = time.monotonic() + PATIENCE

    def getreply(self) -> tuple[int, bytes]:
        if self.sock is not None:
            self.sock.settimeout(min(TIMEOUT, max(0.01, self._until - time.monotonic())))
        return super().getreply()

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Send a letter of bytes, with its end apart."""
        code, says = self.docmd("data")
        if code != 354:
            raise smtplib.SMTPDataError(code, says)
        assert self.sock is not None
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # send the end at once
        self.send(LEADING_DOT.sub(b"..", msg))
        self.before_end()
        self.send(END if msg.endswith(b"\r\n") else b"\r\n" + END)
        self.sock.settimeout(ANSWER)
        self.taken = super().getreply()
        return self.taken


class SecureClient(Client, smtplib.SMTP_SSL):
    """The same client, encrypted from the first byte."""


@cache
def _secure() -> ssl.SSLContext:
    """Checks certificate and host name. It is cached: loading the authorities takes longer than sending."""
    return ssl.create_default_context()


@dataclass(frozen=True)
class SmtpSession:
    """One connection."""

    client: Client
    sign: Callable[[bytes], bytes] = bytes

    def send(self, letter: EmailMessage, sender: str | None = None) -> str:
        """Send a mail and return the server's answer; the server is then responsible for it.

        Raises `TransientMailError` or `PermanentMailError`. `sender` is the envelope sender, to which bounces go; by
        default the address in From.
        """
        (to,), (by,) = letter["To"].addresses, letter["From"].addresses
        raw = self.sign(letter.as_bytes(policy=POLICY))
        self.client.begin()  # composing it does not count
        try:
            self.client.sendmail(sender or by.addr_spec, to.addr_spec, raw)
        except smtplib.SMTPSenderRefused as refused:
            raise TransientMailError(_reply_line(refused.smtp_code, refused.smtp_error)) from refused
        except smtplib.SMTPRecipientsRefused as refused:
            (code, says), *_ = refused.recipients.values()
            raise _verdict(code, says) from refused
        except smtplib.SMTPResponseException as refused:
            raise _verdict(refused.smtp_code, refused.smtp_error) from refused
        except (OSError, smtplib.SMTPException) as error:
            raise TransientMailError(_says(error)) from error
        return _reply_line(*self.client.taken)


class KeptConnection:
    """A connection that is kept between mails: opened for the first one, and again whenever it was closed.

    `opened` is told of each attempt to open it: why it failed, or None.
    """

    def __init__(
        self, smtp: Smtp, before_end: Callable[[], None] = _at_once, opened: Callable[[str | None], None] = _unheard
    ) -> None:
        self._smtp, self._before_end, self._opened = smtp, before_end, opened
        self._client: Client | None = None
        self._letters = 0

    def session(self) -> SmtpSession:
        """The connection for one mail, checked first, since a server may close an idle one."""
        if self._client is None or self._letters >= MOST_LETTERS or not _stands(self._client):
            self.close()
            self._client = self._open()
            self._client.before_end = self._before_end
        self._letters += 1
        return SmtpSession(self._client, self._smtp.sign)

    def _open(self) -> Client:
        try:
            client = self._smtp.open()
        except RelayAwayError as no:
            self._opened(str(no))
            raise
        self._opened(None)
        return client

    def close(self) -> None:
        """Close the connection. Errors are ignored: they do not undo mails that were accepted."""
        client, self._client, self._letters = self._client, None, 0
        if client is not None:
            with suppress(OSError, smtplib.SMTPException):
                client.quit()
            client.close()


def _stands(client: Client) -> bool:
    """Is it open? Also ends what a letter has left, which the relay has refused halfway."""
    client.begin()
    try:
        return client.rset()[0] == 250
    except (OSError, smtplib.SMTPException):
        return False


def _verdict(code: int, says: bytes | str) -> Exception:
    """Final if the status is about the mailbox, and the words beside it are about nothing else, as in a bounce."""
    said = _reply_line(code, says)
    status = re.match(r"5\d\d (5\.\d{1,3}\.\d{1,3})\b", said)
    is_final = status is not None and classify(said, status[1]).kind == "gone"
    return (PermanentMailError if is_final else TransientMailError)(said)


def _reply_line(code: int, says: bytes | str) -> str:
    return f"{code} {says.decode('ascii', 'replace') if isinstance(says, bytes) else says}"


def _says(error: Exception) -> str:
    """Of a relay's answer its words, but those about a password, which some relays repeat."""
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return f"{error.smtp_code} {type(error).__name__}"
    if isinstance(error, smtplib.SMTPResponseException):
        return clean(_reply_line(error.smtp_code, error.smtp_error), LONGEST_WORDS)
    return f"{type(error).__name__}: {error}"
