"""A server and its SMTP sink, new for each test, on both databases."""

from __future__ import annotations

import pytest

from tests.databases import BOTH
from tests.workers.harness import Harness, Sink


@pytest.fixture
def sink():
    made = Sink()
    yield made
    made.stop()


@pytest.fixture(params=BOTH)
def database_url(request, tmp_path):
    """An empty database."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture
def house(database_url, sink):
    made = Harness(database_url, sink)
    yield made
    made.close()
