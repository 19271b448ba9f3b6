"""How a process of ours hears that it is to end."""

from __future__ import annotations

import signal
import threading
from queue import SimpleQueue


def on_signals(*numbers: signal.Signals) -> threading.Event:
    """An event that any of these signals sets.

    A handler must not set it by itself: it runs in the main thread, and if that is just inside `wait`, with the event's
    lock in its hands, it waits for itself for ever. To put something in a SimpleQueue needs no lock.
    """
    stop, told = threading.Event(), SimpleQueue[None]()

    def pass_on() -> None:
        told.get()
        stop.set()

    threading.Thread(target=pass_on, name="signals", daemon=True).start()
    for number in numbers:
        signal.signal(number, lambda *_: told.put(None))
    return stop
