"""Events of an account or of a game as they happen: a stream that resumes by itself, without a gap.

    for event in follow(session.api, MINE):
        if event is None or event["kind"] in ("turn", "reset"):
            play_what_is_owed(session)

An event only reports that something happened; read the log to check what it was. None means that the stream is not
available just now (no place, an outage): look for yourself; the stream is requested again automatically. So a loop
like the one above polls while it cannot listen. After `reset` some events are lost: look for yourself, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from client.http import Api, NoAnswerError, pause_before

MINE = "/v1/me/events"
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
        with api.stream(path, **({} if self.last is None else {"after": self.last})) as parts:
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
        lines = (line.partition(b":") for line in block.split(b"\n"))
        fields = {name: value.removeprefix(b" ") for name, _, value in lines}
        if (number := fields.get(b"id", b"")).lstrip(b"-").isdigit():
            self.last = int(number)
        if b"data" not in fields:
            return None
        event = _event(fields[b"data"])
        self.is_over = event.get("over") is True
        return event


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
