"""The turn of one letter at a time to be handed to the relay, which bounds the second copies that a kill can cause.

A relay may accept a letter as soon as it has the last byte. If the process dies before the row says so, the letter is
sent again. So a lane sends the last byte only in its turn, and gives the turn back once the result is stored.
"""

from __future__ import annotations

import threading
import time

PATIENCE = 2.0  # seconds until another letter is handed over beside one about which the relay stays silent


class HandoverTurn:
    """Shared by the lanes of a process; each is one thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._holder: int | None = None
        self._since = 0.0

    def take(self) -> None:
        """Wait for the turn. Taken from a holder that has had it for too long: one silence must not hold up all."""
        with self._changed:
            while self._holder is not None and (left := self._since + PATIENCE - time.monotonic()) > 0:
                self._changed.wait(left)
            self._holder, self._since = threading.get_ident(), time.monotonic()

    def give(self) -> None:
        """End the turn of this thread, if it has it."""
        with self._changed:
            if self._holder == threading.get_ident():
                self._holder = None
                self._changed.notify()
