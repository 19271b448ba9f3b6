"""Two house players at a table."""

from __future__ import annotations

import pytest

from tests.client.fake_server import FakeServer
from tests.client.players.house import Log, at_table


@pytest.fixture
def log():
    return Log()


@pytest.fixture
def seated(tmp_path, log):
    """A house with Pig for two; both seats are bots of level fair."""
    return at_table(FakeServer("pig", 2), tmp_path, log)
