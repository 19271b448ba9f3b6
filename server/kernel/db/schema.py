"""The versions of the database's schema with which this code works: the numbers of the migrations.

A newer schema will do if `schema_support` says so. Migrations first add: a table, a column that may be null or has a
default, an index. Processes of the release before go on meanwhile. Whatever only they need is taken away by a later
release, whose migration says so with `migrate.contract`.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.config import ConfigError
from server.kernel.db.models import SchemaSupport

OLDEST = "0017"  # raise it with the first code that needs a later migration
NEWEST = max(path.name.partition("_")[0] for path in (Path(__file__).parent / "migrations/versions").glob("0*.py"))
ELSEWHERE = sa.text(
    "SELECT nspname AS name, has_schema_privilege(pg_namespace.oid, 'USAGE') AS usable,"
    " pg_table_is_visible(pg_class.oid) AS visible"
    " FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
    " WHERE relname = :table AND relkind = 'r' ORDER BY visible DESC, usable DESC, name"
).bindparams(table=SchemaSupport.__tablename__)


def check(session: Session) -> None:
    """ConfigError, with the remedy, if the database has another schema than this code expects."""
    found = version(session)
    if found is None:
        raise ConfigError(_hidden(session) or "The database has no tables yet: run `sealedmove migrate`")
    if found < OLDEST:
        raise ConfigError(
            f"The database has schema {found}, but this version of the program needs {OLDEST}: run `sealedmove migrate`"
        )
    if found > NEWEST and not _is_supported(session):
        raise ConfigError(
            f"The database has schema {found}, but this version of the program ends at {NEWEST}: "
            "start the version that migrated the database"
        )


def _hidden(session: Session) -> str | None:
    """PostgreSQL: tables that this role does not see do not exist for it; None if no schema has any."""
    connection = session.connection()
    found = None if connection.dialect.name == "sqlite" else connection.execute(ELSEWHERE).first()
    if found is None or found.visible:
        return None
    if not found.usable:
        return (
            f"The tables are in the schema {found.name}, which the role of this process may not use: "
            "as the owner of the schema, grant it USAGE"
        )
    return (
        f"The tables are in the schema {found.name}, which the role of this process does not search: "
        "add it to its search_path, or run `sealedmove migrate` for tables of its own"
    )


def check_new(connection: sa.Connection) -> None:
    """ConfigError if this PostgreSQL database is still empty and cannot store every text."""
    found = connection.scalar(sa.text("SHOW server_encoding"))
    if found != "UTF8" and not sa.inspect(connection).has_table("alembic_version"):
        raise ConfigError(
            f"The database has the encoding {found}, which cannot store every name. "
            "Create it again with ENCODING 'UTF8' TEMPLATE template0"
        )


def _is_supported(session: Session) -> bool:
    if not sa.inspect(session.connection()).has_table("schema_support"):
        return False
    oldest = session.scalar(sa.select(SchemaSupport.oldest))
    return oldest is not None and oldest <= NEWEST


def version(session: Session) -> str | None:
    """The number of the last migration; None before the first one."""
    if not sa.inspect(session.connection()).has_table("alembic_version"):
        return None
    found: str | None = session.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return found
