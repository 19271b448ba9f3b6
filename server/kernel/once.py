"""A value that is made at its first use, and once also if several threads ask for it at the same moment.

`functools.cached_property` makes it in each of these threads from Python 3.12 on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """Call it for the value; `make` runs with the first call, and again after a failure."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make, self._lock = make, threading.Lock()
        self._made: list[T] = []

    def __call__(self) -> T:
        with self._lock:
            if not self._made:
                self._made.append(self._make())
        return self._made[0]
