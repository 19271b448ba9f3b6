"""Databases of tests, new for each: what they have in common is made once in a process.

A new database begins as a copy of a migrated one: of a file on SQLite, of a template on PostgreSQL, where all
migrations take two seconds of the processor. A statement is made into SQL once for all databases of a kind, as a
server's process does it once for its own: SQLAlchemy would do it for each, a quarter of a test's time.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from server.kernel.db import migrate as db_migrate
from server.kernel.db.session import Database
from tests.servers import postgres

SQLITE = "sqlite:///"
# Parameters of fixtures and tests that take both. On PostgreSQL a law is held again (`long`), but where the database
# itself is what matters: those tests have both in every run.
BOTH = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgresql, pytest.mark.long])]
BOTH_DAILY = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]


class Compiled(dict[tuple[Any, ...], Any]):
    """SQL by its statement and the name of the dialect, instead of the engine's own dialect object."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: tuple[Any, ...], sql: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), sql)


COMPILED = Compiled()


def migrate(database: Database, url: str) -> None:
    """Bring the database of this address to the newest version."""
    for engine in (database.writer, database.reader):
        engine.update_execution_options(compiled_cache=COMPILED)
    path = Path(url.removeprefix(SQLITE))
    if not url.startswith(SQLITE):
        _migrate_postgres(database, url)
    elif path.exists():
        db_migrate.migrate(database)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_copied(), path)


def _migrate_postgres(database: Database, url: str) -> None:
    """Put a copy of the template in the place of an empty database; migrate any other."""
    cluster, _, name = url.rpartition("/")
    if name == "postgres" or _has_tables(url):  # nobody can drop the database that they are connected to
        db_migrate.migrate(database)
        return
    template = _template(cluster)
    with _connected(f"{cluster}/postgres") as admin:
        admin.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))
        postgres.create(admin, name, template)


def _has_tables(url: str) -> bool:
    with _connected(url) as connection:
        return connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public' LIMIT 1").fetchone() is not None


def _connected(url: str) -> psycopg.Connection[Any]:
    return psycopg.connect(url.replace("+psycopg", ""), autocommit=True)


@cache
def _template(cluster: str) -> str:
    """The name of a migrated database of this cluster, to which nobody is connected."""
    name = "migrated"
    with _connected(f"{cluster}/postgres") as admin:
        postgres.create(admin, name)
    database = Database(f"{cluster}/{name}")
    db_migrate.migrate(database)
    database.dispose()
    return name


@cache
def _copied() -> Path:
    path = Path(tempfile.mkdtemp()) / "migrated.db"
    atexit.register(shutil.rmtree, path.parent)
    database = Database(f"{SQLITE}{path}")
    db_migrate.migrate(database)
    database.dispose()  # the last connection writes all into the file
    return path
