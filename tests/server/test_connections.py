"""A process opens no more connections to PostgreSQL than its settings allow."""

from __future__ import annotations

import threading
from contextlib import ExitStack

import pytest
import sqlalchemy as sa

from server.kernel import config
from server.kernel.config import ConfigError
from server.kernel.db.session import Database
from tests.kit.patience import PATIENCE

pytestmark = pytest.mark.postgresql
MOST = 4


def test_a_thread_waits_for_a_connection_when_all_are_in_use(postgres_url: str):
    database = Database(postgres_url, None, MOST)
    done = threading.Event()

    def read() -> None:
        with database.read() as session:
            session.execute(sa.text("SELECT 1"))
        done.set()

    with ExitStack() as held:
        for _ in range(MOST):
            held.enter_context(database.read()).execute(sa.text("SELECT 1"))
        waiting = threading.Thread(target=read)
        waiting.start()
        assert not done.wait(0.2)
        assert database.held() == MOST
    assert done.wait(PATIENCE)
    waiting.join()
    database.dispose()


@pytest.mark.parametrize("given", ["0", "3"])
def test_too_few_connections_are_refused(given: str):
    with pytest.raises(ConfigError, match=f"DATABASE_CONNECTIONS is {given}: it must be at least 4"):
        config.settings({"SEALEDMOVE_MASTER": "0" * 64, "DATABASE_CONNECTIONS": given})
