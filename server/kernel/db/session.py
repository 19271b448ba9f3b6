"""Connections and transactions on SQLite and PostgreSQL: one code path, and one writer of a game at a time.

SQLite: WAL, synchronous=FULL, and every write transaction begins with BEGIN IMMEDIATE, since a deferred one that
becomes a writer fails under load despite busy_timeout. Reads use their own engine and block nobody.
PostgreSQL: writers of one game queue at `SELECT ... FOR UPDATE` on its row.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy import DateTime, Dialect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.types import TypeDecorator

from server.kernel.errors import Problem
from server.kernel.metrics import CONNECTIONS

MOST_CONNECTIONS = 30  # of a process
KEPT_CONNECTIONS = 10  # of them stay open when nobody uses them


class TimeLimits(NamedTuple):
    """Seconds that PostgreSQL gives a statement in all, and of these to a wait for a lock; 0 for no limit."""

    statement: int
    lock: int


class Database:
    """Where the log is stored. Connects on first use; without limits for statements, as a migration needs it."""

    def __init__(self, url: str, limits: TimeLimits | None = None, connections: int = MOST_CONNECTIONS) -> None:
        self.url = make_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            self.writer, self.reader = _sqlite(self.url, "BEGIN IMMEDIATE"), _sqlite(self.url, "BEGIN")
        else:
            self.writer = self.reader = _postgresql(self.url, limits, connections)
        for engine, name in {self.reader: "read", self.writer: "write"}.items():
            _count(engine, name)
        self._write = sessionmaker(self.writer, expire_on_commit=False)
        self._read = sessionmaker(self.reader, expire_on_commit=False)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that is committed at the end of the block, or rolled back by any exception."""
        with self._write.begin() as session:
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A consistent read; nothing is written."""
        with self._read() as session:
            yield session

    def insert(self, into: Any) -> Any:
        """An INSERT with conflict handling; loads only the dialect in use."""
        dialect = importlib.import_module(f"sqlalchemy.dialects.{self.url.get_backend_name()}")
        return dialect.insert(into)

    def held(self) -> int:
        """How many connections are in use now."""
        return sum(engine.pool.checkedout() for engine in {self.writer, self.reader})  # type: ignore[attr-defined]  # of a QueuePool

    def dispose(self, *, close: bool = True) -> None:
        """Drop the pool; `close=False` in a forked child, whose parent still uses the connections."""
        self.writer.dispose(close=close)
        if self.is_sqlite:
            self.reader.dispose(close=close)


# Parameters hold openings and secrets of games: neither a log line nor an exception may print them.


def _postgresql(url: URL, limits: TimeLimits | None, connections: int) -> sa.Engine:
    patience = {"connect_timeout": 5}  # seconds for which a request waits for a connection before it is refused
    kept = min(KEPT_CONNECTIONS, connections)
    sizes = {"pool_size": kept, "max_overflow": connections - kept}
    engine = sa.create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=patience, **sizes)
    if limits is not None:
        sa.event.listen(engine, "connect", partial(_limit_postgresql, limits))
    return engine


def _sqlite(url: URL, begin: str) -> sa.Engine:
    engine = sa.create_engine(url, hide_parameters=True, pool_size=10, max_overflow=20)
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _count(engine: Any, name: str) -> None:
    """Count the connections in use. The pool is asked each time: a broken connection leaves it without an event."""

    def used(less: int = 0) -> None:
        CONNECTIONS.labels(name).set(max(0, engine.pool.checkedout() - less))

    sa.event.listen(engine, "checkout", lambda *_: used())
    sa.event.listen(engine, "checkin", lambda *_: used(less=1))  # it goes back right after the event


def _limit_postgresql(limits: TimeLimits, connection: Any, _record: object) -> None:
    """By statements: a pooler in front of the server may refuse options at the start of a connection."""
    connection.execute(f"SET statement_timeout = '{limits.statement}s'")
    connection.execute(f"SET lock_timeout = '{limits.lock}s'")
    connection.commit()


# Without recursive triggers, INSERT OR REPLACE would remove an entry and no trigger would refuse it.
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000", "recursive_triggers=ON")


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver's own BEGIN would come too late
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def database_message(error: Exception) -> str:
    """The database's own message in one line: `database or disk is full`. Without the statement and its values."""
    return str(getattr(error, "orig", None) or error).partition("\n")[0]


# --- Column types that mean the same on SQLite and PostgreSQL ---------------------------------------------------------


class Moment(TypeDecorator[datetime]):
    """An aware moment in UTC; a naive one is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a datetime must have a time zone")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


def moment_of(seconds: int) -> datetime:
    """The moment so many seconds after 1970 began: the record counts seconds, the database has moments."""
    return datetime.fromtimestamp(seconds, UTC)


# --- The requested row, locked until the transaction ends; other people's rows are not found -------------------------


Row = TypeVar("Row")


def locked(session: Session, query: sa.Select[Row]) -> Row:
    """Raise Problem `not-found` if there is none. `asked` includes whose row it must be."""
    row = session.scalar(query.with_for_update())
    if row is None:
        raise Problem("not-found")
    return row
