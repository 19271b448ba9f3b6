"""How long a test waits: until what it waits for is there.

`PATIENCE` only ends a wait for what never comes, also on a machine that has ten other things to do. It says nothing of
speed, and is below the time that pytest gives a test (pyproject.toml).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 180.0


def until(holds: Callable[[], Found], otherwise: str | Callable[[], str] = "it did not come") -> Found:
    """Wait until this holds, and return what it is then; AssertionError with `otherwise` if it never does."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, otherwise() if callable(otherwise) else otherwise
        time.sleep(0.02)
    return found
