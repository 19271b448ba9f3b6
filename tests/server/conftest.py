"""A server for each test: on SQLite, or on both back ends where the test asks for `any_house`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.house import House, Player, house, sqlite_url


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[House]:
    made = house(sqlite_url(tmp_path))
    yield made
    made.services.database.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def any_hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """The same laws hold on every back end."""
    url = sqlite_url(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    made = house(url)
    yield made
    made.services.database.dispose()


@pytest.fixture
def two(hall: House) -> list[Player]:
    return [hall.player(number) for number in range(2)]
