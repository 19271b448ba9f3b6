"""Waiting in tests: until a condition holds.

`PATIENCE` only ends a wait that would never succeed, even on a busy machine. It is not a measure of speed, and is below
pytest's timeout for a test (pyproject.toml).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 180.0


def until(holds: Callable[[], Found], otherwise: str | Callable[[], str] = "it did not come") -> Found:
    """Wait until this is true, and return its value; AssertionError with `otherwise` if it never is."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, otherwise() if callable(otherwise) else otherwise
        time.sleep(0.02)
    return found
