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
SEQUENCE = sa.text("SELECT pg_get_serial_sequence(:table, :column)")


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
    rights = {table.name: "SELECT, INSERT, UPDATE, DELETE" for table in Base.metadata.sorted_tables}
    rights |= dict.fromkeys(ADDED_TO, "SELECT, INSERT") | dict.fromkeys(READ, "SELECT")
    for table, allowed in rights.items():
        made += [f"REVOKE ALL ON {name(table)} FROM {to}", f"GRANT {allowed} ON {name(table)} TO {to}"]
    keys = [column for table in Base.metadata.sorted_tables for column in table.primary_key]
    numbered = (connection.scalar(SEQUENCE, {"table": name(key.table.name), "column": key.name}) for key in keys)
    return made + [f"GRANT USAGE ON SEQUENCE {sequence} TO {to}" for sequence in numbered if sequence]
