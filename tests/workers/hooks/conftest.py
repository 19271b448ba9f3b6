"""People with webhooks at a real HTTPS receiver, and the process's own loop driven step by step."""

from __future__ import annotations

import pytest

from tests.servers.receiver import Receiver
from tests.workers.hooks.post import Post


@pytest.fixture(scope="session")
def started_receiver(tmp_path_factory):
    with Receiver(tmp_path_factory.mktemp("receiver")) as made:
        yield made


@pytest.fixture
def receiver(started_receiver):
    started_receiver.reset()
    return started_receiver


@pytest.fixture
def database_url(request, tmp_path):
    """SQLite; PostgreSQL too for tests marked `BOTH`."""
    if getattr(request, "param", "sqlite") == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture
def post(house, receiver):
    return Post(house, receiver)
