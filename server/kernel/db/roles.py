"""The rights of the PostgreSQL role that runs the server: it reads and writes, but entries stay as they are.

The role that migrates owns the tables, so only that one can change them or switch their triggers off. A server
that runs under its own role cannot, whatever a fault or an intruder makes it do.
"""

from __future__ import annotations

import sqlalchemy as sa

from server.kernel.db import append_only
from server.kernel.db.models import Base, SchemaSupport, ServerKey
from server.kernel.errors import ServerError

ADDED_TO = (*append_only.TABLES, ServerKey.__tablename__)  # tables in which nothing is changed or deleted
READ = ("alembic_version", SchemaSupport.__tablename__)  # tables that only a migration changes
ALMIGHTY = sa.text("SELECT rolsuper OR pg_has_role(oid, current_user, 'MEMBER') FROM pg_roles WHERE rolname = :role")
SEQUENCE = sa.text("SELECT CASE WHEN to_regclass(:table) IS NOT NULL THEN pg_get_serial_sequence(:table, :column) END")
LACKING = (
    "SELECT name, privilege FROM unnest(CAST(:names AS text[]), CAST(:rights AS text[])) AS needed (name, privilege)"
    " WHERE NOT coalesce(has_{kind}_privilege(to_regclass(name), privilege), true)"  # true of one that does not exist
)


class RoleError(ServerError):
    """The role cannot be restricted, or does not exist."""


def grant(connection: sa.Connection, role: str) -> None:
    """Give the role exactly the rights that the server's processes need; RoleError if it would have more."""
    if connection.dialect.name == "sqlite":
        raise RoleError("SQLite has no roles: anyone who can write to the file can change everything")
    almighty = connection.scalar(ALMIGHTY, {"role": role})
    if almighty is None:
        raise RoleError(f"there is no role {role}: create it first, with CREATE ROLE {role} LOGIN")
    if almighty:
        raise RoleError(f"{role} is a superuser or may act for the owner of the tables: name another role")
    for statement in statements(connection, role):
        connection.exec_driver_sql(statement)


def statements(connection: sa.Connection, role: str) -> list[str]:
    """The SQL, which may be run again at any time."""
    name = connection.dialect.identifier_preparer.quote_identifier
    to, schema = name(role), name(str(connection.scalar(sa.text("SELECT current_schema()"))))
    made = [f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {to}", f"GRANT USAGE ON SCHEMA {schema} TO {to}"]
    for table, rights in on_tables().items():
        made += [f"REVOKE ALL ON {name(table)} FROM {to}", f"GRANT {', '.join(rights)} ON {name(table)} TO {to}"]
    numbered = on_sequences(connection).items()
    return made + [f"GRANT {', '.join(rights)} ON SEQUENCE {sequence} TO {to}" for sequence, rights in numbered]


def on_tables() -> dict[str, tuple[str, ...]]:
    """The rights that the server's processes need on each table."""
    rights: dict[str, tuple[str, ...]] = {
        table.name: ("SELECT", "INSERT", "UPDATE", "DELETE") for table in Base.metadata.sorted_tables
    }
    return rights | dict.fromkeys(ADDED_TO, ("SELECT", "INSERT")) | dict.fromkeys(READ, ("SELECT",))


def on_sequences(connection: sa.Connection) -> dict[str, tuple[str, ...]]:
    """And on each sequence that numbers the rows of one; the names are quoted."""
    keys = [column for table in Base.metadata.sorted_tables for column in table.primary_key]
    numbered = (connection.scalar(SEQUENCE, {"table": key.table.name, "column": key.name}) for key in keys)
    return {sequence: ("USAGE",) for sequence in numbered if sequence}


def lacking(connection: sa.Connection) -> dict[str, list[str]]:
    """The rights that the role of this connection needs and does not have, by table and sequence."""
    found: dict[str, list[str]] = {}
    for kind, needed in (("table", on_tables()), ("sequence", on_sequences(connection))):
        pairs = [(name, right) for name, rights in needed.items() for right in rights]
        given = {"names": [name for name, _ in pairs], "rights": [right for _, right in pairs]}
        for name, right in connection.execute(sa.text(LACKING.format(kind=kind)), given):
            found.setdefault(name, []).append(right)
    return found
