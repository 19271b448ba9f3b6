"""Many tables over HTTP on PostgreSQL, one row for each number of clients, web processes and stored games:

    python -m tests.bench.load --tables 1000 --clients 1,4,16,64 --web 1,2,4 --store 10,1000,50000

Each client plays the next turn of its tables, one after the other, so that a process has most of them not in memory.
`pig` is played by a policy that rolls and holds (about 50 entries a game); in any other title a client asks for its
legal commands, as a page does, and chooses one at random. With `--entries` each game has so many before its moves are
measured, for instance 1,000 of `lewis_clark`; a process keeps 1,024 tables in memory and folds the log of any other.
Committed rows of the same run stand beside the moves. The clients are threads of this program, on the same machine;
their processor time is printed, too.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

import click
import psutil
import sqlalchemy as sa

from server.kernel.config import settings
from server.kernel.db.models import Notification
from server.kernel.services import Services, open_services, utc_now
from tests.servers import postgres
from tests.servers.redis import running as redis_running

from . import store_speed
from .mail_rates import Relay
from .server_speed import Posting, await_dispatch, environment_of, gunicorn, token_of, words_of, worker
from .table import Crowd, PigTable

AT_A_PAIR = 20  # tables of two accounts
DURABLE = ("fsync=on", "max_connections=300", "shared_buffers=128MB", "timezone=UTC")
FREE = dict.fromkeys(("MOST_OPEN_TABLES", "MOST_LOBBY_SEATS", "MOST_SEATS"), "0") | {"LIMIT_ADDRESS": ""}
ROLES = {"gunicorn": "web", "worker": "worker", "clock": "clock", "redis": "redis", "valkey": "redis"}
COLUMNS = (
    "stored games | web | clients | moves/s | p50 ms | p99 ms | moves/rows | mails waiting | CPU ms a move | memory MB"
)


Used = dict[int, tuple[str, float]]  # a process -> its role, seconds of processor time


class Cell(NamedTuple):
    """A measurement: its seconds per turn, and the seconds of processor time by role."""

    took: list[float]
    rate: float
    cpu: dict[str, float]


@dataclass
class Player:
    """A client with its tables."""

    tables: list[PigTable]
    next: int = 0

    def turn(self) -> None:
        self.tables = [table for table in self.tables if not table.over]
        assert self.tables, "all tables are over: open more of them, or measure for fewer seconds"
        self.next += 1
        self.tables[self.next % len(self.tables)].turn()


class ChosenTable(PigTable):
    """A table of another title, whose players choose at random among their legal commands."""

    title = "tikal"
    options: Mapping[str, Any] = {}

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.dice = random.Random(self.id)

    def turn(self) -> Any:
        seat = self.active()
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        legal = self.http.get(f"/v1/games/{self.id}/legal", headers=headers).raise_for_status().json()
        return self.play(seat, [self.dice.choice(legal)["command"]])


class House:
    """The processes of a server on PostgreSQL, and the people at its tables."""

    def __init__(self, folder: Path, url: str, redis_url: str, relay: str) -> None:
        self.environment = environment_of(folder, redis_url) | FREE | {"DATABASE_URL": url, "SMTP_URL": relay}
        self.services: Services = open_services(settings(self.environment))
        with self.services.database.read() as session:
            self.database = psutil.Process(session.scalar(sa.text("SELECT pg_backend_pid()"))).parent()

    @contextmanager
    def serving(self, processes: int) -> Iterator[str]:
        environment = self.environment | {"WEB_WORKERS": str(processes)}
        with gunicorn(environment) as url, worker(environment):
            yield url

    @contextmanager
    def playing(self, url: str, plan: Plan) -> Iterator[list[PigTable]]:
        """The tables, divided among pairs of new players."""
        kind = PigTable if plan.title == "pig" else type("Chosen", (ChosenTable,), {"title": plan.title})
        tables: list[PigTable] = []
        with ExitStack() as stack:
            for size in _parts(plan.tables, AT_A_PAIR):
                crowd = Crowd(url, [token_of(self.environment) for _ in range(2)])
                stack.callback(crowd.http.close)
                if not plan.mail:
                    crowd.want_no_mail()
                tables += [crowd.table(kind) for _ in range(size)]
            for table in tables:
                while table.seq < plan.entries:
                    table.turn()
            yield tables

    def processes(self) -> Iterator[tuple[str, psutil.Process]]:
        for one in psutil.Process().children(recursive=True):
            words = words_of(one)
            role = next((role for word, role in ROLES.items() if word in words), None)
            if role is not None:
                yield role, one
        for one in (self.database, *self.database.children()):
            yield "postgresql", one
        yield "clients", psutil.Process()

    def used(self) -> Used:
        """Seconds of processor time of each process, with its role."""
        found: Used = {}
        for role, one in self.processes():
            with suppress(psutil.NoSuchProcess):  # a connection that ends just now
                times = one.cpu_times()
                found[one.pid] = role, times.user + times.system
        return found

    def memory(self) -> dict[str, float]:
        """MB by role; memory that processes share is divided among them."""
        found: dict[str, float] = {}
        for role, one in self.processes():
            found[role] = found.get(role, 0) + one.memory_full_info().pss / 1e6
        return found

    def mails(self) -> str:
        """How many mails are due and not sent, and for how long the first of them."""
        due = (Notification.state.in_(("pending", "leased")), Notification.next_at <= utc_now())
        with self.services.database.read() as session:
            count, oldest = session.execute(
                sa.select(sa.func.count(), sa.func.min(Notification.next_at)).where(*due)
            ).one()
        return "0" if not count else f"{count} ({(utc_now() - oldest).total_seconds():.0f} s)"


def _parts(count: int, most: int) -> Iterator[int]:
    while count > 0:
        yield min(count, most)
        count -= most


def measure(house: House, acts: Sequence[Any], seconds: float) -> Cell:
    """All clients at once, each in a thread; each acts twice at least."""
    before, until = house.used(), time.perf_counter() + seconds

    def go_on(act: Any) -> list[float]:
        took = []
        while (began := time.perf_counter()) < until or len(took) < 2:
            act()
            took.append(time.perf_counter() - began)
        return took

    began = time.perf_counter()
    with ThreadPoolExecutor(len(acts)) as pool:
        took = [one for each in pool.map(go_on, acts) for one in each]
    wall = time.perf_counter() - began
    await_dispatch(house.services)
    return Cell(took, len(took) / wall, _since(before, house.used()))


def _since(before: Used, now: Used) -> dict[str, float]:
    """Seconds by role, without those of processes that have ended."""
    found: dict[str, float] = {}
    for pid, (role, seconds) in now.items():
        found[role] = found.get(role, 0) + seconds - before.get(pid, (role, 0.0))[1]
    return found


def row(house: House, tables: Sequence[PigTable], clients: int, seconds: float) -> str:
    """Rows, then moves: the clients divide the tables among themselves."""
    assert len(tables) >= clients, "each client needs a table of its own"
    rows = measure(house, [Posting(tables[0], "/v1/bench/row").work] * clients, seconds / 2)
    moves = measure(house, [Player(list(tables[number::clients])).turn for number in range(clients)], seconds)
    cuts = quantiles(moves.took, n=100)
    each = {role: 1000 * used / len(moves.took) for role, used in moves.cpu.items()}
    figures = (f"{moves.rate:.0f}", f"{1000 * cuts[49]:.0f}", f"{1000 * cuts[98]:.0f}", f"{moves.rate / rows.rate:.2f}")
    return " | ".join((*figures, house.mails(), _by_role(each, ".1f"), _by_role(house.memory(), ".0f")))


def _by_role(found: Mapping[str, float], digits: str) -> str:
    return ", ".join(f"{role} {value:{digits}}" for role, value in sorted(found.items()))


class Plan(NamedTuple):
    """What is measured."""

    store: Sequence[int]
    stored_entries: int
    web: Sequence[int]
    clients: Sequence[int]
    tables: int
    seconds: float
    title: str
    entries: int
    mail: bool


def run(plan: Plan) -> Iterator[str]:
    """The rows of the table, one by one."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url, redis = stack.enter_context(postgres.running(DURABLE)), stack.enter_context(redis_running(folder))
        relay = Relay()
        stack.callback(relay.stop)
        store, before = store_speed.opened(url), 0
        house = House(folder, url, redis, relay.url)
        for one in (store, house.services):
            stack.callback(one.database.dispose)
        for count in plan.store:
            store_speed.fill(store, before, count, plan.stored_entries)
            before = count
            for processes in plan.web:
                yield from (f"{count:,} | {processes} | {found}" for found in _of_server(house, processes, plan))


def _of_server(house: House, processes: int, plan: Plan) -> Iterator[str]:
    with (
        house.serving(processes) as address,
        house.playing(address, plan) as tables,
    ):
        for clients in plan.clients:
            yield f"{clients} | {row(house, tables, clients, plan.seconds)}"


def _numbers(_context: click.Context, _parameter: click.Parameter, value: str) -> list[int]:
    return [int(one) for one in value.split(",")]


@click.command()
@click.option("--store", default="10,1000", callback=_numbers, help="Finished games in the database, ascending.")
@click.option("--stored-entries", default=50, help="Entries of each of them.")
@click.option("--web", default="1,2", callback=_numbers, help="Processes of the web server.")
@click.option("--clients", default="1,4,16", callback=_numbers, help="Clients at once.")
@click.option("--tables", default=1000, help="Running tables.")
@click.option("--seconds", default=20.0, help="Seconds of moves for each row.")
@click.option("--title", default="pig", help="The game, such as tikal.")
@click.option("--entries", default=0, help="Entries of each game before it is measured.")
@click.option("--mail/--no-mail", default=False, help="Do the players want mails?")
def main(**given: Any) -> None:
    """Play many tables at once and print what a move costs."""
    plan = Plan(**given)
    where = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} when it began"
    click.echo(f"{plan.title}, {plan.tables} tables, {plan.seconds:.0f} s of moves a row, {where}")
    click.echo(f"| {COLUMNS} |\n|{'---|' * len(COLUMNS.split('|'))}")
    for one in run(plan):
        click.echo(f"| {one} |")


if __name__ == "__main__":
    main()
