"""Connections and transactions on SQLite and PostgreSQL: one code path, and one writer of a game at a time.

SQLite: WAL, synchronous=FULL, and every write transaction begins with BEGIN IMMEDIATE, since a deferred one that
becomes a writer fails under load despite busy_timeout. Reads use their own engine and block nobody.
PostgreSQL: writers of one game queue at `SELECT ... FOR UPDATE` on its row.
"""

from __future__ import annotations

import importlib
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy import DateTime, Dialect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.types import TypeDecorator

from server.kernel.db.sqlite_file import SqliteFile
from server.kernel.errors import Problem
from server.kernel.metrics import CONNECTIONS

MOST_CONNECTIONS = 30  # of a process
KEPT_CONNECTIONS = 10  # of them stay open when nobody uses them


# A host that vanishes says nothing: the other end finds out within a minute, not within the two hours of the system.
KEEPALIVE = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000}


class TimeLimits(NamedTuple):
    """Seconds that PostgreSQL gives a statement in all, of these to a wait for a lock, and between statements.

    0 for no limit.
    """

    statement: int
    lock: int
    idle: int = 300  # in a transaction that neither goes on nor ends: its process may hang, or its host be gone


class Database:
    """Where the log is stored. Connects on first use; without limits for statements, as a migration needs it."""

    def __init__(self, url: str, limits: TimeLimits | None = None, connections: int = MOST_CONNECTIONS) -> None:
        self.url = make_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.file = SqliteFile(self.url.database if self.is_sqlite else None)
        if self.is_sqlite:
            self.writer, self.reader = _sqlite(self.url, "BEGIN IMMEDIATE"), _sqlite(self.url, "BEGIN")
        else:
            self.writer = self.reader = _postgresql(self.url, limits, connections)
        for engine, name in {self.reader: "read", self.writer: "write"}.items():
            self.file.watch(engine)
            _count(engine, name)
        self._write = sessionmaker(self.writer, expire_on_commit=False)
        self._read = sessionmaker(self.reader, expire_on_commit=False)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that is committed at the end of the block, or rolled back by any exception.

        Not on `transaction`, which begins at once: SQLite's one writer would hold its lock from the beginning of the
        block, not from its first statement, and each small write would need a twentieth more processor time.
        """
        with self._write.begin() as session:
            yield session

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """The same without a session, unless one is asked for."""
        with self.writer.begin() as connection, closing(Transaction(connection)) as transaction:
            yield transaction
            transaction.flush()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A consistent read; nothing is written."""
        with self._read() as session:
            yield session

    @contextmanager
    def look(self) -> Iterator[sa.Connection]:
        """The same for prepared statements, without a session."""
        with self.reader.connect() as connection:
            yield connection

    def insert(self, into: Any) -> Any:
        """An INSERT with conflict handling; loads only the dialect in use."""
        dialect = importlib.import_module(f"sqlalchemy.dialects.{self.url.get_backend_name()}")
        return dialect.insert(into)

    def time(self, session: Session) -> datetime | None:
        """The time by PostgreSQL's clock; None on SQLite, which has no clock but that of its machine."""
        return None if self.is_sqlite else session.scalar(sa.select(sa.func.clock_timestamp()))

    def held(self) -> int:
        """How many connections are in use now."""
        return sum(engine.pool.checkedout() for engine in {self.writer, self.reader})  # type: ignore[attr-defined]  # of a QueuePool

    def dispose(self, *, close: bool = True) -> None:
        """Drop the pool; `close=False` in a forked child, whose parent still uses the connections."""
        self.writer.dispose(close=close)
        if self.is_sqlite:
            self.reader.dispose(close=close)
            self.file.forget()


class Transaction:
    """A write transaction. Most entries are written by prepared statements alone: a session would double its price."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection

    def connection(self) -> sa.Connection:
        return self._connection

    @cached_property
    def session(self) -> Session:
        """A session within the transaction, which ends with it."""
        return Session(self._connection, expire_on_commit=False, join_transaction_mode="rollback_only")

    def flush(self) -> None:
        """Write what the session, if there is one, has not yet written."""
        if "session" in vars(self):
            self.session.flush()

    def close(self) -> None:
        """Give up the session; the transaction is not its own."""
        if "session" in vars(self):
            self.session.close()


# Parameters hold openings and secrets of games: neither a log line nor an exception may print them.


def _postgresql(url: URL, limits: TimeLimits | None, connections: int) -> sa.Engine:
    words = {"client_encoding": "utf8", "connect_timeout": 5, **KEEPALIVE}  # 5 s, then a request is refused
    kept = min(KEPT_CONNECTIONS, connections)
    sizes = {"pool_size": kept, "max_overflow": connections - kept}
    engine = sa.create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=words, **sizes)
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
    gauge = CONNECTIONS.labels(name)

    def used(less: int = 0) -> None:
        gauge.set(max(0, engine.pool.checkedout() - less))

    sa.event.listen(engine, "checkout", lambda *_: used())
    sa.event.listen(engine, "checkin", lambda *_: used(less=1))  # it goes back right after the event


def _limit_postgresql(limits: TimeLimits, connection: Any, _record: object) -> None:
    """By statements: a pooler in front of the server may refuse options at the start of a connection."""
    connection.execute(f"SET statement_timeout = '{limits.statement}s'")
    connection.execute(f"SET lock_timeout = '{limits.lock}s'")
    connection.execute(f"SET idle_in_transaction_session_timeout = '{limits.idle}s'")
    for name in ("idle", "interval", "count"):
        connection.execute(f"SET tcp_keepalives_{name} = {KEEPALIVE[f'keepalives_{name}']}")
    connection.commit()


# Without recursive triggers, INSERT OR REPLACE would remove an entry and no trigger would refuse it. A move writes some
# twenty pages, and a checkpoint writes them all once more: at the default of 1,000 pages every fifty moves.
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=30000",
    "recursive_triggers=ON",
    "wal_autocheckpoint=4000",
)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver's own BEGIN would come too late
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def database_message(error: Exception) -> str:
    """The database's own message in one line: `database or disk is full`. Without the statement and its values."""
    return str(getattr(error, "orig", None) or error).partition("\n")[0]


# --- Column types that mean the same on SQLite and PostgreSQL ---------------------------------------------------------


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment in UTC; a naive one is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], Any]:
        return _for_sqlite if dialect.name == "sqlite" else _in_utc

    def result_processor(self, dialect: Dialect, _coltype: object) -> Callable[[Any], datetime | None]:
        return _of_sqlite if dialect.name == "sqlite" else _in_utc


def _in_utc(value: datetime | None) -> datetime | None:
    return None if value is None else _utc(value)


def _for_sqlite(value: datetime | None) -> str | None:
    """As SQLAlchemy writes it: `2026-11-21 10:00:00.000000`, in UTC."""
    return None if value is None else _utc(value).isoformat(" ", "microseconds")[:26]


def _utc(value: datetime) -> datetime:
    if value.tzinfo is UTC:
        return value
    if value.tzinfo is None:
        raise ValueError("a datetime must have a time zone")
    return value.astimezone(UTC)


def _of_sqlite(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value).replace(tzinfo=UTC)


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


# --- Statements of every move and every look, compiled once and given to the driver directly -------------------------
# SQLAlchemy needs several times as long to run a compiled statement as SQLite does. A prepared one keeps its text, the
# order of its parameters and the conversions of its types for each kind of database. Listeners of the engine hear of
# it, and a driver's error becomes SQLAlchemy's own, as with any other statement.


Values = Mapping[str, Any]
Convert = Callable[[Any], Any] | None


class Prepared:
    """A statement with named parameters.

    `columns` are those that an INSERT sets; none has a default of its own. The rows get the properties of `kind`.
    """

    def __init__(self, statement: Any, columns: Sequence[str] | None = None, kind: type | None = None) -> None:
        self.statement, self.columns, self.kind = statement, columns, kind
        self._compiled: dict[str, Compiled] = {}

    def all(self, connection: sa.Connection, values: Values) -> list[Any]:
        """Every row, as a named tuple."""
        compiled = self._for(connection)
        cursor = compiled.execute(connection, compiled.parameters(values))
        found = cursor.fetchall()
        cursor.close()
        return [compiled.row(one) for one in found]

    def one_or_none(self, connection: sa.Connection, values: Values) -> Any | None:
        """The only row; None if there is none."""
        found = self.all(connection, values)
        assert len(found) <= 1
        return found[0] if found else None

    def run(self, connection: sa.Connection, values: Values) -> int:
        """How many rows it changed."""
        compiled = self._for(connection)
        cursor = compiled.execute(connection, compiled.parameters(values))
        changed: int = cursor.rowcount
        cursor.close()
        return changed

    def run_each(self, connection: sa.Connection, rows: Sequence[Values]) -> None:
        """Run it with the values of each row."""
        compiled = self._for(connection)
        compiled.execute(connection, [compiled.parameters(one) for one in rows], many=True).close()

    def _for(self, connection: sa.Connection) -> Compiled:
        dialect = connection.dialect
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = Compiled(self, dialect)
        return found


class Compiled:
    """The same for one kind of database."""

    def __init__(self, prepared: Prepared, dialect: sa.Dialect) -> None:
        compiled = prepared.statement.compile(dialect=dialect, column_keys=prepared.columns)
        self.text: str = compiled.string
        self._constants: dict[str, Any] = compiled.params
        self._is_positional: bool = compiled.positional
        names = compiled.positiontup if compiled.positional else dict.fromkeys(compiled.bind_names.values())
        self._parameters = [(name, _bind(compiled.binds[name].type, dialect)) for name in names]
        returned = list(prepared.statement.exported_columns)
        self._named = _row_type([one.key for one in returned], prepared.kind)
        converted = enumerate(_result(one.type, dialect) for one in returned)
        self._converted = [(at, convert) for at, convert in converted if convert is not None]

    def parameters(self, values: Values) -> Any:
        """As the driver takes them: in order, or by name."""
        given = self._constants | values  # type: ignore[operator]  # a mapping of any kind
        if self._is_positional:
            return [given[name] if bind is None else bind(given[name]) for name, bind in self._parameters]
        return {name: given[name] if bind is None else bind(given[name]) for name, bind in self._parameters}

    def row(self, found: Sequence[Any]) -> Any:
        """The driver's row with its values converted."""
        if not self._converted:
            return self._named(found)
        row = list(found)
        for at, convert in self._converted:
            row[at] = convert(row[at])
        return self._named(row)

    def execute(self, connection: sa.Connection, parameters: Any, *, many: bool = False) -> Any:
        """A cursor of the driver that has run it."""
        about = (self.text, parameters, None, many)
        driver = connection.connection
        cursor = driver.cursor()
        heard = connection.engine.dispatch
        for hear in heard.before_cursor_execute:
            hear(connection, cursor, *about)
        try:
            (cursor.executemany if many else cursor.execute)(self.text, parameters)
        except connection.dialect.loaded_dbapi.Error as error:
            raise _translated(connection, driver, cursor, error, self.text) from error
        for hear in heard.after_cursor_execute:
            hear(connection, cursor, *about)
        return cursor


def _row_type(names: Sequence[str], kind: type | None) -> Callable[[Sequence[Any]], Any]:
    made = namedtuple("Row", names, rename=True)  # type: ignore[misc]  # noqa: PYI024 - the names come from a statement
    found: Any = made if kind is None else type("Row", (kind, made), {})
    make: Callable[[Sequence[Any]], Any] = found._make
    return make


def _bind(kind: Any, dialect: sa.Dialect) -> Convert:
    found: Convert = kind.dialect_impl(dialect).bind_processor(dialect)
    return found


def _result(kind: Any, dialect: sa.Dialect) -> Convert:
    found: Convert = kind.dialect_impl(dialect).result_processor(dialect, None)
    return found


def _translated(connection: sa.Connection, driver: Any, cursor: Any, error: Any, text: str) -> DBAPIError:
    """SQLAlchemy's error for the driver's, without values; a connection that is lost is used no more."""
    dialect: Any = connection.dialect
    is_lost = dialect.is_disconnect(error, driver, cursor)
    about: Any = {"connection_invalidated": is_lost, "hide_parameters": True, "dialect": dialect}
    found: Any = DBAPIError.instance(text, None, error, dialect.loaded_dbapi.Error, **about)
    if is_lost:
        connection.invalidate(error)
    else:
        cursor.close()
    translated: DBAPIError = found
    return translated
