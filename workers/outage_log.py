"""Something outside that is away, in the log: a line with its words when that begins, and one when it ends.

A relay or Redis is tried again every few seconds, for each mail or by each thread. Each failure would be a line.
"""

from __future__ import annotations

import threading

from server.kernel.logs import log


class OutageLog:
    """Of one thing; the threads that use it share this. Its lines are the events `away` and `back`."""

    def __init__(self, away: str, back: str) -> None:
        self._away, self._back = away, back
        self._lock = threading.Lock()
        self._kind = ""  # of the last failure: the code of an answer, or the name of an error

    def note(self, why: str | None) -> None:
        """Log it if it is news: why an attempt failed, or None if one succeeded. Another kind of failure is news."""
        kind = (why or "").partition(" ")[0]
        with self._lock:
            if kind == self._kind:
                return
            self._kind = kind
        if why is None:
            log.info(self._back)
        else:
            log.error(self._away, says=why)
