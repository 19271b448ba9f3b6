"""In which order files are given out to the processes of a run: those with slow tests first.

A long file that comes last keeps one process busy while the others have nothing left to do.
"""

from __future__ import annotations

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In each process alike; the order inside a file stays. A run in one process goes through its files as they lie."""
    if hasattr(config, "workerinput"):
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)
