"""One runner per data folder, and cleanup after one that was killed.

A runner that gets SIGKILL cannot stop its processes: the web server would keep its port and the embedded Redis its
socket. `watch` ends them. If `watch` was killed too, the next start does: the runner stores the id and start time of
each process in a file. The start time distinguishes them from later processes with the same id.
"""

import contextlib
import fcntl
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO

import psutil

from workers.dev.process import kill_family
from workers.errors import WorkerError


class DataDirBusyError(WorkerError):
    """Another runner uses this data folder."""


def lock(data_dir: Path) -> IO[str]:
    """Hold the data folder until the returned file is closed or this process ends; Busy if another runner has it."""
    file = (data_dir / "run.lock").open("a", encoding="ascii")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        message = f"another `sealedmove run` uses {data_dir}; stop it or choose another DATA_DIR"
        raise DataDirBusyError(message) from None
    return file


def born(pids: Iterable[int]) -> dict[str, float]:
    """The start times of those that are alive, by id."""
    return {str(pid): found.create_time() for pid in pids if (found := _process(pid)) is not None}


def remember(data_dir: Path, pids: Iterable[int]) -> None:
    """Store the running processes for the next runner."""
    kept = data_dir / "run.json"
    fresh = kept.with_suffix(".new")
    fresh.write_text(json.dumps(born(pids)), encoding="ascii")
    fresh.replace(kept)


def end_all(data_dir: Path, patience: float = 5.0) -> int:
    """End what an earlier runner left here, with its children; how many there were."""
    try:
        known = json.loads((data_dir / "run.json").read_text(encoding="ascii"))
    except FileNotFoundError:
        return 0
    ended = end(known, patience)
    (data_dir / "run.json").unlink(missing_ok=True)
    return ended


def end(known: Mapping[str, float], patience: float = 5.0) -> int:
    """End those that are still alive, by id and start time, with their children; how many there were."""
    leaders = [process for pid, at in known.items() if (process := _process(int(pid), at)) is not None]
    alive = [process for leader in leaders for process in _family(leader)]
    for process in alive:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
    _, stubborn = psutil.wait_procs(alive, timeout=patience)
    for process in stubborn:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    for leader in leaders:
        kill_family(leader.pid)  # a child that was started since, or whose parent ended before the search
    psutil.wait_procs(stubborn, timeout=patience)
    return len(alive)


def _process(pid: int, at: float | None = None) -> psutil.Process | None:
    """The living process with this id and start time; None if there is none."""
    try:
        process = psutil.Process(pid)
        is_other = at is not None and abs(process.create_time() - at) >= 1
        return None if is_other or process.status() == psutil.STATUS_ZOMBIE else process
    except psutil.NoSuchProcess:
        return None


def _family(process: psutil.Process) -> list[psutil.Process]:
    try:
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
