"""A server and its SMTP sink, new for each test, on both databases."""

from __future__ import annotations

import pytest
import structlog
from structlog.testing import CapturingLogger

from server.kernel import quarantine
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


@pytest.fixture
def set_aside(monkeypatch):
    """The items set aside, as the errors in the operator's log name them."""
    told = CapturingLogger()
    bound = structlog.wrap_logger(told, processors=[lambda _, __, event: ((event,), {})])
    monkeypatch.setattr(quarantine, "log", bound)
    lines = lambda: [call.args[0] for call in told.calls if call.method_name == "error"]  # noqa: E731
    return lambda: [(line["loop"], line["item"], line["error"]) for line in lines()]
