"""The order of the files of a run: first those whose tests have a time limit of their own, since they need minutes,
then those with slow tests.

A long file that comes last keeps one process busy while the others have nothing left to do.
"""

from __future__ import annotations

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sort alike in each process; the order inside a file stays. A run in one process keeps the order of its files."""
    if hasattr(config, "workerinput"):
        longest, slow = (
            {item.path for item in items if item.get_closest_marker(marker)} for marker in ("timeout", "slow")
        )
        items.sort(key=lambda item: (item.path not in longest, item.path not in slow))
