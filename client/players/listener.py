"""Waiting for the events of many accounts, by one stream, or by polling where there is none."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence

from client.events import Event, SharedStream
from client.http import Api, ApiError, NoAnswerError, pause_before
from client.players.account import Bot

LEAST = 1.0  # seconds until a lost stream is asked for again
REFUSED = 30.0  # seconds until the next request to a server that refused, or that refused an account


class EventListener(threading.Thread):
    """Listens for the accounts of one server until it is stopped.

    `heard` gets an account with each event of it, or with None for "look for yourself"; `trouble` an account, or None
    for all, with what was refused.
    """

    def __init__(
        self,
        api: Api,
        heard: Callable[[Bot, Event | None], None],
        trouble: Callable[[Bot | None, Exception], None],
        stop: threading.Event,
    ) -> None:
        super().__init__(daemon=True)
        self._api = api
        self._heard = heard
        self._trouble = trouble
        self._stopped = stop
        self._changed = threading.Condition()
        self._bots: list[Bot] = []
        self._stream: SharedStream | None = None  # None: the accounts have changed
        self._again = math.inf  # when to ask again for accounts that were refused for a reason that may pass

    def follow(self, bots: Sequence[Bot]) -> None:
        """Listen for these accounts from now on, by a new stream if they are not the same as before."""
        with self._changed:
            if self._bots == [*bots]:
                return
            self._bots, old, self._stream = [*bots], self._stream, None
            self._changed.notify()
        if old is not None:
            old.cut()

    def run(self) -> None:
        failed = 0
        while not self._stopped.is_set():
            bots, stream = self._next()
            try:
                for told in stream.read() if bots else ():
                    failed = 0
                    self._take(bots, told)
                    if stream is not self._stream or time.monotonic() >= self._again:
                        break
            except NoAnswerError as lost:
                if stream is self._stream:
                    failed = min(failed + 1, 6)
                    self._miss(bots, max(LEAST, pause_before(failed, lost)))
            except ApiError as no:
                self._trouble(None, no)
                self._miss(bots, REFUSED)

    def _next(self) -> tuple[list[Bot], SharedStream]:
        """The accounts of the next stream, or none if there are none for a while."""
        with self._changed:
            if not self._bots:
                self._changed.wait(0.5)
            self._again = math.inf
            self._stream = SharedStream(self._api, [bot.followed for bot in self._bots])
            return [*self._bots], self._stream

    def _take(self, bots: Sequence[Bot], told: tuple[int, Event] | None) -> None:
        if told is None:
            return
        bot, event = bots[told[0]], told[1]
        if event.get("kind") == "refused":
            self._refuse(bot, event)
        else:
            self._heard(bot, None if event.get("kind") == "following" else event)

    def _refuse(self, bot: Bot, event: Event) -> None:
        """An account whose token is refused is not asked for again; it gets a new one, and is another `Bot` then."""
        said = event.get("problem")
        problem = said if isinstance(said, dict) else {}
        no = ApiError(int(problem.get("status", 0)), str(problem.get("code")), problem)
        with self._changed:
            if bot not in self._bots:
                return
            if no.status == 401:
                self._bots.remove(bot)
            else:
                self._again = time.monotonic() + REFUSED
        self._trouble(bot, no)

    def _miss(self, bots: Sequence[Bot], pause: float) -> None:
        """Without a stream, look for yourself; then wait."""
        for bot in bots:
            self._heard(bot, None)
        self._stopped.wait(pause)
