"""Databases of tests, new for each: what they have in common is made once in a process.

A new SQLite file begins as a copy of one that was migrated before. A statement is made into SQL once for all databases
of a kind, as a server's process does it once for its own: SQLAlchemy would do it for each, a quarter of a test's time.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from server.kernel.db import migrate as db_migrate
from server.kernel.db.session import Database

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
    if not url.startswith(SQLITE) or path.exists():
        db_migrate.migrate(database)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_copied(), path)


@cache
def _copied() -> Path:
    path = Path(tempfile.mkdtemp()) / "migrated.db"
    atexit.register(shutil.rmtree, path.parent)
    database = Database(f"{SQLITE}{path}")
    db_migrate.migrate(database)
    database.dispose()  # the last connection writes all into the file
    return path
