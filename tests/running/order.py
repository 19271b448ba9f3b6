"""In which order files are given out to the processes of a run: those whose tests have a time limit of their own first,
since they need minutes, then those with slow tests.

A long file that comes last keeps one process busy while the others have nothing left to do.
"""

from __future__ import annotations

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In each process alike; the order inside a file stays. A run in one process goes through its files as they lie."""
    if hasattr(config, "workerinput"):
        longest, slow = (
            {item.path for item in items if item.get_closest_marker(marker)} for marker in ("timeout", "slow")
        )
        items.sort(key=lambda item: (item.path not in longest, item.path not in slow))
