"""Bring a database to the newest version, from Python: no alembic.ini, no working directory.

Processes go on meanwhile. On PostgreSQL a migration takes one table after the other and they take them in other orders,
so it gives way before PostgreSQL looks for deadlocks, which it does after a second, and begins again.
"""

from __future__ import annotations

import time
from pathlib import Path

import sqlalchemy as sa
from alembic import command, op
from alembic.config import Config
from sqlalchemy.orm import Session

from server.kernel.config import ConfigError
from server.kernel.db import roles, schema
from server.kernel.db.models import SchemaSupport
from server.kernel.db.session import Database

LONGEST_WAIT = 300  # milliseconds for one lock
PAUSE = 0.5  # seconds until it begins again
TRIES = 200
IN_USE = ("55P03", "40P01")  # lock_not_available, deadlock_detected


def config() -> Config:
    """Alembic's configuration of this folder."""
    made = Config()
    made.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return made


def migrate(database: Database, runs_as: str | None = None) -> None:
    """Run the missing migrations in one transaction; a current database, or a newer one, is left as it is.

    ConfigError if the database is new and cannot store every text, is too new for this version, or if other programs
    use one of its tables all the time.

    `runs_as` is the PostgreSQL role of the processes, which gets its rights in the same transaction.
    """
    database.file.make()
    for _ in range(TRIES):
        try:
            return _migrate(database, runs_as)
        except sa.exc.OperationalError as error:
            if getattr(error.orig, "sqlstate", None) not in IN_USE:
                raise
        time.sleep(PAUSE)
    raise ConfigError(
        "A table that has to change is in use, for example by a backup, so nothing was changed: "
        "run `sealedmove migrate` again when that has ended"
    )


def _migrate(database: Database, runs_as: str | None) -> None:
    with database.writer.begin() as connection:
        if not database.is_sqlite:  # several hosts may start at once
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7305846)")
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {LONGEST_WAIT}")
            schema.check_new(connection)
        if not _is_newer(connection):
            made = config()
            made.attributes["connection"] = connection
            command.upgrade(made, "head")
        if runs_as is not None:
            roles.grant(connection, runs_as)


def _is_newer(connection: sa.Connection) -> bool:
    """Has a later release migrated it, as before a return to this one? ConfigError if this one cannot use it."""
    with Session(connection) as session:
        found = schema.version(session)
        if found is None or found <= schema.NEWEST:
            return False
        schema.check(session)
        return True


def contract(oldest: str) -> None:
    """In a migration that takes something away: programs whose newest migration is before `oldest` cannot use it."""
    op.execute(sa.update(SchemaSupport).values(oldest=oldest))
