"""A stream of events handed over: Flask authorizes it, then the process `events` holds the connection.

The connection's descriptor goes over a Unix socket with a message on what to send. The web server keeps a dead socket
in its place, so that its later writes go nowhere. So a stream costs no thread, lives on one port and one origin, and
outlives a restart of the web server. Only a request of HTTP/1.1 over a plain socket can be handed over, once its body
has been read: another process cannot continue HTTP/2 with several requests under way, TLS, or a server that exposes no
socket (Flask's own).

    web   -> events   a length (4 bytes, big-endian) and a `StreamRequest` in JSON; with a `HoldStream` the descriptor
    web  <-  events   a `StreamAnswer` in JSON
"""

from __future__ import annotations

import os
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from server.kernel.errors import Problem

PATIENCE = 2.0  # seconds: the process answers at once, or is not running
LARGEST = 2**16


class Follow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Send the events of `key` (`a17`, `g` and a UUID) after number `after`, until the credential `shown` is not valid.

    `shown` is as in `Principal`. `index` is the place in the list of a shared stream; None: it is the only one.
    """

    key: str
    after: int
    shown: str | None = None
    index: int | None = None


class HoldStream(msgspec.Struct, tag="open", frozen=True):
    """Hold this connection: write `head`, then the events of all that it follows.

    Not after `until`, of the host's monotonic clock: the web server may have given up and answered itself.
    """

    head: bytes
    follows: tuple[Follow, ...]
    address: str
    until: float | None = None

    @property
    def is_shared(self) -> bool:
        """Does it follow several accounts, so that each event has the index of its own?"""
        return self.follows[0].index is not None


class CountStreams(msgspec.Struct, tag="numbers", frozen=True, omit_defaults=True):
    """Ask how many streams are open, how many of them are of `key`, and how many ended in which way."""

    key: str = ""


StreamRequest = HoldStream | CountStreams


class StreamAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Accepted, or the limit that was reached (`server`, `account`, `address`) and its size."""

    taken: bool = False
    full: str = ""
    most: int = 0
    open: Mapping[str, int] = {}
    of_key: int = 0
    sent: int = 0
    ended: Mapping[str, int] = {}


def hand_over(path: Path, environ: Mapping[str, Any], ask: HoldStream) -> StreamAnswer:
    """Hand over the connection of this request, which is unchanged after a Problem or if the answer names a limit."""
    sock = plain_socket(environ)
    until = time.monotonic() + PATIENCE / 2  # the other half is for the answer
    answer = _request(path, msgspec.structs.replace(ask, until=until), sock.fileno())
    if not answer.taken and not answer.full:  # it came too late
        raise Problem("no-streams")
    if not answer.taken:
        return answer
    here, there = socket.socketpair()
    with closing(here), closing(there):
        os.dup2(here.fileno(), sock.fileno(), inheritable=False)
    return answer


def plain_socket(environ: Mapping[str, Any]) -> socket.socket:
    """The connection, if it can be handed over as it stands. The body of a POST has been read by now."""
    sock = environ.get("gunicorn.socket")
    if not isinstance(sock, socket.socket) or isinstance(sock, ssl.SSLSocket):
        raise Problem("no-streams", needs="a plain socket, as gunicorn gives it")
    if environ.get("SERVER_PROTOCOL") != "HTTP/1.1" or "gunicorn.http2.send_trailers" in environ:
        raise Problem("no-streams", needs="HTTP/1.1")
    has_body = environ.get("HTTP_TRANSFER_ENCODING") or environ.get("CONTENT_LENGTH") not in (None, "", "0")
    if has_body and environ["REQUEST_METHOD"] != "POST":
        raise Problem("bad-request")
    return sock


def numbers(path: Path, key: str = "") -> StreamAnswer | None:
    """The counts of the process, also of the streams of `key`; None if it is not running."""
    try:
        return _request(path, CountStreams(key))
    except Problem:
        return None


def _request(path: Path, ask: StreamRequest, *descriptors: int) -> StreamAnswer:
    try:
        with socket.socket(socket.AF_UNIX) as unix:
            unix.settimeout(PATIENCE)
            unix.connect(os.fspath(path))
            text = msgspec.json.encode(ask)
            socket.send_fds(unix, [len(text).to_bytes(4, "big") + text], descriptors)
            return msgspec.json.decode(_rest(unix), type=StreamAnswer)
    except (OSError, msgspec.DecodeError):
        raise Problem("no-streams") from None


def _rest(unix: socket.socket) -> bytes:
    parts = []
    while part := unix.recv(LARGEST):
        parts.append(part)
    return b"".join(parts)


def read_request(unix: socket.socket) -> tuple[StreamRequest, list[int]]:
    """Receive a request and the descriptors sent with it, which the caller must close.

    EOFError if the peer only checked whether this process is running.
    """
    data, descriptors, _, _ = socket.recv_fds(unix, LARGEST, 1)
    if not data:
        raise EOFError
    try:
        while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "big"):
            part = unix.recv(LARGEST)
            if not part or len(data) > LARGEST:
                raise ValueError("incomplete request")
            data += part
        return msgspec.json.decode(data[4:], type=StreamRequest), descriptors
    except (OSError, ValueError):
        for one in descriptors:
            os.close(one)
        raise
