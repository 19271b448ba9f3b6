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

from server.kernel.peers import counted_as
from server.kernel.streams import Follow, HoldStream, StreamAnswer
from server.tables import limits
from workers.failure_log import FailureLog
from workers.streams.poll import PollResult
from workers.streams.stream import Follower, Stream, prepared

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
    """The streams, and what they follow; only the event loop touches it."""

    def __init__(self, look: Poll, places: StreamLimits, timing: StreamTiming) -> None:
        self.places = places
        self._poll = look
        self._timing = timing
        self._failures = FailureLog()
        self._streams: set[Stream] = set()
        self._followers: defaultdict[str, set[Follower]] = defaultdict(set)  # by key
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
        full = self._full(*_counted(ask), *(() if ask.is_shared else _account(ask.follows[0])))
        if full is not None:
            sock.close()
            return full
        loop = asyncio.get_running_loop()
        stream = Stream(ask, self._gone, self._more, loop.time)
        self._enter(stream)
        try:
            await loop.connect_accepted_socket(lambda: stream, prepared(sock))
        except BaseException:  # also cancelled: the other end no longer waits
            self._gone(stream)
            sock.close()
            raise
        self._more(stream)  # events since it was requested
        return StreamAnswer(taken=True)

    def _full(self, *names: str) -> StreamAnswer | None:
        most = {"server": self.places.server, "address": self.places.address, "account": self.places.account}
        for name in names:
            of = name.partition(" ")[0]
            if self._taken[name] >= most[of]:
                return StreamAnswer(full=of, most=most[of])
        return None

    def _enter(self, stream: Stream) -> None:
        self._streams.add(stream)
        self._taken.update(_counted(stream.ask))
        min(self._slots, key=len).add(stream)
        for follow in stream.ask.follows:
            self._follow(stream, follow)

    def _follow(self, stream: Stream, follow: Follow) -> None:
        """Begin, or refuse one account of several if it has as many streams as it may have."""
        names = _account(follow)
        if (full := self._full(*names)) is not None:
            stream.refused.append((follow, limits.reached("streams", full.most)))
            return
        follower = Follower(stream, follow)
        self._taken.update(names)
        self._followers[follow.key].add(follower)
        stream.followers.append(follower)

    def _leave(self, follower: Follower) -> None:
        key = follower.ask.key
        self._taken.subtract(_account(follower.ask))
        self._followers[key].discard(follower)
        if not self._followers[key]:
            del self._followers[key]

    def _gone(self, stream: Stream) -> None:
        """Once: one whose opening is cancelled also loses its connection."""
        if stream not in self._streams:
            return
        for follower in stream.followers:
            self._leave(follower)
        self._taken.subtract(_counted(stream.ask))
        self._taken += Counter()  # without those at zero
        self._ended[stream.why] += 1
        self._streams.discard(stream)
        if not self._streams:
            self._none_left.set()
        for slot in self._slots:
            slot.discard(stream)

    def numbers(self, of: str = "") -> StreamAnswer:
        """For the operator; with the streams of the key `of`, for its owner."""
        kinds = Counter({"account": 0, "game": 0, "shared": 0})
        kinds.update(_kind(stream.ask) for stream in self._streams)
        mine = len(self._followers.get(of, ()))
        return StreamAnswer(taken=True, open=dict(kinds), of_key=mine, sent=self._sent, ended=dict(self._ended))

    async def end_all(self, patience: float) -> None:
        """End all streams: unsent data is still sent if that is quick, and the readers reconnect."""
        self._none_left.clear()
        for stream in list(self._streams):
            stream.end("stopped")
        if self._streams:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._none_left.wait(), patience)

    # --- sending -----------------------------------------------------------------------------------------------------

    def wake_up(self, keys: Iterable[str]) -> None:
        """Poll these keys, if anybody follows them."""
        self._woken.update(key for key in keys if key in self._followers)
        if self._woken:
            self._wake.set()

    def _more(self, stream: Stream) -> None:
        self.wake_up([follower.ask.key for follower in stream.followers])

    async def run(self) -> None:
        """Round after round, forever."""
        loop = asyncio.get_running_loop()
        everything = loop.time()
        while True:
            try:
                await asyncio.wait_for(self._wake.wait(), max(0.0, everything - loop.time()))
            except TimeoutError:
                everything = loop.time() + self._timing.look
                self._woken.update(self._followers)
            self._wake.clear()
            keys, self._woken = self._woken, set()
            await self._round(keys)

    async def _round(self, keys: set[str]) -> None:
        ahead = await self._look([follower for key in keys for follower in self._followers.get(key, ())])
        await self._look(ahead)

    async def _look(self, followers: list[Follower]) -> list[Follower]:
        """Tell these what is new; returns those that are ahead of the log: a poll of their own finds a reset."""
        if not followers:
            return []
        after: dict[str, int] = {}
        for one in followers:
            if one.stream.is_free:
                after[one.ask.key] = min(one.last, after.get(one.ask.key, one.last))
        shown = [one.ask.shown for one in followers if one.ask.shown is not None]
        try:
            seen = await asyncio.to_thread(self._poll, after, shown)
        except Exception as fault:  # noqa: BLE001 - the streams stay; the database may be back at the next look
            self._failures.note("events", fault)
        else:
            self._tell([one for one in followers if one.stream.is_open], seen)
            lives = (one for one in followers if one.ask.shown not in seen.dead)
            return [one for one in lives if one.is_ahead(after, seen.news.get(one.ask.key))]
        return []

    def _tell(self, followers: list[Follower], seen: PollResult) -> None:
        for one in followers:
            if one.ask.shown in seen.dead:
                self._leave(one)
                one.stream.drop(one)
            elif (news := seen.news.get(one.ask.key)) is not None:
                self._sent += one.tell(news)
        # There may be more than a page, or a reader that was behind.
        self.wake_up({one.ask.key for one in followers if one.is_behind(seen.news.get(one.ask.key))})

    async def beat(self) -> None:
        """Send the heartbeats forever, to one group of streams at a time."""
        while True:
            for slot in self._slots:
                await asyncio.sleep(self._timing.beat / SPREAD)
                for stream in list(slot):
                    stream.beat(self._timing.patience)


def _kind(ask: HoldStream) -> str:
    if ask.is_shared:
        return "shared"
    return "account" if _account(ask.follows[0]) else "game"


def _counted(ask: HoldStream) -> list[str]:
    """The limits that a stream counts against once."""
    return ["server", f"address {counted_as(ask.address)}"]


def _account(follow: Follow) -> list[str]:
    """The limit of the account that it follows; none for a game."""
    return [f"account {follow.key}"] if follow.key.startswith("a") else []
