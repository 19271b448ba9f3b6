"""Waiting in tests: until a condition holds.

`PATIENCE` only ends a wait that would never succeed, even on a busy machine. It is not a measure of speed, and is below
pytest's timeout for a test (pyproject.toml). A look at the condition counts for `A_LOOK` at most: on a machine that is
too busy to run this process, and thus also those that it waits for, the wait gets longer. A look that takes long is
taken more rarely: it would keep busy what is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 180.0
A_LOOK = 0.1
PAUSE = 0.02  # between two looks; three times as long as a look takes if that is more


def until(holds: Callable[[], Found], otherwise: str | Callable[[], str] = "it did not come") -> Found:
    """Wait until this is true, and return its value; AssertionError with `otherwise` if it never is."""
    waited = 0.0
    while True:
        begun = time.monotonic()
        if found := holds():
            return found
        assert waited < PATIENCE, otherwise() if callable(otherwise) else otherwise
        time.sleep(min(max(PAUSE, 3 * (time.monotonic() - begun)), A_LOOK))
        waited += min(time.monotonic() - begun, A_LOOK)


def finish(left: Callable[[], int], otherwise: str | Callable[[], str] = "it gets no less") -> None:
    """Wait until nothing is left, however much there is: patience begins anew whenever it has become less."""
    fewest = left()

    def is_less() -> bool:
        nonlocal fewest
        before, fewest = fewest, min(fewest, left())
        return fewest < before

    while fewest:
        until(is_less, otherwise)
