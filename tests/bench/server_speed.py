"""Moves over HTTP, through gunicorn and SQLite, beside what any endpoint of the same app costs.

Tables are opened before the time is taken. Signing cannot be done ahead, since a move names the head that the answer
before brought: it is counted as a part of the move, though it is the client's work. All clients are threads of one
process beside the server's, so the rates are of the machine as a whole.

The budget is in processor time, which others on the machine hardly change: of the web server, and of the whole house
(with Redis and a worker that dispatches and mails nobody), as a multiple of one committed row of the same run.
`released.json` has the figures of the last release.
"""

import json
import math
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import NamedTuple

import httpx
import psutil
import sqlalchemy as sa

from server.accounts import sign_in
from server.http.credentials import SCOPES
from server.kernel import secrets as kernel_secrets
from server.kernel.config import settings
from server.kernel.db.models import LoginLink, Outbox
from server.kernel.services import Services, open_services
from tests.kit import installed
from tests.servers import free
from tests.servers.redis import running

from .table import Crowd, PigTable
from .timing import heading, line

ROOT = Path(__file__).parents[2]
SECONDS = 2.0
ROUNDS = 5
LOOKS = ("view", "legal", "picture")
RELEASED = Path(__file__).with_name("released.json")
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


@dataclass
class Looking:
    """A client that asks for the same about a game again and again, and has it already."""

    crowd: Crowd
    what: str
    asked: dict[str, str] = field(default_factory=dict)
    path: str = ""

    def prepare(self) -> None:
        if not self.path:
            self.path = f"/v1/games/{self.crowd.table().id}/{self.what}"
            self.asked = {"Authorization": f"Bearer {self.crowd.tokens[0]}"}
            self.asked["If-None-Match"] = self.crowd.http.get(self.path, headers=self.asked).headers["ETag"]

    def work(self) -> None:
        assert self.crowd.http.get(self.path, headers=self.asked).status_code == 304


Client = Posting | Moving | Looking


class Cost(NamedTuple):
    """Requests a second, and what one took in milliseconds of processor time: of the web server, of all processes."""

    rate: float
    web: float
    house: float


def main() -> None:
    heading("Server: gunicorn, SQLite with synchronous=FULL, Redis (aim: a move at least half of one committed row)")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as redis_url:
        environment = environment_of(Path(folder), redis_url)
        with gunicorn(environment) as url, worker(environment):
            for clients in (1, 4):
                report(url, environment, clients)


def report(url: str, environment: dict[str, str], clients: int, rounds: int = ROUNDS) -> None:
    crowds = [Crowd(url, [token_of(environment) for _ in range(2)]) for _ in range(clients)]
    for crowd in crowds:
        crowd.want_no_mail()
    kinds: list[list[Client]] = [
        [Posting(crowd, "/v1/bench/empty") for crowd in crowds],
        [Posting(crowd, "/v1/bench/row") for crowd in crowds],
        [Moving(crowd) for crowd in crowds],
        *([Looking(crowd, what) for crowd in crowds] for what in LOOKS),
    ]
    empty, row, move, *looks = side_by_side(kinds, environment, rounds)
    for crowd in crowds:
        crowd.http.close()
    named = {"empty endpoint": empty, "one committed row": row}
    named |= {f"an unchanged {what} (304)": look for what, look in zip(LOOKS, looks, strict=True)}
    for name, one in named.items():
        line(f"{clients} client(s): {name}, requests/s", f"{one.rate:,.0f}", f"{one.web:.1f} ms of web CPU")
    told = f"moves / rows = {move.rate / row.rate:.2f}; {move.web:.1f} ms of web CPU, {move.house:.1f} of the house"
    line(f"{clients} client(s): signed moves/s", f"{move.rate:,.0f}", told)
    then = json.loads(RELEASED.read_text())
    for name, ratio, aim in (
        ("web CPU", _rows(move.web, row.web), 1.5),
        ("house CPU", _rows(move.house, row.house), 4),
    ):
        beside = f"aim: {aim}; {then['at']}: {then[name]}"
        line(f"{clients} client(s): {name} of a move, in rows", f"{ratio:.2f}", beside)


def _rows(move: float, row: float) -> float:
    """A move in rows; not a number if the rows took less than a tick of the processor's clock."""
    return move / row if row else math.nan


def side_by_side(kinds: list[list[Client]], environment: dict[str, str], rounds: int) -> list[Cost]:
    """Medians of each kind of client, taken in turns, all clients of a kind at once."""
    services = open_services(settings(environment))
    found = [[cost(clients, services) for clients in kinds] for _ in range(rounds)]
    services.database.dispose()
    return [Cost(*map(median, zip(*column, strict=True))) for column in zip(*found, strict=True)]


def cost(clients: list[Client], services: Services) -> Cost:
    """The rate of all clients together, and the processor time until nothing of theirs waits for a worker."""
    for client in clients:
        client.prepare()
    await_dispatch(services)
    web, house = used(is_web), used()
    until = time.perf_counter() + SECONDS / 2
    with ThreadPoolExecutor(len(clients)) as pool:
        count = sum(pool.map(lambda client: _repeat(client, until), clients))
    await_dispatch(services)
    each = 1000 / count
    return Cost(count / (SECONDS / 2), (used(is_web) - web) * each, (used() - house) * each)


def used(wanted: Callable[[psutil.Process], bool] = lambda _: True) -> float:
    """Seconds of processor time of the processes that this one has started."""
    found = [one for one in psutil.Process().children(recursive=True) if wanted(one)]
    return sum(map(used_by, found))


def used_by(process: psutil.Process) -> float:
    """The same of one; nothing of one that has ended just now."""
    with suppress(psutil.NoSuchProcess):
        times = process.cpu_times()
        return float(times.user + times.system)
    return 0.0


def words_of(process: psutil.Process) -> str:
    """Its command line; nothing of one that has ended just now."""
    with suppress(psutil.NoSuchProcess):
        return " ".join(process.cmdline())
    return ""


def is_web(process: psutil.Process) -> bool:
    return "gunicorn" in words_of(process)


def await_dispatch(services: Services, patience: float = 60.0) -> None:
    waiting = sa.select(Outbox.id).where(Outbox.dispatched_at.is_(None)).limit(1)
    until = time.monotonic() + patience
    while True:
        with services.database.read() as session:
            if session.scalar(waiting) is None:
                return
        assert time.monotonic() < until, "the worker has not dispatched everything"
        time.sleep(0.02)


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
        **installed.ENV,
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
        server.wait(60)


@contextmanager
def worker(environment: dict[str, str]) -> Iterator[None]:
    """A worker; with a small share for its audits, which are not a part of a move."""
    program = Path(sys.executable).with_name("sealedmove")
    process = subprocess.Popen([program, "worker"], env=environment | {"AUDIT_SHARE": "1"}, cwd=ROOT)
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def await_health(url: str, patience: float = 120.0) -> None:
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
        last = session.scalars(sa.select(LoginLink).order_by(LoginLink.id.desc()).limit(1)).one()
    return kernel_secrets.login_token(services.settings.master, last)
