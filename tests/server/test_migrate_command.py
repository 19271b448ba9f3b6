"""`sealedmove migrate` as a process that has to wait, and is interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from sqlalchemy.engine import make_url

from server.kernel.db import migrate
from server.kernel.db.session import Database
from server.operate import migrate_command
from tests.kit.patience import PATIENCE
from tests.server.harness import sqlite_url

NOTHING = "Error: interrupted, nothing was changed\n"
DOUBT = "Error: interrupted at the end: run it again to see whether it was done\n"


@contextmanager
def migrating(url: str) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own, which mentions a wait soon."""
    program = (
        f"from {migrate_command.__name__} import *; import {migrate_command.__name__} as c; c.PATIENCE = .1; migrate()"
    )
    words = [sys.executable, "-c", program]
    environment = os.environ | {"DATABASE_URL": url}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.postgresql
def test_a_migration_names_the_connections_that_it_waits_for_and_changes_nothing_until_then(postgres_url: str):
    """Once; interrupted meanwhile, it says so."""
    with psycopg.connect(str(make_url(postgres_url).set(drivername="postgresql"))) as other:
        other.execute("SELECT pg_advisory_xact_lock(7305846)")
        with migrating(postgres_url) as process:
            assert process.stderr is not None
            assert process.stderr.readline() == (
                f"Waiting for locks of other connections: pid {other.info.backend_pid} (sealedmove).\n"
            )
            assert process.stderr.readline()  # `communicate` would lose what is buffered here
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=PATIENCE)[1] == f"\n{NOTHING}"
        assert process.returncode == 1
        assert other.execute("SELECT to_regclass('alembic_version')").fetchone() == (None,)


@pytest.mark.parametrize(("place", "says"), [("upgrade", NOTHING), ("do_commit", DOUBT)])
def test_an_interrupted_migration_says_what_is_left(tmp_path: Path, monkeypatch, place: str, says: str):
    """Only a commit can be in doubt."""
    database = Database(sqlite_url(tmp_path))
    monkeypatch.setattr(migrate_command.startup, "database_alone", lambda: database)
    monkeypatch.setattr(migrate.command if place == "upgrade" else database.writer.dialect, place, interrupted)
    done = CliRunner().invoke(migrate_command.migrate)
    assert (done.exit_code, done.stderr) == (1, f"\n{says}")


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt
