"""The failures of a loop in the log, without a flood.

While the database is away each round of each loop fails, which is several times a second in all. The first failure of a
part is logged at once; then come at most one line a minute, with the number of failures since the line before.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from server.kernel.db.session import database_message
from server.kernel.logs import log

EVERY = 60.0  # seconds between two lines about the same error of a part


class FailureLog:
    """Of one loop, whose threads share it. Another error of the same part is news, with lines of its own."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._quiet_until: dict[tuple[str, str], float] = {}
        self._unsaid: Counter[tuple[str, str]] = Counter()

    def note(self, part: str, fault: Exception) -> None:
        """Count a failure, by its type; of messages only the database's, since others may hold what a seat hides."""
        what, now = (part, type(fault).__name__), self._clock()
        with self._lock:
            self._unsaid[what] += 1
            if now < self._quiet_until.get(what, now):
                return
            self._quiet_until[what] = now + EVERY
            failures = self._unsaid.pop(what)
        says = {"says": database_message(fault)} if isinstance(fault, SQLAlchemyError) else {}
        log.error("round-failed", part=part, error=what[1], failures=failures, **says)
