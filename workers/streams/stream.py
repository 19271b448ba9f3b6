"""One connection that was handed over: only written to, and closed when its reader is gone.

Nothing is written while something is unsent, so a slow reader makes this process keep one page of events at most, and
continues where it was. A reader that takes nothing at all for a while is dropped; it resumes by its last numbers.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Mapping
from typing import Any

from server.hooks.read import as_data, following_event, refused_event
from server.kernel.errors import Problem
from server.kernel.streams import Follow, HoldStream
from workers.streams.poll import MOST, NewEvents

BEAT = b":\n\n"  # a comment: the connection is alive
UNSENT = 2**15  # bytes that the kernel buffers for a reader; its default is megabytes
CHATTER = 2**12  # bytes that a reader may send us, although none is read


class Stream(asyncio.Protocol):
    """A reader, and whose events they get."""

    def __init__(
        self,
        ask: HoldStream,
        gone: Callable[[Stream], None],
        more: Callable[[Stream], None],
        clock: Callable[[], float],
    ) -> None:
        self.ask = ask
        self.followers: list[Follower] = []
        self.refused: list[tuple[Follow, Problem]] = []  # before it begins
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
        return self.stuck_since is None and self.is_open

    @property
    def is_open(self) -> bool:
        """Is it neither closed nor about to be?"""
        return self._transport is not None and not self._transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._transport.set_write_buffer_limits(high=0)
        began = b"".join(follower.began for follower in self.followers)
        refused = b"".join(as_data(refused_event(follow.index, problem)) for follow, problem in self.refused)
        self._transport.write(self.ask.head + b"retry: 2000\n" + began + refused)
        if not self.followers:
            self.end("full")

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's word
        self._gone(self)

    def pause_writing(self) -> None:
        self.stuck_since = self._clock()

    def resume_writing(self) -> None:
        self.stuck_since = None
        self._more(self)

    def data_received(self, data: bytes) -> None:
        """Ignore it: the request was complete."""
        self._heard += len(data)
        if self._heard > CHATTER:
            self.end("reader", abort=True)

    def write(self, text: bytes) -> None:
        self._transport.write(text)

    def drop(self, follower: Follower) -> None:
        """Follow an account no more: its credential is not valid. The stream of a single one ends at once."""
        self.followers.remove(follower)
        if self.ask.is_shared:
            # Short, so it is written also while something is unsent.
            self.write(as_data(refused_event(follower.ask.index, Problem("bad-token"))))
        if not self.followers:
            self.end("revoked", abort=not self.ask.is_shared)

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


class Follower:
    """An account or game that a stream follows. Its reader has the events up to number `last`."""

    def __init__(self, stream: Stream, ask: Follow) -> None:
        self.stream = stream
        self.ask = ask
        self.last = ask.after

    @property
    def began(self) -> bytes:
        """How the stream begins for it: with the number after which it continues."""
        if self.ask.index is None:
            return b"id: %d\n\n" % self.last
        return as_data(following_event(self.ask.index, self.last))

    def tell(self, news: NewEvents) -> int:
        """Write the events that this reader lacks; returns their number."""
        if not self.stream.is_free or self.last < news.after or (news.reset and self.last != news.after):
            return 0
        new = [event for event in news.events if news.reset or event[0] > self.last]
        if new:
            self.last = new[-1][0]
            self.stream.write(b"".join(self._block(*event) for event in new))
        if news.over:
            self.stream.end("over")
        return len(new)

    def _block(self, n: int, event: bytes) -> bytes:
        """In the format of `text/event-stream`. JSON has no line feed, so it is one line of data."""
        if self.ask.index is None:
            return b"id: %d\ndata: %s\n\n" % (n, event)
        return b'data: {"index":%d,%s\n\n' % (self.ask.index, event.removeprefix(b"{"))

    def is_behind(self, news: NewEvents | None) -> bool:
        """May there be more for this reader than the last poll found?"""
        if news is None or not self.stream.is_free:
            return False
        return len(news.events) == MOST or self.last != news.events[-1][0]

    def is_ahead(self, after: Mapping[str, int], news: NewEvents | None) -> bool:
        """Has the reader a number that the log, in which a poll found this after these numbers, does not have?"""
        if not self.stream.is_free or self.ask.key not in after or (news is not None and len(news.events) == MOST):
            return False
        return self.last > (after[self.ask.key] if news is None else news.events[-1][0])


def prepared(sock: socket.socket) -> socket.socket:
    """The connection with its socket options set."""
    sock.setblocking(False)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return sock
