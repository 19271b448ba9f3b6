"""A house and its SMTP sink, new for each test."""

from __future__ import annotations

import pytest

from tests.workers.house import House, Sink


@pytest.fixture
def sink():
    made = Sink()
    yield made
    made.stop()


@pytest.fixture
def house(tmp_path, sink):
    made = House(tmp_path, sink)
    yield made
    made.close()
