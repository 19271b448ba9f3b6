"""The table of metrics in docs/operate.md, made from the code; `python -m tests.docs.metrics --write` writes it."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple
from unittest import mock

from prometheus_client.metrics import MetricWrapperBase

import client.players.metrics
import server.kernel.metrics
import workers.clock
import workers.hooks.metrics
import workers.push.metrics
import workers.supervisor
from server.kernel import streams
from server.kernel.config import Settings
from server.kernel.services import open_services
from server.operate.process_metrics import ProcessCollector
from server.operate.row_metrics import Rows
from tests import databases
from workers.streams.metrics import StreamCounts

PAGE = Path(__file__).parents[2] / "docs/operate.md"
TABLE = re.compile(r"(?<=\| metric \| process \| meaning \|\n\|---\|---\|---\|\n)(?:\|.*\n)+")
ALL_BUT_PLAYERS = "all but `players`"
WRITERS = "`web`, `worker`, `clock`"
# The processes that count a metric whose code several share; every other metric belongs to one process, or to all.
SHARED = {
    "sealedmove_requests_total": "`web`",
    "sealedmove_request_seconds": "`web`",
    "sealedmove_slow_requests_total": "`web`",
    "sealedmove_entries_total": WRITERS,
    "sealedmove_engine_faults_total": WRITERS,
    "sealedmove_forks_total": "`web`",
    "sealedmove_lines_missing_total": "`web`",
    "sealedmove_lines_taken_total": "`web`",
    "sealedmove_inbound_mails_total": "`web`, `inbound`",
    "sealedmove_redis_away_total": ALL_BUT_PLAYERS,
    "sealedmove_wakes_failed_total": ALL_BUT_PLAYERS,
    "sealedmove_database_connections": ALL_BUT_PLAYERS,
}
ELSEWHERE = {"sealedmove_queue_jobs": "`web`, from Redis", "sealedmove_build_info": "all"}


class Described(NamedTuple):
    """A metric as Prometheus sees it."""

    name: str
    labels: tuple[str, ...]
    process: str
    meaning: str


@cache
def described() -> list[Described]:
    """Every metric of every process, once, in the order of the table."""
    found = {one.name: one for one in _all()}
    return [found[name] for name in sorted(found, key=lambda name: (found[name].process, name))]


def _all() -> Iterator[Described]:
    modules = {client.players.metrics: "`players`", workers.hooks.metrics: "`hooks`", workers.push.metrics: "`hooks`"}
    for module, process in modules.items():
        yield from _of(_in(module), process)
    yield from _of([workers.clock.ROUND], "`clock`")
    yield from _of([workers.supervisor.RESTARTS], "each of `sealedmove house`")
    yield from _of(_in(server.kernel.metrics), "")
    with tempfile.TemporaryDirectory() as folder:
        yield from _of(_collected(Path(folder)), "`web`, from the rows")
    counted = SimpleNamespace(open={}, ended={}, sent=0)
    with mock.patch.object(streams, "numbers", return_value=counted):
        yield from _of(StreamCounts(Path()).collect(), "`events`")
    yield from _of(ProcessCollector(_settings(Path())).collect(), ALL_BUT_PLAYERS)


def _in(module: ModuleType) -> list[Any]:
    return [value for value in vars(module).values() if isinstance(value, MetricWrapperBase)]


def _of(families: Iterable[Any], process: str) -> Iterator[Described]:
    for one in families:
        of_library = isinstance(one, MetricWrapperBase)
        bare, says = (one._name, one._documentation) if of_library else (one.name, one.documentation)
        kind = one._type if of_library else one.type
        name = f"{bare}_total" if kind == "counter" else bare
        whose = SHARED[name] if not process else ELSEWHERE.get(name, process)
        yield Described(name, tuple(one._labelnames), whose, says)


def _settings(folder: Path) -> Settings:
    url = f"sqlite:///{folder / 'some.db'}"
    public = "http://127.0.0.1:8000"
    return Settings(master=bytes(32), database_url=url, public_url=public, data_dir=folder, certificate_file=folder)


def _collected(folder: Path) -> list[Any]:
    services = open_services(_settings(folder))
    databases.migrate(services.database, services.settings.database_url)
    with mock.patch.object(services.waker, "jobs", return_value={"waiting": 0, "failed": 0}):
        found = list(Rows(services).collect())
    services.database.dispose()
    return found


def table() -> str:
    """The rows, as the page has them."""
    labelled = [(one, "{" + ",".join(one.labels) + "}" if one.labels else "") for one in described()]
    return "".join(f"| `{one.name}{labels}` | {one.process} | {_said(one)} |\n" for one, labels in labelled)


def _said(one: Described) -> str:
    return (one.meaning[0].lower() + one.meaning[1:]).removesuffix(".")


if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    if "--write" in sys.argv:
        PAGE.write_text(TABLE.sub(lambda _: table(), text, count=1), "utf-8")
    else:
        sys.stdout.write(table())
