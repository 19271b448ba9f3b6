"""How long a player may think: less where many wait, and in all no more than a share of one core."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

WINDOW = 60.0  # seconds over which the share is counted
LEAST = 0.05  # seconds: a level that searches answers with what it sees at one glance


class TimeBudget:
    """Seconds to think. `most` is for one answer, `share` of one core for all of them together."""

    def __init__(self, most: float, share: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.share = share
        self._clock = clock
        self._spent: deque[tuple[float, float]] = deque()

    def seconds(self, waiting: int) -> float:
        """For the next answer, while so many others wait for theirs."""
        self._forget()
        left = self.share * WINDOW - sum(seconds for _, seconds in self._spent)
        return max(LEAST, min(self.most / (1 + waiting), left))

    def spend(self, seconds: float) -> None:
        self._spent.append((self._clock(), seconds))

    def _forget(self) -> None:
        while self._spent and self._spent[0][0] < self._clock() - WINDOW:
            self._spent.popleft()
