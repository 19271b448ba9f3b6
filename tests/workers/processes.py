"""The real worker and clock programs, which tests kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil

from tests.kit import installed
from tests.kit.patience import PATIENCE
from tests.running import MARK
from tests.workers.harness import Harness

KEPT = ("PATH", "HOME", "PYTHONPATH", "LANG", MARK)  # of the environment of the tests
LEASE = 3
LINES = 60  # of the log, in a report
WORKER = f"worker --lease {LEASE} --back-off 1,1,1,2 --worker-ttl 5 --maintenance-interval 3 --pause 0".split()
CLOCK = ["clock", "--every", "0.5", "--pause", "0"]


class Crew:
    """Processes of the command `sealedmove` with one environment; their output goes to one file.

    They go by the wall clock, and so does the house from then on, or its games would begin after their deadlines.
    """

    def __init__(self, house: Harness, log: Path, **more: str) -> None:
        house.follow_wall_clock()
        settings = house.settings
        self.environment = {
            **{name: value for name, value in os.environ.items() if name in KEPT},
            "DATABASE_URL": settings.database_url,
            "REDIS_URL": settings.redis_url or "",
            "SMTP_URL": settings.smtp_url,
            "PUBLIC_URL": settings.public_url,
            "SEALEDMOVE_MASTER": settings.master.hex(),
            **installed.ENV,
            "LOG_LEVEL": "DEBUG",
            **more,
        }
        self.log = log
        self.killed: list[float] = []
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, words: list[str], module: str = "sealedmove", **more: str) -> None:
        with self.log.open("ab") as out:
            self.running[name] = subprocess.Popen(
                [sys.executable, "-m", module, *words],
                env=self.environment | more,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def kill(self, name: str) -> None:
        """kill -9, as in a power cut."""
        process = self.running.pop(name)
        self.killed.append(time.monotonic())
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)

    def end(self, name: str) -> None:
        """SIGTERM, at which one that still runs ends in order."""
        process = self.running.pop(name)
        assert process.poll() is None, f"{name} exited with {process.returncode}: {self.report()}"
        process.terminate()
        assert process.wait(PATIENCE) == 0, self.report()

    def fill_disk(self, *, is_full: bool) -> None:
        """No process here can write to any file, as on a full disk; or all can again."""
        size = 0 if is_full else psutil.RLIM_INFINITY
        for process in self.running.values():
            with suppress(psutil.NoSuchProcess):  # what starts on a full disk may end
                one = psutil.Process(process.pid)
                for each in (one, *one.children(recursive=True)):
                    each.rlimit(psutil.RLIMIT_FSIZE, (size, psutil.RLIM_INFINITY))

    def report(self) -> str:
        """Which processes run or have exited, and the end of what all of them wrote."""
        codes = {name: process.poll() for name, process in self.running.items()}
        said = [f"{name}: {'runs' if code is None else f'exited with {code}'}" for name, code in codes.items()]
        return "\n".join([*said, *self.log.read_text("utf-8", "replace").splitlines()[-LINES:]])

    def stop(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
            process.kill()
            process.wait(PATIENCE)
