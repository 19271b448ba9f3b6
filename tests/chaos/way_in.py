"""One address for all hosts, as a proxy gives it: each connection goes to a host that takes it."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from itertools import count
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

AT_ONCE = 65536  # bytes
CONNECTS = 5  # seconds until another host is tried


class WayIn(ThreadingTCPServer):
    """The hosts take turns. Ends once its clients have closed their connections."""

    allow_reuse_address = True

    def __init__(self, port: int, hosts: Sequence[int]) -> None:
        super().__init__(("127.0.0.1", port), Passing)
        self.hosts, self.turns = hosts, count()

    def connected(self) -> socket.socket | None:
        """A connection to the host whose turn it is, or to the next one that takes it."""
        first = next(self.turns)
        for turn in range(len(self.hosts)):
            port = self.hosts[(first + turn) % len(self.hosts)]
            with suppress(OSError):
                found = socket.create_connection(("127.0.0.1", port), CONNECTS)
                found.settimeout(None)
                return found
        return None


class Passing(BaseRequestHandler):
    """Passes the bytes of a connection on, both ways, until one of its ends is closed."""

    server: WayIn

    def handle(self) -> None:
        there = self.server.connected()
        if there is None:
            return
        with there:
            back = Thread(target=_pass_on, args=(there, self.request))
            back.start()
            _pass_on(self.request, there)
            back.join()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(AT_ONCE):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def way_in(port: int, hosts: Sequence[int]) -> Any:
    """It answers at this port."""
    with WayIn(port, hosts) as made:
        serving = Thread(target=made.serve_forever)
        serving.start()
        try:
            yield
        finally:
            made.shutdown()
            serving.join()
