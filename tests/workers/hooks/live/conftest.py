"""A server, and the delivering process, which tests kill."""

from __future__ import annotations

import pytest

from tests.workers.harness import Harness
from tests.workers.processes import Crew


@pytest.fixture
def house(database_url, sink, redis_url):
    made = Harness(database_url, sink, redis_url)
    yield made
    made.close()


@pytest.fixture
def crew(house, receiver, tmp_path):
    made = Crew(house, tmp_path / "crew.log")
    yield made
    made.stop()


@pytest.fixture
def start(crew, receiver):
    """Start one more process of this name; it may be given a lease and the time of a request."""
    words = [str(receiver.port), str(receiver.ca)]
    return lambda name, *more: crew.start(name, [*words, *more], module="tests.workers.hooks.process")
