"""The time that a player may think: never more than a share of one core in total."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

WINDOW = 60.0  # seconds over which the share is measured
LEAST = 0.05  # seconds, in which a searching level answers from a first look


class TimeBudget:
    """Seconds to think. `most` is for one answer, `share` of one core for all of them together."""

    def __init__(self, most: float, share: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.share = share
        self._clock = clock
        self._spent: deque[tuple[float, float]] = deque()

    def seconds(self) -> float:
        """The seconds for the next answer, however many others are waiting."""
        self._forget()
        left = self.share * WINDOW - sum(seconds for _, seconds in self._spent)
        return max(LEAST, min(self.most, left))

    def spend(self, seconds: float) -> None:
        self._spent.append((self._clock(), seconds))

    def _forget(self) -> None:
        while self._spent and self._spent[0][0] < self._clock() - WINDOW:
            self._spent.popleft()
