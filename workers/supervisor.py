"""`sealedmove house`: everything beside the web server, under one supervisor.

Each program is still a process of its own, as by its own command: a fault in one, a job that hangs or a signal reaches
no other. They cost little memory because the supervisor imports what they share once and then forks them. It never
runs a thread, opens no connection that it keeps, and imports no program: a program registers its metrics on import.

A program that ends, or that the system refuses to fork, is started again after a pause that doubles. If the supervisor
itself is killed, the programs end as after SIGTERM: each waits for the end of a pipe that only the supervisor holds. A
program that has not ended within a minute of the signal is killed, whoever sent it: a signal may get lost while a
program starts.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import click
from prometheus_client import Counter

import sealedmove
from engine import registry
from server.kernel.config import Settings
from server.kernel.logs import log
from server.operate import startup

ALWAYS = ("worker", "clock", "hooks", "events")
PROGRAMS = (*ALWAYS, "inbound", "players")
SHARED = (
    "server.operate.metrics_port",
    "workers.auditor",
    "workers.deadlines",
    "workers.digests",
    "workers.dispatch",
    "workers.hooks.leases",
    "workers.mail.mailer",
    "workers.replies.lanes",
    "workers.replies.smtp_server",
    "workers.streams.hub",
)
SIGNALS = (signal.SIGTERM, signal.SIGINT)
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
NO_ROOM = (errno.EAGAIN, errno.ENOMEM)  # of a fork: no process number or no memory is free, for now
STEADY = 60.0  # seconds after which the next restart has the first pause again
PATIENCE = 60.0  # seconds for all to finish what they do: the longest is a mail that is being sent

RESTARTS = Counter("sealedmove_restarts_total", "Times that `sealedmove house` started this process again.")


@click.command()
@click.argument("programs", nargs=-1, type=click.Choice(PROGRAMS))
def main(programs: tuple[str, ...]) -> None:
    """Run everything beside the web server: the PROGRAMS, or all that the settings ask for."""
    chosen = programs or asked_for(startup.checked_settings(), os.environ)
    preload()
    Supervisor(chosen).run()


def asked_for(settings: Settings, environ: Mapping[str, str]) -> tuple[str, ...]:
    """`inbound` if players may reply by mail, `players` if there is a folder of house players."""
    inbound = ("inbound",) if settings.inbound_listen and settings.reply_address else ()
    return (*ALWAYS, *inbound, *(("players",) if environ.get("PLAYERS_DIR") else ()))


def preload() -> None:
    """Import what the programs share. Garbage collection leaves it alone, so that it stays shared."""
    gc.disable()
    for name in SHARED:
        import_module(name)
    registry.games()
    gc.enable()
    gc.freeze()


class Program:
    """A program that is kept running."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.restarts = -1
        self.pause, self.started, self.due = FIRST_PAUSE, 0.0, 0.0
        self.process: BaseProcess | None = None

    def start(self, alive: tuple[int, int]) -> None:
        """Fork it, or plan another try. No signal arrives before it can end by one."""
        process = get_context("fork").Process(target=_become, args=(self.name, self.restarts + 1, alive))
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            process.start()
        except OSError as fault:
            if fault.errno not in NO_ROOM:
                raise
            log.error("process-not-started", process=self.name, error=errno.errorcode[fault.errno], again=self.pause)
            self._plan_start()
            return
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        self.restarts += 1
        self.process, self.started = process, time.monotonic()
        log.info("process-started", process=self.name, pid=process.pid)

    def note_end(self) -> None:
        """Plan its next start."""
        assert self.process is not None
        self.process.join()
        status = self.process.exitcode
        self.process.close()
        self.process = None
        if time.monotonic() - self.started > STEADY:
            self.pause = FIRST_PAUSE
        log.error("process-ended", process=self.name, status=status, again=self.pause)
        self._plan_start()

    def _plan_start(self) -> None:
        self.due, self.pause = time.monotonic() + self.pause, min(2 * self.pause, LONGEST_PAUSE)


class Supervisor:
    """Keeps all running until SIGTERM or Ctrl-C, then ends all."""

    def __init__(self, names: Sequence[str]) -> None:
        self.programs = [Program(name) for name in dict.fromkeys(names)]
        self.alive = os.pipe()
        self.told = os.pipe()  # a signal writes into it, which ends every wait

    def run(self) -> None:
        os.set_blocking(self.told[1], False)
        signal.set_wakeup_fd(self.told[1])
        for number in SIGNALS:
            signal.signal(number, lambda *_: None)
        log.info("house-started", processes=[one.name for one in self.programs])
        try:
            while not self._is_told():
                for one in self.programs:
                    if one.process is None and one.due <= time.monotonic():
                        one.start(self.alive)
        finally:
            self._stop()

    def _is_told(self) -> bool:
        """Wait for a signal, the end of a program, or the next start."""
        running = {one.process.sentinel: one for one in self.programs if one.process is not None}
        due = [one.due for one in self.programs if one.process is None]
        patience = max(0.0, min(due) - time.monotonic()) if due else None
        ready = connection.wait([self.told[0], *running], patience)
        for sentinel in running.keys() & set(ready):
            running[sentinel].note_end()
        return self.told[0] in ready

    def _stop(self) -> None:
        running = [one.process for one in self.programs if one.process is not None]
        for process in running:
            process.terminate()
        until = time.monotonic() + PATIENCE
        for process in running:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                log.error("process-killed", pid=process.pid)
                process.kill()
                process.join()
        log.info("house-stopped")


# --- in a forked process ----------------------------------------------------------------------------------------------


def _become(name: str, restarts: int, alive: tuple[int, int]) -> None:
    """Run the program as its own command does."""
    signal.set_wakeup_fd(-1)
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    with suppress(OSError):
        os.setsid()  # the terminal's Ctrl-C reaches the supervisor alone, which asks each to end once
        Path("/proc/self/comm").write_text(f"sm-{name}", "ascii")  # the name in `ps` and `top`
    os.close(alive[1])
    threading.Thread(target=_end_after_supervisor, args=(alive[0],), name="supervisor", daemon=True).start()
    RESTARTS.inc(restarts)
    sealedmove.load(sealedmove.COMMANDS[name].where).main([], prog_name=f"sealedmove {name}")


def _end_after_supervisor(alive: int) -> None:
    os.read(alive, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE)
    os.kill(os.getpid(), signal.SIGKILL)
