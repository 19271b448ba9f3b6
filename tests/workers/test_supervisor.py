"""`sealedmove house`: real programs under one supervisor, which are killed."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
from multiprocessing.context import ForkProcess
from unittest.mock import Mock

import psutil
import pytest

from server.kernel.config import settings
from tests.kit.patience import PATIENCE, until
from tests.servers import free, patient
from tests.workers.processes import Crew
from workers import supervisor

STARTED = ("worker-started", "clock-started", "hooks-started", "events-started")


class HouseCrew(Crew):
    """Starts the supervisor; its log shows the programs."""

    def logged(self, event: str) -> list[dict[str, object]]:
        lines = map(json.loads, self.log.read_text("utf-8").splitlines())
        return [line for line in lines if line["event"] == event]

    def pid(self, name: str) -> int:
        """The process that runs this program now."""
        return [line["pid"] for line in self.logged("process-started") if line["process"] == name][-1]

    def start_house(self, *names: str) -> None:
        self.start("house", ["house", *names])
        until(lambda: all(self.logged(said) for said in STARTED), lambda: self.log.read_text("utf-8"))


@pytest.fixture
def crew(house, redis_url, tmp_path):
    [numbered] = free.ports(1)
    made = HouseCrew(
        house,
        tmp_path / "log",
        REDIS_URL=redis_url,
        EVENTS_SOCKET=str(tmp_path / "events" / "s"),
        METRICS_LISTEN=f"worker=127.0.0.1:{numbered}",
    )
    made.metrics = f"http://127.0.0.1:{numbered}/metrics"
    yield made
    made.stop()


def is_gone(process: psutil.Process) -> bool:
    """Has it ended? Another process may have its number by now."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_program_that_is_killed_starts_again_and_all_end_at_sigterm(house, crew):
    """The worker dies; the next one sends the mails of a new game. The log and its own metrics show the restart."""
    crew.start_house()
    worker = psutil.Process(crew.pid("worker"))
    worker.kill()
    until(lambda: crew.logged("process-ended"), "nobody noticed")
    [ended] = crew.logged("process-ended")
    assert (ended["process"], ended["status"], ended["level"]) == ("worker", -signal.SIGKILL, "error")
    until(lambda: len(crew.logged("worker-started")) == 2, "it does not start again")
    house.game()
    until(lambda: house.rows() and {row.state for row in house.rows()} == {"sent"}, "the mails are not sent")
    assert "sealedmove_restarts_total 1.0" in patient.get(crew.metrics).text
    programs = [psutil.Process(crew.pid(name)) for name in supervisor.ALWAYS]
    process = crew.running.pop("house")
    process.terminate()
    assert process.wait(PATIENCE) == 0
    assert all(map(is_gone, [worker, *programs]))
    assert len(crew.logged("process-ended")) == 1


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_all_six_programs_start_and_end_at_sigterm(crew, tmp_path):
    """With replies and house players; each ends by itself."""
    [port] = free.ports(1)
    replies = {"REPLY_ADDRESS": "move+{token}@play.example", "INBOUND_LISTEN": f"lmtp://127.0.0.1:{port}"}
    crew.environment |= {**replies, "PLAYERS_DIR": str(tmp_path / "players")}
    crew.start_house()
    more = ("inbound-started", "players-started")
    until(lambda: all(map(crew.logged, more)), lambda: crew.log.read_text("utf-8"))
    [started] = crew.logged("house-started")
    assert sorted(started["processes"]) == sorted(supervisor.PROGRAMS)
    programs = [psutil.Process(crew.pid(name)) for name in supervisor.PROGRAMS]
    process = crew.running.pop("house")
    process.terminate()
    assert process.wait(PATIENCE) == 0
    assert all(map(is_gone, programs))
    assert crew.logged("process-ended") + crew.logged("process-killed") == []


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_programs_end_when_their_supervisor_is_killed(crew):
    crew.start_house()
    programs = [psutil.Process(crew.pid(name)) for name in supervisor.ALWAYS]
    crew.kill("house")
    until(lambda: all(map(is_gone, programs)), "a program lives on")


def test_a_program_that_does_not_end_after_its_supervisor_is_killed():
    """It may have lost the signal while it started."""
    code = (
        "import os, signal; from workers import supervisor; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "supervisor.PATIENCE = 0.1; alive, ends = os.pipe(); os.close(ends); supervisor._end_after_supervisor(alive)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("environ", "more"),
    [
        ({}, ()),
        ({"INBOUND_LISTEN": "lmtp://127.0.0.1:24"}, ()),
        ({"INBOUND_LISTEN": "lmtp://127.0.0.1:24", "REPLY_ADDRESS": "m+{token}@x.example"}, ("inbound",)),
        ({"PLAYERS_DIR": "players"}, ("players",)),
    ],
)
def test_the_settings_decide_which_programs_run(environ, more):
    chosen = settings({"SEALEDMOVE_MASTER": "0" * 64, **environ})
    assert supervisor.asked_for(chosen, environ) == (*supervisor.ALWAYS, *more)


def test_the_supervisor_has_no_thread_and_no_metric_of_a_program():
    """A fork of a process with threads may hang, and a program would show another's metrics."""
    code = (
        "import threading; from workers import supervisor; supervisor.preload();"
        "from prometheus_client import REGISTRY, generate_latest;"
        "print(threading.active_count(), generate_latest(REGISTRY).decode())"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.startswith("1 ")
    assert not re.findall(r"sealedmove_(clock|hook|streams?|player)_\w+", said)


@pytest.fixture
def pair():
    """A supervisor of a program that is to start, and of one that runs, as a mock."""
    made = supervisor.Supervisor(["clock", "worker"])
    sentinel, ends = os.pipe()
    made.programs[1].process = Mock(**{"is_alive.return_value": False}, sentinel=sentinel)
    yield made
    for one in (*made.alive, *made.told, sentinel, ends):
        os.close(one)


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM])
def test_a_program_that_cannot_be_forked_is_tried_again_later(monkeypatch, pair, number):
    """After the same pauses as one that has ended; the others run on."""
    monkeypatch.setattr(ForkProcess, "start", Mock(side_effect=OSError(number, "")))
    monkeypatch.setattr(supervisor, "log", Mock())
    first, other = pair.programs
    for _ in range(7):
        first.start(pair.alive)
    logged = [call.kwargs["again"] for call in supervisor.log.error.call_args_list]
    assert logged == [1, 2, 4, 8, 16, 30, 30]
    assert (first.process, first.restarts, first.due > 0) == (None, -1, True)
    first.due = 0.0
    assert not pair._is_told()  # the wait ends for the next try
    assert not other.process.terminate.called


def test_a_supervisor_that_cannot_fork_for_another_reason_ends_what_runs(monkeypatch, pair):
    """As without a free file descriptor, of which each failed fork costs four; what has started it starts it again."""
    monkeypatch.setattr(ForkProcess, "start", Mock(side_effect=OSError(errno.EMFILE, "")))
    with pytest.raises(OSError, match=str(errno.EMFILE)):
        pair.programs[0].start(pair.alive)
    pair._stop()
    pair.programs[1].process.terminate.assert_called_once_with()


def test_an_unknown_program_is_refused():
    asked = [sys.executable, "-m", "sealedmove", "house", "mailbox"]
    refused = subprocess.run(asked, capture_output=True, text=True)
    assert (refused.returncode, "'mailbox' is not one of 'worker'" in refused.stderr) == (2, True)
