"""A web server, a stream process and Redis over one database, which tests stop and start."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from server.kernel.services import Services, Waker
from server.kernel.streams import numbers
from tests.kit import installed
from tests.kit.patience import PATIENCE, until
from tests.server.harness import Clock, Harness, Player, harness, sqlite_url
from tests.servers import free, patient
from tests.servers.redis import running
from tests.workers.processes import KEPT


class Site:
    """The programs, by name: `web` and `events`. Their output goes to `log`."""

    def __init__(self, hall: Harness, folder: Path, redis_url: str) -> None:
        self.hall = hall
        self.port, numbered = free.ports(2)
        self.url, self.metrics = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{numbered}/metrics"
        self.socket = folder / "events" / "events.sock"
        self.log = folder / "log"
        self.known = 0
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        chosen = hall.services.settings
        self.environment = {
            **{name: value for name, value in os.environ.items() if name in KEPT},
            "SEALEDMOVE_MASTER": chosen.master.hex(),
            "DATABASE_URL": chosen.database_url,
            "PUBLIC_URL": chosen.public_url,
            "HOSTS": f"127.0.0.1:{self.port}",
            "REDIS_URL": redis_url,
            "EVENTS_SOCKET": str(self.socket),
            "PORT": str(self.port),
            "METRICS_LISTEN": f"events=127.0.0.1:{numbered}",
            "WEB_WORKERS": "1",
            **installed.ENV,
            "LOG_LEVEL": "INFO",
        }

    def people(self, count: int) -> list[Player]:
        """New people for every test."""
        first, self.known = self.known, self.known + count
        return [self.hall.player(number) for number in range(first, self.known)]

    def start(self, *names: str, patience: float = PATIENCE, **more: str) -> None:
        """`patience`: the seconds after which a reader that takes nothing is dropped."""
        words = {
            "web": ["gunicorn", "--config", "python:server.operate.gunicorn", "server.http.app:create_app()"],
            "events": ["sealedmove", "events", "--beat", "1", "--patience", str(patience)],
        }
        for name in names or words:
            with self.log.open("ab") as out:
                command = [sys.executable, "-m", *words[name]]
                environment = self.environment | more
                self.running[name] = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
            until(self.web_answers if name == "web" else lambda: numbers(self.socket) is not None)

    def web_answers(self) -> bool:
        try:
            return patient.get(f"{self.url}/healthz").status_code == 200
        except httpx.HTTPError:
            return False

    def stop(self, *names: str) -> None:
        for name in names or tuple(self.running):
            process = self.running.pop(name)
            process.terminate()
            process.wait(PATIENCE)

    def restart(self, name: str, patience: float = PATIENCE, **more: str) -> None:
        self.stop(name)
        self.start(name, patience=patience, **more)

    def counted(self):
        """The counters of the stream process."""
        return numbers(self.socket)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A running site, shared by the tests of a module, which make their own accounts and games."""
    folder = tmp_path_factory.mktemp("site")
    with running(folder / "r") as redis_url:
        made = harness(sqlite_url(folder))
        services = Services(
            replace(made.services.settings, redis_url=redis_url, events_socket=folder / "events" / "events.sock"),
            made.services.database, Waker(redis_url), made.services.tables, Clock(),
        )  # fmt: skip
        site = Site(Harness(services, services.now), folder, redis_url)
        site.start()
        yield site
        site.stop()
        services.database.dispose()
