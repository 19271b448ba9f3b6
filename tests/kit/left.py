"""What a test may not leave behind: whatever it opened is closed by what opened it.

A socket, a transport or a process that is only forgotten complains when it is collected, and then fails whoever runs
by then. So a test that leaves more open files than it found is followed by a collection, and so is every file of tests:
pytest then tells the complaint of the test that opened it, or of the last one of its file.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

OPEN = Path("/proc/self/fd")


def open_files() -> int:
    """How many this process has; none where the system does not tell."""
    return len(os.listdir(OPEN)) if OPEN.is_dir() else 0  # noqa: PTH208 - names alone, after each test


@pytest.fixture(autouse=True, scope="module")
def _file_leaves_nothing_open() -> Iterator[None]:
    yield
    gc.collect()
    gc.freeze()  # what is still alive now stays until the end; the next collections need not look through it


@pytest.fixture(autouse=True)
def _test_leaves_nothing_open() -> Iterator[None]:
    before = open_files()
    yield
    if open_files() > before:
        gc.collect()


@pytest.fixture(autouse=True)
def _logging_is_as_before() -> Iterator[None]:
    """Levels too, and no handler writes to what a test had put in the place of the standard error."""
    manager = logging.root.manager
    levels = {name: one.level for name, one in manager.loggerDict.items() if isinstance(one, logging.Logger)}
    level = logging.root.level
    yield
    logging.root.setLevel(level)
    for name, one in manager.loggerDict.items():
        if isinstance(one, logging.Logger) and one.level != levels.get(name, logging.NOTSET):
            one.setLevel(levels.get(name, logging.NOTSET))
    for handler in logging.root.handlers:
        if getattr(handler, "is_ours", False):
            handler.stream = sys.stderr
