"""One connection that was handed over: only written to, and closed when its reader is gone.

Nothing is written while something is unsent, so a slow reader makes this process keep one page of events at most, and
continues where it was. A reader that takes nothing at all for a while is dropped; it resumes by its last number.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

from server.kernel.streams import HoldStream
from workers.streams.poll import MOST, NewEvents

BEAT = b":\n\n"  # a comment: the connection is alive
UNSENT = 2**15  # bytes that the kernel buffers for a reader; its default is megabytes
CHATTER = 2**12  # bytes that a reader may send us, although none is read


class Stream(asyncio.Protocol):
    """The reader of one account's or one game's events, who has them up to number `last`."""

    def __init__(
        self, ask: HoldStream, gone: Callable[[Stream], None], more: Callable[[], None], clock: Callable[[], float]
    ) -> None:
        self.ask = ask
        self.last = ask.after
        self.why = "reader"
        self.stuck_since: float | None = None
        self._gone = gone
        self._more = more
        self._clock = clock
        self._heard = 0
        self._transport: Any = None

    @property
    def is_free(self) -> bool:
        """Can something be written now?"""
        return self.stuck_since is None and self._transport is not None and not self._transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._transport.set_write_buffer_limits(high=0)
        self._transport.write(self.ask.head + b"retry: 2000\nid: %d\n\n" % self.last)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's word
        self._gone(self)

    def pause_writing(self) -> None:
        self.stuck_since = self._clock()

    def resume_writing(self) -> None:
        self.stuck_since = None
        self._more()

    def data_received(self, data: bytes) -> None:
        """Ignore it: the request was complete."""
        self._heard += len(data)
        if self._heard > CHATTER:
            self.end("reader", abort=True)

    def tell(self, news: NewEvents) -> int:
        """Write the events that this reader lacks; returns their number."""
        if not self.is_free or self.last < news.after or (news.reset and self.last != news.after):
            return 0
        new = [block for block in news.blocks if news.reset or block[0] > self.last]
        if new:
            self.last = new[-1][0]
            self._transport.write(b"".join(text for _, text in new))
        if news.over:
            self.end("over")
        return len(new)

    def is_behind(self, news: NewEvents | None) -> bool:
        """May there be more for this reader than the last poll found?"""
        return news is not None and self.is_free and (len(news.blocks) == MOST or self.last != news.blocks[-1][0])

    def beat(self, patience: float) -> None:
        """Send a heartbeat, or drop a reader that has accepted nothing for too long."""
        if self.stuck_since is not None and self._clock() - self.stuck_since > patience:
            self.end("slow", abort=True)
        elif self.is_free:
            self._transport.write(BEAT)

    def end(self, why: str, *, abort: bool = False) -> None:
        """Close it; unsent data is still sent, unless it is aborted."""
        self.why = why
        (self._transport.abort if abort else self._transport.close)()


def prepared(sock: socket.socket) -> socket.socket:
    """The connection with its socket options set."""
    sock.setblocking(False)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return sock
