"""A check that no test leaves open files, sockets or processes behind.

A forgotten socket, transport or process warns only when it is collected, and then fails an unrelated test. So a
collection follows every test that leaves more open files than it found, and every file of tests: pytest then reports
the warning for the test that opened it, or for the last one of its file.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.contextvars import clear_contextvars

OPEN = Path("/proc/self/fd")


def open_files() -> int:
    """The number of open files of this process; 0 where the system does not report it."""
    return len(os.listdir(OPEN)) if OPEN.is_dir() else 0  # noqa: PTH208 - names alone, after each test


@pytest.fixture(autouse=True, scope="module")
def _file_leaves_nothing_open() -> Iterator[None]:
    yield
    gc.collect()
    gc.freeze()  # objects still alive now stay until the end; later collections need not scan them


@pytest.fixture(autouse=True)
def _test_leaves_nothing_open() -> Iterator[None]:
    before = open_files()
    yield
    if open_files() > before:
        gc.collect()


@pytest.fixture(autouse=True)
def _mask_is_as_before() -> Iterator[None]:
    """Restore the mask: a server command that a test calls makes new files private (`server.operate.own_process`)."""
    os.umask(before := os.umask(0o077))
    yield
    os.umask(before)


@pytest.fixture(autouse=True)
def _logging_is_as_before() -> Iterator[None]:
    """Logging has its old levels and names no request, and no handler writes to a test's own standard error."""
    manager = logging.root.manager
    levels = {name: one.level for name, one in manager.loggerDict.items() if isinstance(one, logging.Logger)}
    level = logging.root.level
    yield
    clear_contextvars()
    logging.root.setLevel(level)
    for name, one in manager.loggerDict.items():
        if isinstance(one, logging.Logger) and one.level != levels.get(name, logging.NOTSET):
            one.setLevel(levels.get(name, logging.NOTSET))
    for handler in logging.root.handlers:
        if getattr(handler, "is_ours", False):
            handler.stream = sys.stderr
