"""Requests that are held until there is something new or their time is over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import sqlalchemy as sa

from server.kernel.db.models import Game
from server.kernel.errors import Problem
from server.kernel.services import Services

BETWEEN_LOOKS = 0.15


class LongPolls:
    """How many requests of this process may be held at once: each holds a thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._free = threading.BoundedSemaphore(most)

    def for_entry(self, services: Services, game_id: str, after: int, seconds: float) -> None:
        """Return when an entry after `after` is there, or when the time is over."""
        self.until(services, lambda: _head_seq(services, game_id) != after, seconds)

    def until(self, services: Services, is_there: Callable[[], bool], seconds: float) -> None:
        """Return when `is_there` holds, or when the time is over.

        Problem if too many wait: clients would repeat requests that were answered at once.
        """
        if seconds > services.settings.longest_wait:
            raise Problem("wait-too-long", found=seconds, most=int(services.settings.longest_wait))
        if seconds <= 0 or is_there():
            return
        if not self._free.acquire(blocking=False):
            raise Problem("no-place", of="server", most=self._most)
        try:
            until = time.monotonic() + seconds
            while not is_there() and time.monotonic() < until:
                time.sleep(BETWEEN_LOOKS)
        finally:
            self._free.release()


def _head_seq(services: Services, game_id: str) -> int | None:
    with services.database.read() as session:
        return session.scalar(sa.select(Game.head_seq).where(Game.id == game_id))
