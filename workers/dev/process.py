"""One process of the Procfile: in a session of its own, its lines printed under its name, stopped with its children."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO

import psutil

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
STEADY = 60.0  # a process that ran this long restarts without its former delay


class Process:
    """A program that is kept running: `start`, `restart_if_due` again and again, `stop`."""

    def __init__(self, name: str, command: Sequence[str], env: Mapping[str, str], width: int = 0) -> None:
        self.name, self.command, self.env = name, list(command), dict(env)
        self.prefix = f"{name:<{width}} | "
        self.pause = FIRST_PAUSE
        self.started = self.due = 0.0
        self.is_asked = False
        self.child: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        return 0 if self.child is None else self.child.pid

    def start(self) -> None:
        """Start it. A session of its own keeps the terminal's Ctrl-C from it: the runner ends it."""
        self.child = subprocess.Popen(
            self.command,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        self.started, self.due, self.is_asked = time.monotonic(), 0.0, False
        self.echo = threading.Thread(target=self._echo, args=(self.child.stdout,), daemon=True)
        self.echo.start()

    def ended(self) -> int | None:
        """Its exit status once it has ended, else None."""
        return None if self.child is None else self.child.poll()

    def restart_if_due(self) -> bool:
        """If it has ended, plan its next start; True if that time has come and it was started."""
        status, now = self.ended(), time.monotonic()
        if status is None:
            return False
        if not self.due:
            self._plan(status, now)
        if now < self.due:
            return False
        self.start()
        return True

    def ask(self) -> None:
        """Ask it to end, once: a second signal makes some programs drop what they are finishing."""
        if self.child is not None and self.child.poll() is None and not self.is_asked:
            self.child.terminate()
            self.is_asked = True

    def stop(self, patience: float = 10.0) -> None:
        """Ask it to end, wait, then kill it and whatever it started."""
        if self.child is None:
            return
        self.ask()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.child.wait(patience)
        kill_family(self.child.pid)
        self.child.wait()
        self.echo.join(1)

    def say(self, line: str) -> None:
        sys.stdout.write(f"{self.prefix}{line.rstrip()}\n")
        sys.stdout.flush()

    def _plan(self, status: int, now: float) -> None:
        kill_family(self.pid)  # remaining children would keep its port in use
        if now - self.started > STEADY:
            self.pause = FIRST_PAUSE
        self.say(f"ended with status {status}; starts again in {self.pause:.0f} s")
        self.due, self.pause = now + self.pause, min(2 * self.pause, LONGEST_PAUSE)

    def _echo(self, lines: IO[str]) -> None:
        with lines:
            for line in lines:
                self.say(line)


def kill_family(pid: int) -> None:
    """Kill the children of `pid`, and what is left of the session that it leads; nothing if nothing is."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
