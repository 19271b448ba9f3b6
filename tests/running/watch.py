"""`python -m tests.running.watch PID MARK [FOLDER]`: waits for the end of a run, ends what it started (`ending`), and
removes the folder with its temporary files."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator

import psutil

from tests.running import MARK

EVERY = 2.0  # seconds between two looks, which list all processes of the machine
PATIENCE = 10.0  # that a process gets to end before it is killed


def main(pid: int, mark: str, *folders: str) -> None:
    """Detach from the run at once: no test finds this process among its children, and none has to wait for it."""
    run = psutil.Process(pid)
    if os.fork():
        return
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # otherwise a reader of the run's output would wait for us
    end(watched(run), mark)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def watched(run: psutil.Process) -> set[psutil.Process]:
    """Wait for its end; return all descendants that were seen and still live."""
    seen: set[psutil.Process] = set()
    while lives(run):
        with contextlib.suppress(psutil.Error):
            seen.update(run.children(recursive=True))
        seen = set(filter(lives, seen))
        time.sleep(EVERY)
    return seen


def lives(process: psutil.Process) -> bool:
    """Return whether it still runs: its number may be another's by now. This process, begun by the run, is left out."""
    try:
        return process.pid != os.getpid() and process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def end(seen: Iterable[psutil.Process], mark: str) -> None:
    """End them until none is left: a process that is ending may still start another."""
    left = set(filter(lives, seen)) | set(marked(mark))
    until = time.monotonic() + PATIENCE
    while left:
        left |= {child for process in left for child in children(process)}
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.terminate() if time.monotonic() < until else process.kill()
        _, alive = psutil.wait_procs(left, timeout=EVERY)
        left = set(filter(lives, alive)) | set(marked(mark))


def marked(mark: str) -> Iterator[psutil.Process]:
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if mark in process.environ().get(MARK, "") and lives(process):
                yield process


def children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
