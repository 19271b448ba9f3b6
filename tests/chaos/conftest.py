"""Two hosts with all processes, on one database and one Redis, which tests kill, hang and starve."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
import sqlalchemy as sa

from tests.databases import BOTH
from tests.kit.patience import PATIENCE, until
from tests.servers import free, patient
from tests.servers.redis import Pausable, pausable
from tests.workers.harness import Harness, Sink
from tests.workers.processes import CLOCK, WORKER, Crew
from tests.workers.test_log_lines import WEB

HOSTS = ("north", "south")
PROGRAMS: dict[str, tuple[list[str], str]] = {
    "web": (WEB, "gunicorn"),
    "events": (["events"], "sealedmove"),
    "worker": (WORKER, "sealedmove"),
    "clock": (CLOCK, "sealedmove"),
}


class Host:
    """The processes of one machine, with a data folder of its own."""

    def __init__(self, name: str, house: Harness, folder: Path) -> None:
        (port,) = free.ports(1)
        self.name, self.url = name, f"http://127.0.0.1:{port}"
        folder.mkdir()
        own = {"PORT": str(port), "DATA_DIR": str(folder), "EVENTS_SOCKET": str(folder / "s" / "s")}
        calm = {"WEB_WORKERS": "1", "LOG_LEVEL": "WARNING", "LIMIT_ADDRESS": "", "LIMIT_TOKEN": "", "AUDIT_SHARE": "1"}
        self.crew = Crew(house, folder / "log", **own, **calm)
        for program in PROGRAMS:
            self.start(program)

    def start(self, program: str) -> None:
        words, module = PROGRAMS[program]
        self.crew.start(program, words, module)

    def kill(self, program: str) -> None:
        """The whole group: a web server's children too."""
        process = self.crew.running.pop(program)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)

    def fill_disk(self, *, is_full: bool) -> None:
        """No process here can write to any file, as on a full disk; or all can again."""
        size = 0 if is_full else psutil.RLIM_INFINITY
        for process in self.crew.running.values():
            with suppress(psutil.NoSuchProcess):  # what starts on a full disk may end
                one = psutil.Process(process.pid)
                for each in (one, *one.children(recursive=True)):
                    each.rlimit(psutil.RLIMIT_FSIZE, (size, psutil.RLIM_INFINITY))

    def start_ended(self) -> None:
        """What a supervisor does. Of the programs, only one that starts while the disk is full ends by itself."""
        for program in [name for name, process in self.crew.running.items() if process.poll() is not None]:
            self.start(program)

    def await_answer(self) -> None:
        until(self._answers, lambda: f"the host {self.name} does not answer: {self.crew.log.read_text()}")

    def _answers(self) -> bool:
        self.start_ended()
        try:
            return patient.get(f"{self.url}/healthz").status_code == 200
        except patient.httpx.TransportError:
            return False


@pytest.fixture(params=BOTH)
def house(request: pytest.FixtureRequest, tmp_path: Path, server: Pausable, sink: Sink) -> Any:
    is_sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path / 'house.db'}" if is_sqlite else request.getfixturevalue("postgres_url")
    made = Harness(url, sink, server.url)
    yield made
    made.close()


@pytest.fixture
def server(tmp_path: Path) -> Any:
    folder = tmp_path / "redis"
    folder.mkdir()
    with pausable(folder) as made:
        yield made


@pytest.fixture
def sink() -> Any:
    made = Sink()
    yield made
    made.stop()


@pytest.fixture
def hosts(house: Harness, tmp_path: Path) -> Any:
    made = [Host(name, house, tmp_path / name) for name in HOSTS]
    for host in made:
        host.await_answer()
    yield made
    for host in made:
        host.fill_disk(is_full=False)
        host.crew.stop()


def end_backends(house: Harness) -> None:
    """Every connection to PostgreSQL breaks, as when the server restarts."""
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    with house.services.database.read() as session:
        session.execute(sa.text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"))
