"""Bring a database to the newest version, from Python: no alembic.ini, no working directory."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command, op
from alembic.config import Config
from sqlalchemy.orm import Session

from server.kernel.db import roles, schema
from server.kernel.db.models import SchemaSupport
from server.kernel.db.session import Database


def config() -> Config:
    """Alembic's configuration of this folder."""
    made = Config()
    made.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return made


def migrate(database: Database, runs_as: str | None = None) -> None:
    """Run the missing migrations in one transaction; a current database, or a newer one, is left as it is.

    ConfigError if the database is new and cannot store every text, or too new for this version.

    `runs_as` is the PostgreSQL role of the processes, which gets its rights in the same transaction.
    """
    database.file.make()
    with database.writer.begin() as connection:
        if not database.is_sqlite:  # several hosts may start at once
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7305846)")
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
