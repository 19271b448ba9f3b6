"""Nothing that a run of the tests started outlives it, however it ends: Ctrl-C, SIGTERM, SIGKILL.

A fixture ends what it started, if it gets that far: processes of xdist that are interrupted do not, and after SIGKILL
nobody does. So a process outside of the run's session (`watch`) waits for the end of the run, and then ends its
processes: those that it saw among the run's descendants, looking each second, and those that carry the run's mark in
their environment, even if they have lost their parent (as PostgreSQL has). Neither is enough by itself: some programs
overwrite their environment, and some leave their parents. Then it removes the run's temporary files (`memory`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import uuid

import pytest

from tests.running import MARK, memory


def pytest_configure(config: pytest.Config) -> None:
    """Once a run: processes of xdist are descendants of it. A run inside a test of another has the marks of both."""
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    mark = uuid.uuid4().hex
    os.environ[MARK] = f"{os.environ.get(MARK, '')} {mark}".strip()
    words = [sys.executable, "-m", "tests.running.watch", str(os.getpid()), mark]
    if folder := memory.take():
        words.append(str(folder))
    subprocess.run(words, cwd=config.rootpath, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
