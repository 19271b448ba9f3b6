"""Waiting for an account's events, by its stream, or by polling where there is none."""

from __future__ import annotations

import threading
from collections.abc import Callable

from client.events import MINE, Event, StreamCursor
from client.http import Api, ApiError, NoAnswerError, pause_before

REFUSED = 30.0  # seconds until the next request to a server that refused


class EventListener(threading.Thread):
    """Listens for one account until it is stopped. `heard` gets each event, and None for "look for yourself"."""

    def __init__(
        self,
        api: Api,
        heard: Callable[[Event | None], None],
        trouble: Callable[[Exception], None],
        stop: threading.Event,
    ) -> None:
        super().__init__(daemon=True)
        self._api = api
        self._heard = heard
        self._trouble = trouble
        self._stopped = stop
        self._position = AnnouncedCursor(lambda: heard(None))

    def run(self) -> None:
        """Yield each event, and None whenever a stream begins or is lost."""
        failed = 0
        while not self._stopped.is_set() and not self._position.is_over:
            before = self._position.last
            try:
                for event in self._position.read(self._api, MINE):
                    self._heard(event)
            except NoAnswerError as lost:
                failed = 0 if self._position.last != before else min(failed + 1, 6)
                self._heard(None)
                self._stopped.wait(max(1.0, pause_before(failed, lost)))
            except ApiError as no:
                self._trouble(no)
                if no.status == 401:
                    return
                self._stopped.wait(REFUSED)


class AnnouncedCursor(StreamCursor):
    """Report the number from which the server resumes: earlier events are lost."""

    def __init__(self, greeted: Callable[[], None]) -> None:
        super().__init__(None)
        self._greeted = greeted

    def _take(self, block: bytes) -> Event | None:
        event = super()._take(block)
        if event is None and b"id:" in block:
            self._greeted()
        return event
