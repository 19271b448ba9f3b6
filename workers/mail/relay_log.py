"""A relay that takes no connection, in the log: a line with its words when that begins, and one when it ends."""

from __future__ import annotations

import threading

from server.kernel.logs import log


class RelayLog:
    """Of a process, whose lanes share it. What went wrong before a mail was begun is about no address."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kind = ""  # of the last failure: the code of an answer, or the name of an error

    def note(self, why: str | None) -> None:
        """Log it if it is news: why no connection could be opened, or None if one was."""
        kind = (why or "").partition(" ")[0]
        with self._lock:
            if kind == self._kind:
                return
            self._kind = kind
        if why is None:
            log.info("relay-back")
        else:
            log.error("relay-away", says=why)
