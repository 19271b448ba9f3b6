"""Moves over HTTP, through gunicorn and SQLite, beside what any endpoint of the same app costs.

Tables are opened before the time is taken. Signing cannot be done ahead, since a move names the head that the answer
before brought: it is counted as a part of the move, though it is the client's work. All clients are threads of one
process beside the server's, so the figures are of the machine as a whole.
"""

import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import httpx
import sqlalchemy as sa

from server.accounts import sign_in
from server.http.credentials import SCOPES
from server.kernel import secrets as kernel_secrets
from server.kernel.config import settings
from server.kernel.db.models import LoginLink
from server.kernel.services import Services, open_services
from tests.servers import free
from tests.servers.redis import running

from .table import Crowd, PigTable
from .timing import heading, line

ROOT = Path(__file__).parents[2]
SECONDS = 2.0
ROUNDS = 5
STOCK = 12  # tables of a client, of some fifty moves each: more than it plays in a round


@dataclass
class Posting:
    """A client that posts the same body again and again."""

    crowd: Crowd
    path: str
    body: dict[str, str] = field(default_factory=lambda: {"jws": secrets.token_hex(350)})

    def prepare(self) -> None:
        """Nothing has to be ready."""

    def work(self) -> None:
        self.crowd.http.post(self.path, json=self.body).raise_for_status()


@dataclass
class Moving:
    """A client that plays turns of one game after the other."""

    crowd: Crowd
    tables: list[PigTable] = field(default_factory=list)

    def prepare(self) -> None:
        self.tables += [self.crowd.table() for _ in range(STOCK - len(self.tables))]

    def work(self) -> None:
        if not self.tables:
            self.prepare()
        self.tables[-1].turn()
        if self.tables[-1].over:
            self.tables.pop()


Client = Posting | Moving


def main() -> None:
    heading("Server: gunicorn, SQLite with synchronous=FULL, Redis (aim: a move at least half of one committed row)")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as redis_url:
        environment = environment_of(Path(folder), redis_url)
        with gunicorn(environment) as url:
            for clients in (1, 4):
                report(url, environment, clients)


def report(url: str, environment: dict[str, str], clients: int) -> None:
    crowds = [Crowd(url, [token_of(environment) for _ in range(2)]) for _ in range(clients)]
    rates = side_by_side(
        [
            [Posting(crowd, "/v1/bench/empty") for crowd in crowds],
            [Posting(crowd, "/v1/bench/row") for crowd in crowds],
            [Moving(crowd) for crowd in crowds],
        ]
    )
    empty, row, moves = rates
    line(f"{clients} client(s): empty endpoint, requests/s", f"{empty:,.0f}")
    line(f"{clients} client(s): one committed row, requests/s", f"{row:,.0f}")
    line(f"{clients} client(s): signed moves/s", f"{moves:,.0f}", f"moves / rows = {moves / row:.2f}")


def side_by_side(kinds: list[list[Client]]) -> list[float]:
    """Median rates of each kind of client, taken in turns, all clients of a kind at once."""
    rounds = [[rate(clients) for clients in kinds] for _ in range(ROUNDS)]
    return [median(column) for column in zip(*rounds, strict=True)]


def rate(clients: list[Client]) -> float:
    """How often a second all clients together do their work."""
    for client in clients:
        client.prepare()
    until = time.perf_counter() + SECONDS / 2
    with ThreadPoolExecutor(len(clients)) as pool:
        counts = pool.map(lambda client: _repeat(client, until), clients)
        return sum(counts) / (SECONDS / 2)


def _repeat(client: Client, until: float) -> int:
    count = 0
    while time.perf_counter() < until:
        client.work()
        count += 1
    return count


# --- the processes --------------------------------------------------------------------------------------------------


def environment_of(folder: Path, redis_url: str) -> dict[str, str]:
    (port,) = free.ports(1)
    ours = {
        "PORT": str(port),
        "DATA_DIR": str(folder),
        "REDIS_URL": redis_url,
        "SEALEDMOVE_MASTER": secrets.token_hex(32),
        "GAME_PACKAGES": "tests.kit.games",
        "LIMIT_ADDRESS": "1000000/minute",
        "LIMIT_TOKEN": "1000000/minute",
        "LOG_LEVEL": "WARNING",
    }
    inherited = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "PUBLIC_URL")}
    return inherited | ours


@contextmanager
def gunicorn(environment: dict[str, str]) -> Iterator[str]:
    """The real web process over a fresh database."""
    programs = Path(sys.executable).parent
    subprocess.run([programs / "sealedmove", "migrate"], env=environment, cwd=ROOT, check=True, capture_output=True)
    words = ["--config", "python:server.operate.gunicorn", "tests.bench.app:create_app()"]
    server = subprocess.Popen([programs / "gunicorn", *words], env=environment, cwd=ROOT)
    url = f"http://127.0.0.1:{environment['PORT']}"
    try:
        await_health(url)
        yield url
    finally:
        server.terminate()
        server.wait(20)


def await_health(url: str, patience: float = 20.0) -> None:
    until = time.monotonic() + patience
    while True:
        try:
            httpx.get(f"{url}/healthz", timeout=30).raise_for_status()
            return
        except httpx.HTTPError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def token_of(environment: dict[str, str]) -> str:
    """A signed-in account, made as the link in a mail makes it."""
    services = open_services(settings(environment))
    number = secrets.token_hex(8)
    sign_in.request_link(services, f"{number}@bench.example", "Bench")
    token = sign_in.confirm(services, latest_link(services), "bench", SCOPES).token
    services.database.dispose()
    return token


def latest_link(services: Services) -> str:
    with services.database.read() as session:
        last = session.scalar(sa.select(sa.func.max(LoginLink.id)))
    return kernel_secrets.login_token(services.settings.master, last)
