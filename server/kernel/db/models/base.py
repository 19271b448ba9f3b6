"""The base of all tables: names of constraints, and the types of moments and bytes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from sqlalchemy import BigInteger, Index, Integer, LargeBinary, MetaData, String, text
from sqlalchemy.orm import DeclarativeBase, mapped_column

from server.kernel import logs
from server.kernel.db.session import UtcDateTime

NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


# 64 bits on both: in SQLite every integer has them, and only INTEGER numbers the rows of a table.
WIDE = BigInteger().with_variant(Integer, "sqlite")

# The request that a row comes from, if any: the code that stores the row need not name it. It is for logs and headers,
# so no response of the API shows it.
RequestId = Annotated[str | None, mapped_column(String(64), default=logs.request_id)]


# Without it SQLite gives the number of a deleted row to the next one, and an open request, a page or a mail that still
# means the first would mean the second. PostgreSQL gives every number once.
ONCE = {"sqlite_autoincrement": True}


def few(name: str, column: str, condition: str, on_postgresql: str | None = None) -> Index:
    """An index of the few rows of a table that fulfil a condition, which queries must repeat."""
    where: dict[str, Any] = {"sqlite_where": text(condition), "postgresql_where": text(on_postgresql or condition)}
    return Index(name, column, **where)


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {datetime: UtcDateTime, bytes: LargeBinary, int: WIDE}  # noqa: RUF012 - SQLAlchemy reads it so
