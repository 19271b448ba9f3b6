"""The audit of a folder: worker processes judge its files, one file at a time each, and every file gets one row.

A file cannot stop the others. A worker that is killed, or that takes longer on a file than it may, is replaced by
another one, and the row of its file gives the reason. (The pool of `concurrent.futures` ends as a whole when one
process dies, and it cannot end a process that hangs.)
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing import connection
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal

import msgspec

from client import input_files
from client.input_files import UnreadableError
from client.pins import KnownServer, compared_with
from engine.record.audit import Report, audit
from engine.record.audit.report import EXITS, ServerKey, Verdict

Unjudged = Literal["unreadable", "time-limit", "worker-lost", "auditor-fault"]
GRAVITY: tuple[Verdict, ...] = ("fails", "unknown", "open", "holds")  # a folder has the first that any file has
STOPS = (signal.SIGINT, signal.SIGTERM)
_TICK = 0.2  # seconds until the stop and the time limits are looked at again
_PATIENCE = 5.0  # seconds for a killed process to end; one that hangs on a broken disk does not end


class FileResult(msgspec.Struct, frozen=True):
    """The result for one file. `fails` has the entry at which each check fails first, as the report has it.

    `code` is None if the audit gave the verdict. Else nothing was judged: the verdict is `unknown`, and `why` gives the
    reason. `sha256` is "" if the file was not read to its end. `server_key` is as in a report: the key of entry 0, and
    what it was compared with.
    """

    file: str
    verdict: Verdict
    stage: str | None = None
    fails: dict[str, int | None] = {}
    why: str = ""
    code: Unjudged | None = None
    sha256: str = ""
    server_key: ServerKey | None = None


class Known(msgspec.Struct, frozen=True):
    """The common input for all files: the server's keys if they are given, and the rows of earlier judgements by hash.

    Without given keys, each file is compared with the keys that this machine has kept of its server.
    """

    server: KnownServer = None
    rows: Mapping[str, FileResult] = {}


def verdict_of(rows: Sequence[FileResult]) -> Verdict:
    """The verdict on a whole folder; `unknown` without any file."""
    found = Counter(row.verdict for row in rows)
    return next((verdict for verdict in GRAVITY if found[verdict]), "unknown")


def exit_of(rows: Sequence[FileResult]) -> int:
    return EXITS[verdict_of(rows)]


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- what is in a folder ----------------------------------------------------------------------------------------------


def files_in(folder: Path) -> tuple[list[str], list[FileResult]]:
    """All files below a folder, by their path from it, and a row for each folder that is not looked into."""
    found: list[str] = []
    closed: list[FileResult] = []

    def unlisted(error: OSError) -> None:
        closed.append(_unjudged(os.path.relpath(error.filename, folder), "unreadable", _reason(error)))

    for where, folders, names in os.walk(folder, onerror=unlisted):
        folders.sort()
        linked = [os.path.relpath(Path(where, name), folder) for name in folders if Path(where, name).is_symlink()]
        closed += [_unjudged(name, "unreadable", "a link to a folder is not followed") for name in linked]
        found += [os.path.relpath(Path(where, name), folder) for name in sorted(names)]
    return found, closed


def judge(folder: Path, known: Known, file: str) -> FileResult:
    """The row of one file, whatever is in it."""
    try:
        data = _read(folder / file)
        name = hashlib.sha256(data).hexdigest() if _is_whole(folder / file, data) else ""
        if before := known.rows.get(name):
            return msgspec.structs.replace(before, file=file)
        compared, pinned = compared_with(known.server, data)
        return _judged(file, name, audit(data, compared, pinned=pinned))
    except UnreadableError as error:
        return _unjudged(file, "unreadable", error.why)
    except OSError as error:
        return _unjudged(file, "unreadable", _reason(error))
    except Exception as fault:  # noqa: BLE001 - the other files are still to be judged
        why = f"a bug in this auditor, or too little memory: {type(fault).__name__}"
        return _unjudged(file, "auditor-fault", why)


def _read(path: Path) -> bytes:
    if not path.is_file():  # opening a pipe waits for its other end
        raise UnreadableError(path, "not a regular file")
    return input_files.read_bundle(path)


def _is_whole(path: Path, data: bytes) -> bool:
    return path.stat().st_size == len(data)


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def _judged(file: str, name: str, report: Report) -> FileResult:
    failed = {name: check for name, check in report.checks.items() if check.ok is False}
    fails = {name: check.first_failure for name, check in failed.items()}
    why = report.why or "; ".join(f"{name}{_at(fails[name])}: {check.says}" for name, check in failed.items())
    return FileResult(file, report.verdict, report.stage, fails, why, None, name, report.server_key)


def _at(entry: int | None) -> str:
    return "" if entry is None else f" at entry {entry}"


def _unjudged(file: str, code: Unjudged, why: str) -> FileResult:
    return FileResult(file, "unknown", why=why, code=code)


# --- worker processes -------------------------------------------------------------------------------------------------


def judge_all(
    files: Iterable[str], judge: Callable[[str], FileResult], limit: float, is_stopped: Callable[[], bool]
) -> Iterator[FileResult]:
    """The rows of all files, each as soon as it is there, until `is_stopped`. `limit` is seconds for one file."""
    waiting, workers = deque(files), list[Worker]()
    try:
        while (waiting or any(worker.file for worker in workers)) and not is_stopped():
            workers = [worker for worker in workers if worker.is_alive]
            _employ(workers, waiting, judge, limit)
            busy = [worker for worker in workers if worker.file]
            ready = connection.wait([worker.pipe for worker in busy], _TICK)
            for worker in busy:
                if (row := worker.row(is_ready=worker.pipe in ready)) is not None:
                    yield row
    finally:
        for worker in workers:
            worker.end()


def _employ(workers: list[Worker], waiting: deque[str], judge: Callable[[str], FileResult], limit: float) -> None:
    """A worker for each core as long as files wait, and a file for each worker."""
    while len(workers) < cores() and sum(not worker.file for worker in workers) < len(waiting):
        try:
            workers.append(Worker(judge, limit, [worker.pipe for worker in workers]))
        except OSError:
            if not workers:
                raise
            break  # the running ones judge all files
    for worker in workers:
        if waiting and not worker.file:
            worker.take(waiting.popleft())


class Worker:
    """A process that judges one file after another, as seen by the process that started it."""

    def __init__(self, judge: Callable[[str], FileResult], limit: float, others: Sequence[Connection]) -> None:
        processes = multiprocessing.get_context("fork")
        self.pipe, theirs = processes.Pipe()
        self.file = ""
        self.is_alive = True
        self._due = 0.0
        self._limit = limit
        given = (theirs, [*others, self.pipe], judge, limit)
        self._process = processes.Process(target=_serve, args=given, daemon=True)
        try:
            self._process.start()
        finally:
            theirs.close()

    def take(self, file: str) -> None:
        self.file, self._due = file, time.monotonic() + self._limit
        with suppress(OSError):  # a dead worker is found out when its row is read
            self.pipe.send(file)

    def row(self, *, is_ready: bool) -> FileResult | None:
        """The row of its file; None while it is at work."""
        if not is_ready and time.monotonic() < self._due:
            return None
        file, self.file = self.file, ""
        if not is_ready:
            self.end()
            return _unjudged(file, "time-limit", f"not judged within {self._limit:g} s")
        try:
            found: FileResult = self.pipe.recv()
        except (EOFError, OSError):
            return _unjudged(file, "worker-lost", self._fate())
        return found

    def _fate(self) -> str:
        """Why the process has ended."""
        self._process.join(_PATIENCE)
        code = self._process.exitcode
        self.end()
        how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
        return f"the process that judged it ended {how}"

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.is_alive = False
        self.pipe.close()
        self._process.kill()
        self._process.join(_PATIENCE)


def _serve(pipe: Connection, inherited: Sequence[Connection], judge: Callable[[str], FileResult], limit: float) -> None:
    """The worker. It ignores signals to stop; if its parent ends, the closed pipe or the alarm ends it."""
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)
    for other in inherited:
        other.close()
    with suppress(EOFError, OSError):
        while True:
            file = pipe.recv()
            signal.setitimer(signal.ITIMER_REAL, 2 * limit)  # ends it if nobody else does
            pipe.send(judge(file))
            signal.setitimer(signal.ITIMER_REAL, 0)
