"""Gunicorn's worker with threads, for requests that have arrived whole (docs/adr/slow-clients.md).

Gunicorn's `gthread` gives a thread to a connection with its first byte, and the thread waits for the others: as many
half-sent requests as there are threads stop the site. Here only the main loop reads, and it never waits for one client.
A thread gets a request once all its bytes are here. A request that takes too long is answered with 408. After the last
answer the client has a moment to close, which the main loop times too; in `gthread` it would stand still meanwhile.

This file is imported before the app, so nothing here may import the metrics.
"""

from __future__ import annotations

import os
import selectors
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn import http, util
from gunicorn.workers import gthread

from server.operate.request_scan import RequestScan

SECONDS = float(os.environ.get("REQUEST_SECONDS", "10"))  # for a request to arrive
TAKEN = 60.0  # seconds in which a client must have taken a piece of an answer; the kernel holds the first megabytes
RATE = 16 * 1024  # bytes that give a long request another second
LARGEST = 33 * 1024 * 1024  # bytes of a body: no operation takes more
KEPT = 4 * LARGEST  # bytes of all requests that are arriving in this process; beyond that 503
LINGER = 2.0  # seconds in which a client may close after its last answer
PIECE = 64 * 1024
EACH = 0.25  # seconds between two looks at the deadlines
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Connection(gthread.TConn):
    """A connection whose parser reads only what `scan` has collected."""

    def __init__(self, cfg: Any, sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(cfg, sock, client, server)
        self.scan = RequestScan(LARGEST)
        self.parser: Any = http.get_parser(cfg, self.scan, client)
        self.initialized = True  # Gunicorn then neither waits for data nor starts TLS or HTTP/2
        self.deadline = self.begun = time.monotonic()
        self.is_leaving = False

    def close(self, graceful: bool = False) -> None:  # noqa: ARG002 - `_leave` is the graceful one
        self.scan.close()
        util.close(self.sock)


class WholeRequestWorker(gthread.ThreadWorker):
    """The main loop reads; `reading` has the connections whose next bytes it waits for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.poller: Any = None  # from `init_process` on
        self.reading: set[Connection] = set()
        self.looked_at = 0.0
        self.count_slow: Callable[[], None] = lambda: None  # the configuration sets it

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        if cfg.is_ssl:
            raise ValueError("this server does not encrypt: end TLS at a proxy (docs/operate.md)")
        super().check_config(cfg, log)

    # --- beginning ----------------------------------------------------------------------------------------------------

    def accept(self, listener: socket.socket) -> None:
        try:
            sock, client = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        self.nr_conns += 1
        conn = Connection(self.cfg, sock, client, listener.getsockname())
        conn.deadline = time.monotonic() + SECONDS
        self._wait(conn)
        self.on_readable(conn, sock)  # usually the request is here already

    def _wait(self, conn: Connection) -> None:
        conn.sock.setblocking(False)
        self.reading.add(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_readable, conn))

    def _forget(self, conn: Connection) -> None:
        self.reading.discard(conn)
        self.poller.unregister(conn.sock)

    def on_readable(self, conn: Connection, sock: socket.socket) -> None:
        """Read what has come; nothing at all means that the client has closed."""
        try:
            data = sock.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._drop(conn)
        elif not conn.is_leaving:
            self._take(conn, data)

    def _take(self, conn: Connection, data: bytes) -> None:
        if not conn.scan.is_begun:
            conn.begun = time.monotonic()
        try:
            conn.scan.feed(data)
        except OSError as error:  # a long request goes to a file
            self.log.warning("a request could not be collected: %s", error)
            self._refuse(conn, 503, "Service Unavailable")
            return
        if conn.scan.is_cut and not conn.scan.has_head:
            self._refuse(conn, 431, "Request Header Fields Too Large")
            return
        if conn.scan.is_whole:
            self._forget(conn)
            self.enqueue_req(conn)
            return
        conn.deadline = conn.begun + SECONDS + conn.scan.size / RATE
        if conn.scan.size > RATE and sum(one.scan.size for one in self.reading) > KEPT:
            self._refuse(conn, 503, "Service Unavailable")
        elif conn.scan.wants_continue:
            conn.scan.wants_continue = False
            self._tell(conn, CONTINUE)

    # --- the request, in a thread -------------------------------------------------------------------------------------

    def handle_request(self, req: Any, conn: Connection) -> Any:
        """Answer it. A client that takes nothing of the answer is treated as gone."""
        req._expected_100_continue = False  # noqa: SLF001 - `_take` has sent it; Gunicorn has no other switch
        conn.sock.settimeout(TAKEN)
        if conn.scan.is_cut:
            req.force_close()
        try:
            return super().handle_request(req, conn)
        except TimeoutError:
            raise StopIteration from None

    def finish_request(self, conn: Connection, fs: Future[Any]) -> None:
        """Wait for the next request, or for the client to close."""
        if (
            fs.cancelled()
            or fs.exception()
            or not fs.result()
            or conn.scan.is_cut
            or conn.parser.unreader.buf.getvalue()
        ):
            self._leave(conn)
            return
        conn.scan.again()
        if conn.scan.is_whole:
            self.enqueue_req(conn)
        elif self.nr_conns > self.max_keepalived:
            self._leave(conn)
        else:
            now = time.monotonic()
            patience = SECONDS if conn.scan.is_begun else self.cfg.keepalive if self.alive else LINGER
            conn.begun, conn.deadline = now, now + patience
            self._wait(conn)

    # --- the end ------------------------------------------------------------------------------------------------------

    def _leave(self, conn: Connection) -> None:
        """Close our side, and the connection once the client has closed theirs: before, the answer could be lost."""
        conn.is_leaving, conn.deadline = True, time.monotonic() + LINGER
        try:
            conn.sock.shutdown(socket.SHUT_WR)
            if conn not in self.reading:
                self._wait(conn)
        except OSError:
            self._drop(conn)

    def _drop(self, conn: Connection) -> None:
        if conn in self.reading:
            self._forget(conn)
        self.nr_conns -= 1
        conn.close()

    def _refuse(self, conn: Connection, status: int, reason: str) -> None:
        self._tell(conn, f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode())
        self._leave(conn)

    def _tell(self, conn: Connection, line: bytes) -> None:
        with suppress(OSError):
            conn.sock.send(line)  # it fits: nothing else is on its way

    def murder_pending(self) -> None:
        """End what has taken too long. Gunicorn calls this after every wait for events."""
        now = time.monotonic()
        if now - self.looked_at < EACH:
            return
        self.looked_at = now
        for conn in [one for one in self.reading if one.deadline <= now]:
            if conn.is_leaving or not conn.scan.is_begun:
                self._drop(conn)
            else:
                self.count_slow()
                self._refuse(conn, 408, "Request Timeout")

    def murder_keepalived(self, force: bool = False) -> None:
        if force:
            for conn in list(self.reading):
                self._drop(conn)

    def _cap_keepalive(self, deadline: float) -> None:
        for conn in self.reading:
            if not conn.scan.is_begun:
                conn.deadline = min(conn.deadline, deadline)
