"""The timeouts and retries of webhooks, in seconds, and the number of requests open at once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

# Five days. A webhook that accepts nothing is paused long before; this gives up deliveries that it alone refuses.
BACK_OFF = (5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, *[43200] * 9)


@dataclass(frozen=True, slots=True)
class DeliveryPolicy:
    """The lease outlives the longest request, so that no second process sends the same delivery."""

    every: float = 1.0  # between two polls, when nothing wakes it up
    request: float = 10.0  # for the DNS lookup, the connection, the request and its answer together
    lease: int = 30
    back_off: tuple[int, ...] = BACK_OFF
    jitter: float = 0.2  # share of each wait, added or taken off
    pause_after: timedelta = timedelta(days=3)
    keep: timedelta = timedelta(days=14)  # of the history
    most: int = 256  # requests of this process
    most_of_host: int = 16
    most_of_hook: int = 4  # each in another game; a failing webhook gets one request at a time
    window: int = 1000  # waiting deliveries of a webhook; later events become deliveries when there is room

    def wait(self, attempts: int, chance: float) -> float | None:
        """Seconds until the next attempt after this many, with `chance` from 0 to 1; None after the last."""
        if attempts > len(self.back_off):
            return None
        return self.back_off[attempts - 1] * (1 + self.jitter * (2 * chance - 1))
