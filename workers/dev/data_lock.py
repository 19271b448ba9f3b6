"""One runner a data folder, and nothing left behind by one that was killed.

A runner that gets SIGKILL cannot stop its processes: the web server would keep its port and the embedded Redis its
socket. So the runner keeps the number and the birth time of each process in a file, and the next one ends those that
still live. The birth time tells them from strangers who were given the same number later.
"""

import contextlib
import fcntl
import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import psutil

from workers.errors import WorkerError


class DataDirBusyError(WorkerError):
    """Another runner keeps this data folder."""


def lock(data_dir: Path) -> IO[str]:
    """Hold the data folder until the returned file is closed or this process ends; Busy if another runner has it."""
    file = (data_dir / "run.lock").open("a", encoding="ascii")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        message = f"another sealedmove run keeps {data_dir}; stop it or choose another DATA_DIR"
        raise DataDirBusyError(message) from None
    return file


def remember(data_dir: Path, pids: Iterable[int]) -> None:
    """Keep who runs now, for the next runner."""
    born = {str(pid): found.create_time() for pid in pids if (found := _process(pid)) is not None}
    kept = data_dir / "run.json"
    fresh = kept.with_suffix(".new")
    fresh.write_text(json.dumps(born), encoding="ascii")
    fresh.replace(kept)


def end_all(data_dir: Path, patience: float = 5.0) -> int:
    """End what an earlier runner left here, with its children; how many there were."""
    alive = [process for left in _remembered(data_dir) for process in _family(left)]
    for process in alive:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
    _, stubborn = psutil.wait_procs(alive, timeout=patience)
    for process in stubborn:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(stubborn, timeout=patience)
    (data_dir / "run.json").unlink(missing_ok=True)
    return len(alive)


def _remembered(data_dir: Path) -> list[psutil.Process]:
    try:
        born = json.loads((data_dir / "run.json").read_text(encoding="ascii"))
    except FileNotFoundError:
        return []
    found = ((_process(int(pid)), at) for pid, at in born.items())
    return [process for process, at in found if process is not None and abs(process.create_time() - at) < 1]


def _process(pid: int) -> psutil.Process | None:
    try:
        process = psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None
    return None if process.status() == psutil.STATUS_ZOMBIE else process


def _family(process: psutil.Process) -> list[psutil.Process]:
    try:
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
