"""Events of an account or of a game as they happen: a stream that resumes by itself, without a gap.

    for event in follow(session.api, MINE):
        if event is None or event["kind"] in ("turn", "reset"):
            play_what_is_owed(session)

An event only reports that something happened; read the log to check what it was. None means that the stream is not
available just now (no place, an outage): look for yourself; the stream is requested again automatically. So a loop
like the one above polls while it cannot listen. After `reset` some events are lost: look for yourself, too.

A program with many accounts follows them by one connection (`SharedStream`), and keeps what it has read of each in
its `Followed`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from client.http import Api, ByteStream, NoAnswerError, pause_before

MINE = "/v1/me/events"
SHARED = "/v1/events"
MOST_FOLLOWED = 100  # accounts of one stream
LONGEST = 2**16  # bytes of one event; ours have about two hundred

Event = dict[str, Any]


def of_game(game: str) -> str:
    """The path of a game's public events; their numbers are those of its entries."""
    return f"/v1/games/{game}/events"


def follow(api: Api, path: str, after: int | None = None) -> Iterator[Event | None]:
    """Yield events after number `after`, or from now on, until the game ends. ApiError if the server refuses."""
    position, failed = StreamCursor(after), 0
    while not position.is_over:
        had = position.last
        try:
            yield from position.read(api, path)
        except NoAnswerError as lost:
            failed = 0 if position.last != had else min(failed + 1, 10)
            yield None
            api.pause(max(1.0, pause_before(failed, lost)))


class StreamCursor:
    """The position in a stream."""

    def __init__(self, last: int | None) -> None:
        self.last = last
        self.is_over = False

    def read(self, api: Api, path: str) -> Iterator[Event]:
        """The events of one connection; NoAnswerError at its end."""
        with api.stream(path, after=self.last) as parts:
            for block in _blocks(parts or ()):
                if (event := self._take(block)) is not None:
                    yield event
                    if self.is_over:
                        return
            self.is_over = parts is None
        if not self.is_over:
            raise NoAnswerError(f"{api.url}{path}: the stream ended")

    def _take(self, block: bytes) -> Event | None:
        """A block's event, if it has one; the stream resumes at its number."""
        fields = _fields(block)
        if (number := fields.get(b"id", b"")).lstrip(b"-").isdigit():
            self.last = int(number)
        if b"data" not in fields:
            return None
        event = _event(fields[b"data"])
        self.is_over = event.get("over") is True
        return event


@dataclass
class Followed:
    """An account of a shared stream: its token, and the number of the last event that was read."""

    token: str
    last: int | None = None


class SharedStream:
    """One connection for the events of several accounts. `cut` ends it from another thread, or before it begins."""

    def __init__(self, api: Api, followed: Sequence[Followed]) -> None:
        self._api = api
        self._followed = followed
        self._lock = threading.Lock()
        self._bytes: ByteStream | None = None
        self._is_cut = False

    def read(self) -> Iterator[tuple[int, Event] | None]:
        """Each event, with the index of its account, and None for each sign of life; NoAnswerError at the end.

        The first event of an account is `following`, or `refused` with the problem; that may also come later.
        """
        with self._api.stream(SHARED, body={"follow": [*map(_as_asked, self._followed)]}) as parts:
            if not self._begin(parts):
                for block in _blocks(parts or ()):
                    yield self._take(block)
        raise NoAnswerError(f"{self._api.url}{SHARED}: the stream ended")

    def cut(self) -> None:
        with self._lock:
            self._is_cut = True
            if self._bytes is not None:
                self._bytes.cut()

    def _begin(self, parts: ByteStream | None) -> bool:
        """Return whether it was cut before."""
        with self._lock:
            self._bytes = parts
            return self._is_cut

    def _take(self, block: bytes) -> tuple[int, Event] | None:
        data = _fields(block).get(b"data")
        if data is None:
            return None
        event = _event(data)
        index, number = event.get("index"), event.get("n")
        if not isinstance(index, int) or not 0 <= index < len(self._followed):
            raise NoAnswerError("the answer is not an event of an account that is followed")
        if isinstance(number, int):
            self._followed[index].last = number
        return index, event


def _as_asked(one: Followed) -> dict[str, Any]:
    return {"token": one.token} | ({} if one.last is None else {"after": one.last})


def _fields(block: bytes) -> dict[bytes, bytes]:
    lines = (line.partition(b":") for line in block.split(b"\n"))
    return {name: value.removeprefix(b" ") for name, _, value in lines}


def _event(data: bytes) -> Event:
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise NoAnswerError("the answer is not an event")
    return event


def _blocks(parts: Any) -> Iterator[bytes]:
    """The complete blocks between empty lines."""
    rest = b""
    for part in parts:
        *whole, rest = (rest + part).split(b"\n\n")
        yield from whole
        if len(rest) > LONGEST:
            raise NoAnswerError("an event without an end")
