"""Signals that end a process."""

from __future__ import annotations

import signal
import threading
from queue import SimpleQueue


def on_signals(*numbers: signal.Signals) -> threading.Event:
    """Return an event that any of these signals sets.

    A signal handler must not set the event itself: it runs in the main thread, which would deadlock if it holds the
    event's lock inside `wait`. Putting something into a SimpleQueue needs no lock.
    """
    stop, told = threading.Event(), SimpleQueue[None]()

    def pass_on() -> None:
        told.get()
        stop.set()

    threading.Thread(target=pass_on, name="signals", daemon=True).start()
    for number in numbers:
        signal.signal(number, lambda *_: told.put(None))
    return stop
