"""Requests that are held until there is something new or their time is over."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from flask import request

from server.kernel.db.models import Game
from server.kernel.errors import Problem
from server.kernel.peers import counted_as
from server.kernel.services import Services

BETWEEN_LOOKS = 0.15


class LongPolls:
    """How many requests of this process, and of one address in it, may be held at once: each holds a thread."""

    def __init__(self, most: int) -> None:
        self._most = {"server": most, "address": (most + 1) // 2}
        self._lock, self._held = threading.Lock(), Counter[str]()

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
        with self._place():
            until = time.monotonic() + seconds
            while not is_there() and time.monotonic() < until:
                time.sleep(BETWEEN_LOOKS)

    @contextmanager
    def _place(self) -> Iterator[None]:
        named = {"server": "server", "address": counted_as(request.remote_addr or "")}
        with self._lock:
            full = next((of for of, name in named.items() if self._held[name] >= self._most[of]), None)
            if full is not None:
                raise Problem("no-place", of=full, most=self._most[full])
            self._held.update(named.values())
        try:
            yield
        finally:
            with self._lock:
                self._held.subtract(named.values())
                self._held = +self._held  # without those that hold none


def _head_seq(services: Services, game_id: str) -> int | None:
    with services.database.read() as session:
        return session.scalar(sa.select(Game.head_seq).where(Game.id == game_id))
