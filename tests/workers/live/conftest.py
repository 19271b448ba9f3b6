"""A server whose use cases wake real worker processes."""

from __future__ import annotations

import pytest

from server.kernel import breaker
from tests.kit.patience import PATIENCE
from tests.workers.harness import Harness
from tests.workers.processes import Crew


@pytest.fixture
def house(database_url, sink, redis_url, monkeypatch):
    """It waits for Redis as long as a test waits for anything: after a second's silence it would drop wake-ups."""
    monkeypatch.setitem(breaker.BRIEF, "socket_timeout", PATIENCE)
    made = Harness(database_url, sink, redis_url)
    yield made
    made.close()


@pytest.fixture
def crew(house, tmp_path):
    made = Crew(house, tmp_path / "crew.log")
    yield made
    made.stop()
