"""Bring a database to the newest version, from Python: no alembic.ini, no working directory."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command, op
from alembic.config import Config

from server.kernel.db import roles, schema
from server.kernel.db.models import SchemaSupport
from server.kernel.db.session import Database


def config() -> Config:
    """Alembic's configuration of this folder."""
    made = Config()
    made.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return made


def migrate(database: Database, runs_as: str | None = None) -> None:
    """Run the missing migrations in one transaction; a current database is left as it is.

    ConfigError if the database is new and cannot store every text.

    `runs_as` is the PostgreSQL role of the processes, which gets its rights in the same transaction.
    """
    if database.is_sqlite and database.url.database:
        Path(database.url.database).parent.mkdir(parents=True, exist_ok=True)
    with database.writer.begin() as connection:
        if not database.is_sqlite:  # several hosts may start at once
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7305846)")
            schema.check_new(connection)
        made = config()
        made.attributes["connection"] = connection
        command.upgrade(made, "head")
        if runs_as is not None:
            roles.grant(connection, runs_as)


def contract(oldest: str) -> None:
    """In a migration that takes something away: programs whose newest migration is before `oldest` cannot use it."""
    op.execute(sa.update(SchemaSupport).values(oldest=oldest))
