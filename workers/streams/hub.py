"""All streams of this host: whether an account may have one more, what each is sent, when it ends.

A round is one poll of the database, in a thread of its own, for the keys that were woken up, or once a second for all;
its results are written to all readers of a key. So a lost wake-up loses nothing: without Redis an event is at most a
second late.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from server.kernel.logs import log
from server.kernel.streams import HoldStream, StreamAnswer
from workers.streams.poll import PollResult
from workers.streams.stream import Stream, prepared

Poll = Callable[[dict[str, int], list[str]], PollResult]


@dataclass(frozen=True)
class StreamTiming:
    """In seconds: between polls of everything, between heartbeats of a stream, until a stuck reader is dropped."""

    look: float = 1.0
    beat: float = 20.0
    patience: float = 30.0


@dataclass(frozen=True)
class StreamLimits:
    """The limits of streams: on this host, for an account, for an address."""

    server: int = 4000
    account: int = 20
    address: int = 200


SPREAD = 50  # the groups in which heartbeats are sent, so that not all are sent at once


class Hub:
    """The streams by what they follow; only the event loop touches it."""

    def __init__(self, look: Poll, places: StreamLimits, timing: StreamTiming) -> None:
        self.places = places
        self._poll = look
        self._timing = timing
        self._streams: defaultdict[str, set[Stream]] = defaultdict(set)
        self._taken: Counter[str] = Counter()
        self._slots: list[set[Stream]] = [set() for _ in range(SPREAD)]
        self._woken: set[str] = set()
        self._wake = asyncio.Event()
        self._none_left = asyncio.Event()
        self._sent = 0
        self._ended: Counter[str] = Counter()

    # --- coming and going ------------------------------------------------------------------------------------------

    async def open(self, ask: HoldStream, descriptor: int) -> StreamAnswer:
        """Hold the connection, or return the limit that is reached and leave it as it is. The descriptor is ours."""
        sock = socket.socket(fileno=descriptor)
        full = self._full(ask)
        if full is not None:
            sock.close()
            return full
        loop = asyncio.get_running_loop()
        stream = Stream(ask, self._gone, lambda: self.wake_up([ask.key]), loop.time)
        self._taken.update(_counted(ask))
        self._streams[ask.key].add(stream)
        min(self._slots, key=len).add(stream)
        try:
            await loop.connect_accepted_socket(lambda: stream, prepared(sock))
        except BaseException:  # also cancelled: the other end no longer waits
            self._gone(stream)
            sock.close()
            raise
        self.wake_up([ask.key])  # events since it was requested
        return StreamAnswer(taken=True)

    def _full(self, ask: HoldStream) -> StreamAnswer | None:
        most = {"server": self.places.server, "address": self.places.address, "account": self.places.account}
        for name in _counted(ask):
            of = name.partition(" ")[0]
            if self._taken[name] >= most[of]:
                return StreamAnswer(full=of, most=most[of])
        return None

    def _gone(self, stream: Stream) -> None:
        self._taken.subtract(_counted(stream.ask))
        self._taken += Counter()  # without those at zero
        self._ended[stream.why] += 1
        self._streams[stream.ask.key].discard(stream)
        if not self._streams[stream.ask.key]:
            del self._streams[stream.ask.key]
        if not self._streams:
            self._none_left.set()
        for slot in self._slots:
            slot.discard(stream)

    def numbers(self, of: str = "") -> StreamAnswer:
        """For the operator; with the streams of the key `of`, for its owner."""
        kinds = Counter({"account": 0, "game": 0})
        for key, streams in self._streams.items():
            kinds[_kind(key)] += len(streams)
        mine = len(self._streams.get(of, ()))
        return StreamAnswer(taken=True, open=dict(kinds), of_key=mine, sent=self._sent, ended=dict(self._ended))

    async def end_all(self, patience: float) -> None:
        """End all streams: unsent data is still sent if that is quick, and the readers reconnect."""
        self._none_left.clear()
        for stream in [stream for streams in self._streams.values() for stream in streams]:
            stream.end("stopped")
        if self._streams:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._none_left.wait(), patience)

    # --- sending -----------------------------------------------------------------------------------------------------

    def wake_up(self, keys: Iterable[str]) -> None:
        """Poll these keys, if anybody follows them."""
        self._woken.update(key for key in keys if key in self._streams)
        if self._woken:
            self._wake.set()

    async def run(self) -> None:
        """Round after round, forever."""
        loop = asyncio.get_running_loop()
        everything = loop.time()
        while True:
            try:
                await asyncio.wait_for(self._wake.wait(), max(0.0, everything - loop.time()))
            except TimeoutError:
                everything = loop.time() + self._timing.look
                self._woken.update(self._streams)
            self._wake.clear()
            keys, self._woken = self._woken, set()
            await self._round(keys)

    async def _round(self, keys: set[str]) -> None:
        followed = [stream for key in keys for stream in self._streams.get(key, ())]
        if not followed:
            return
        after: dict[str, int] = {}
        for stream in followed:
            if stream.is_free:
                after[stream.ask.key] = min(stream.last, after.get(stream.ask.key, stream.last))
        shown = [stream.ask.shown for stream in followed if stream.ask.shown is not None]
        try:
            seen = await asyncio.to_thread(self._poll, after, shown)
        except Exception as fault:  # noqa: BLE001 - the streams stay; the database may be back at the next look
            log.error("look-failed", error=type(fault).__name__)
        else:
            self._tell(followed, seen)

    def _tell(self, followed: list[Stream], seen: PollResult) -> None:
        for stream in followed:
            if stream.ask.shown in seen.dead:
                stream.end("revoked", abort=True)
            elif (news := seen.news.get(stream.ask.key)) is not None:
                self._sent += stream.tell(news)
        # There may be more than a page, or a reader that was behind.
        self.wake_up({stream.ask.key for stream in followed if stream.is_behind(seen.news.get(stream.ask.key))})

    async def beat(self) -> None:
        """Send the heartbeats forever, to one group of streams at a time."""
        while True:
            for slot in self._slots:
                await asyncio.sleep(self._timing.beat / SPREAD)
                for stream in list(slot):
                    stream.beat(self._timing.patience)


def _kind(key: str) -> str:
    return "account" if key.startswith("a") else "game"


def _counted(ask: HoldStream) -> list[str]:
    """The limits that a stream counts against."""
    account = [f"account {ask.key}"] if _kind(ask.key) == "account" else []
    return ["server", f"address {ask.address}", *account]
