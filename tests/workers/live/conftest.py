"""A server whose use cases wake real worker processes."""

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
def crew(house, tmp_path):
    made = Crew(house, tmp_path / "crew.log")
    yield made
    made.stop()
