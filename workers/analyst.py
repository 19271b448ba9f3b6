"""The analyst: a thread of the worker that analyses the finished games for which somebody asked, one after the other.

An analysis takes up to a minute of processor time, so a process of its own makes it, at low priority and with limits
that end it. After each one the thread rests like the auditor (docs/adr/standing-auditor.md), so it delays no mail.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import threading
import time
from datetime import datetime

from server.evidence.read import bundled
from server.kernel import quarantine
from server.play.analysis import rows
from workers.analysis_process import IMPOSSIBLE
from workers.auditor import pause
from workers.errors import WorkerError
from workers.failure_log import FailureLog
from workers.queues import WorkerContext

EVERY = 5.0  # seconds between two looks when no game is due
LAST = 2.0  # seconds for the current analysis when the process ends; otherwise another process makes it
LONGEST = 300.0  # seconds until a process that hangs is killed
SECONDS, MEMORY = 180, 2**30  # processor time and bytes that it may use
MODULE = "workers.analysis_process"


class AnalysisError(WorkerError):
    """The process of an analysis has failed or was ended."""


class Analyst:
    """Started by a worker; ends with it."""

    def __init__(self, ctx: WorkerContext) -> None:
        self._ctx = ctx
        self._stop = threading.Event()
        self._failures = FailureLog()
        self._thread = threading.Thread(target=self._serve, name="analyst", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(LAST)

    def _serve(self) -> None:
        while not self._stop.is_set():
            begun = processor_time()
            has_more = self._round()
            rest = pause(processor_time() - begun, self._ctx.services.settings.audit_share) if has_more else EVERY
            self._stop.wait(rest)

    def _round(self) -> bool:
        try:
            return analyse_next(self._ctx)
        except Exception as fault:  # noqa: BLE001 - the database may be back at the next look
            self._failures.note("analyst", fault)
            return False


def processor_time() -> float:
    """Seconds that this thread has used, and the processes of this one that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.thread_time() + ended.ru_utime + ended.ru_stime


def analyse_next(ctx: WorkerContext) -> bool:
    """Analyse the game that has waited longest, and one whose analysis failed before; False if none was due."""
    tried: list[str] = []

    def act(game_id: str, at: datetime) -> None:
        tried.append(game_id)
        until = rows.claim(ctx.services, game_id, at)
        if until is None:
            return
        try:
            _, data = bundled(ctx.services, game_id)
            rows.store(ctx.services, game_id, analysis_of(data))
        except Exception:
            rows.give_back(ctx.services, game_id, at, until)
            raise

    quarantine.process(ctx.services, rows.LOOP, rows.due(ctx.services.now()), 1, act, retries=1)
    return bool(tried)


def analysis_of(data: bytes) -> bytes | None:
    """The analysis of a bundle as JSON; None if its game cannot be analysed. AnalysisError if the process fails."""
    command = [sys.executable, "-m", MODULE]
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            command, input=data, capture_output=True, timeout=LONGEST, preexec_fn=_limited, check=False
        )
    except subprocess.TimeoutExpired:
        raise AnalysisError("it took too long") from None
    if done.returncode not in (0, IMPOSSIBLE):
        raise AnalysisError(f"exit {done.returncode}")
    return done.stdout if done.returncode == 0 else None


def _limited() -> None:
    """In the new process, before its program begins."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
