"""A server for each test, on SQLite, or on both databases if the test requests `any_hall`."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.http import long_poll
from tests.databases import BOTH, BOTH_DAILY
from tests.server import promised
from tests.server.harness import Harness, Player, harness, sqlite_url
from tests.servers import postgres


@pytest.fixture(autouse=True)
def _every_answer_is_promised() -> Iterator[None]:
    """Fail the test if an answer breaks the document."""
    yield
    broken = list(dict.fromkeys(promised.BROKEN))
    promised.BROKEN.clear()
    assert broken == []


@pytest.fixture
def open_house() -> Iterator[Callable[..., Harness]]:
    """Open servers with the settings of the test, and close them after it."""
    opened: list[Harness] = []

    def make(url: str, **chosen: object) -> Harness:
        opened.append(harness(url, **chosen))
        return opened[-1]

    yield make
    held = [made.services.database.held() for made in opened]
    for made in opened:
        made.close()
    assert held == [0] * len(opened), "a look at the database was never ended"


class Waits:
    """A held request polls again and again without time passing; `meanwhile` runs between two polls."""

    def __init__(self) -> None:
        self.looks, self.meanwhile = 0, list[Callable[[], object]]()

    def monotonic(self) -> float:
        return 0.0

    def sleep(self, _seconds: float) -> None:
        assert self.meanwhile, "nothing more happens, and it waits"
        self.looks += 1
        self.meanwhile.pop(0)()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Waits:
    """Held requests without a clock and without threads."""
    made = Waits()
    monkeypatch.setattr(long_poll, "time", made)
    return made


@pytest.fixture
def hall(tmp_path: Path, open_house: Callable[..., Harness]) -> Harness:
    return open_house(sqlite_url(tmp_path))


@pytest.fixture(params=BOTH)
def any_hall(request: pytest.FixtureRequest, tmp_path: Path, open_house: Callable[..., Harness]) -> Harness:
    """On either database; the laws are the same."""
    return on(request, tmp_path, open_house)


@pytest.fixture(params=BOTH_DAILY)
def each_hall(request: pytest.FixtureRequest, tmp_path: Path, open_house: Callable[..., Harness]) -> Harness:
    """On both databases in every run, for laws that the database itself must keep."""
    return on(request, tmp_path, open_house)


def on(request: pytest.FixtureRequest, tmp_path: Path, open_house: Callable[..., Harness]) -> Harness:
    url = sqlite_url(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    return open_house(url)


@pytest.fixture
def two(hall: Harness) -> list[Player]:
    return [hall.player(number) for number in range(2)]


@pytest.fixture
def link(hall: Harness) -> str:
    """A sign-in link that Ada requested with a program, which gave a name."""
    hall.client.post("/v1/login", json={"email": "Ada@example.org", "name": "Ada"})
    return f"/login/{hall.link('ada@example.org')}"


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty database, with the programs of its server in the path."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    monkeypatch.setenv("PATH", f"{postgres.installed()}:{os.environ['PATH']}")
    if not (postgres.installed() / "pg_dump").exists():
        pytest.skip("this PostgreSQL has no pg_dump")
    return str(request.getfixturevalue("postgres_url"))
