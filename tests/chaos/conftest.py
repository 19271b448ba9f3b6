"""Two hosts with all processes, on one database and one Redis, which tests kill, hang and starve."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa

from tests.chaos.house_players import Machine
from tests.chaos.receivers import REQUEST
from tests.chaos.way_in import way_in
from tests.databases import BOTH
from tests.kit import installed
from tests.kit.patience import PATIENCE, until
from tests.servers import free, patient
from tests.servers.receiver import Receiver
from tests.servers.redis import Pausable, pausable
from tests.workers.harness import Harness, Sink
from tests.workers.processes import CLOCK, WORKER, Crew
from tests.workers.push.device import HOST
from tests.workers.replies.answering import Doors
from tests.workers.replies.post import Post
from tests.workers.test_log_lines import WEB
from workers.dev.signer import PageSigner

HOSTS = ("north", "south")
LEASE = "300"  # seconds, of mails, replies and webhooks: more than a process stands still for on a busy machine
PROGRAMS: dict[str, tuple[list[str], str]] = {
    "web": (WEB, "gunicorn"),
    "events": (["events"], "sealedmove"),
    "worker": ([*WORKER, "--lease", LEASE], "sealedmove"),
    "clock": (CLOCK, "sealedmove"),
    "inbound": (["inbound"], "sealedmove"),
    "hooks": ([], "tests.workers.hooks.process"),  # the same loop; its words lead to the test's receiver
}
HERE = Path(__file__).parent
PATHS = (str(HERE / "clock"), str(installed.FOLDER), str(HERE.parents[1]))  # of each process
CALM = {"WEB_WORKERS": "1", "LOG_LEVEL": "WARNING", "LIMIT_ADDRESS": "", "LIMIT_TOKEN": "", "AUDIT_SHARE": "1"}
SENT_TO = {"PUSH_HOSTS": HOST}


class Host:
    """The processes of one machine, with a data folder of its own, and with these variables.

    `request`: the seconds that a webhook's receiver has for its answer.
    """

    def __init__(
        self, house: Harness, folder: Path, receiver: Receiver, request: float = REQUEST, **variables: str
    ) -> None:
        self.name, self.doors = folder.name, Doors(*free.ports(2), house.settings.server_name)
        self.url = f"http://127.0.0.1:{self.doors.http}"
        self._words = {"hooks": [str(receiver.port), str(receiver.ca), LEASE, str(request)]}
        folder.mkdir()
        own = {"DATA_DIR": str(folder), "EVENTS_SOCKET": str(folder / "s" / "s"), **self.doors.settings}
        shared = {"DKIM_KEY_FILE": str(folder.parent / "dkim.txt"), "PYTHONPATH": os.pathsep.join(PATHS)}
        self.clock = folder / "clock"
        own |= {"CLOCK": str(self.clock), **SENT_TO, **CALM, **variables}
        self.crew = Crew(house, folder / "log", **shared | own)
        for program in PROGRAMS:
            self.start(program)

    def start(self, program: str, **variables: str) -> None:
        words, module = PROGRAMS[program]
        self.crew.start(program, self._words.get(program, words), module, **variables)

    def kill(self, program: str) -> None:
        """The whole group: a web server's children too."""
        process = self.crew.running.pop(program)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)

    def set_clock(self, off: int) -> None:
        """So many seconds off, at once for all its processes."""
        new = self.clock.with_suffix(".new")
        new.symlink_to(str(off))
        new.replace(self.clock)

    def start_ended(self) -> list[str]:
        """What a supervisor does. Of the programs, only one that starts while the disk is full ends by itself."""
        ended = [name for name, process in self.crew.running.items() if process.poll() is not None]
        for program in ended:
            self.start(program)
        return ended

    def await_answer(self) -> None:
        until(self._starts, lambda: f"the host {self.name} does not answer: {self.crew.log.read_text()}")

    def _starts(self) -> bool:
        self.start_ended()
        return self.answers()

    def answers(self) -> bool:
        try:
            return patient.get(f"{self.url}/healthz").status_code == 200
        except patient.httpx.TransportError:
            return False


@pytest.fixture(params=BOTH)
def house(request: pytest.FixtureRequest, tmp_path: Path, server: Pausable, sink: Sink) -> Any:
    is_sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path / 'house.db'}" if is_sqlite else request.getfixturevalue("postgres_url")
    at = f"http://127.0.0.1:{free.ports(1)[0]}"
    made = Post(url, sink, redis_url=server.url, public_url=at, push_hosts=(HOST,))
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
def receiver(tmp_path: Path) -> Any:
    with Receiver(tmp_path / "receiver") as made:
        yield made


@pytest.fixture
def letters(tmp_path: Path) -> PageSigner:
    """Signs mails like a provider, with a key in a file that the processes read."""
    return PageSigner(tmp_path)


@pytest.fixture
def hosts(house: Harness, tmp_path: Path, receiver: Receiver, letters: PageSigner) -> Any:
    made = [Host(house, tmp_path / name, receiver) for name in HOSTS]
    for host in made:
        host.await_answer()
    yield made
    for host in made:
        host.crew.fill_disk(is_full=False)
        host.crew.stop()


@pytest.fixture
def machine(house: Harness, hosts: list[Host], tmp_path: Path) -> Any:
    port = urlsplit(house.settings.public_url).port
    with way_in(port, [host.doors.http for host in hosts]):
        made = Machine(house, tmp_path / "machine")
        yield made
        made.crew.fill_disk(is_full=False)
        made.crew.stop()


def end_backends(house: Harness) -> None:
    """Every connection to PostgreSQL breaks, as when the server restarts."""
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    with house.services.database.read() as session:
        session.execute(sa.text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"))
