"""Statements of every move and every look: compiled once, then given to the driver directly.

SQLAlchemy needs several times as long to run a compiled statement as the database does. Here a statement keeps its
text, the order of its parameters and the conversions of its types for each kind of database. Listeners of the engine
hear of it, and a driver's error becomes SQLAlchemy's own, as with any other statement.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

Values = Mapping[str, Any]
Convert = Callable[[Any], Any] | None


class Prepared:
    """A statement with named parameters. `columns` are those that an INSERT sets; none has a default of its own."""

    def __init__(self, statement: Any, columns: Sequence[str] | None = None) -> None:
        self._statement, self._columns = statement, columns
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
            found = self._compiled[dialect.name] = Compiled(self._statement, self._columns, dialect)
        return found


class Compiled:
    """The same for one kind of database."""

    def __init__(self, statement: Any, columns: Sequence[str] | None, dialect: sa.Dialect) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=columns)
        self.text: str = compiled.string
        self._constants: dict[str, Any] = compiled.params
        self._is_positional: bool = compiled.positional
        names = compiled.positiontup if compiled.positional else dict.fromkeys(compiled.bind_names.values())
        self._parameters = [(name, _bind(compiled.binds[name].type, dialect)) for name in names]
        returned = list(statement.exported_columns)
        self._row: Any = namedtuple("Row", [one.key for one in returned], rename=True)  # noqa: PYI024 - not known before
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
            return self._row._make(found)
        row = list(found)
        for at, convert in self._converted:
            row[at] = convert(row[at])
        return self._row._make(row)

    def execute(self, connection: sa.Connection, parameters: Any, *, many: bool = False) -> Any:
        """A cursor of the driver that has run it."""
        about = (self.text, parameters, None, many)
        driver = connection.connection
        cursor = driver.cursor()
        for hear in connection.dispatch.before_cursor_execute:
            hear(connection, cursor, *about)
        try:
            (cursor.executemany if many else cursor.execute)(self.text, parameters)
        except connection.dialect.loaded_dbapi.Error as error:
            raise _translated(connection, driver, cursor, error, self.text) from error
        for hear in connection.dispatch.after_cursor_execute:
            hear(connection, cursor, *about)
        return cursor


def _bind(kind: Any, dialect: sa.Dialect) -> Convert:
    found: Convert = kind.dialect_impl(dialect).bind_processor(dialect)
    return found


def _result(kind: Any, dialect: sa.Dialect) -> Convert:
    found: Convert = kind.dialect_impl(dialect).result_processor(dialect, None)
    return found


def _translated(connection: sa.Connection, driver: Any, cursor: Any, error: Exception, text: str) -> BaseException:
    """SQLAlchemy's error for the driver's, without values; a connection that is lost is used no more."""
    dialect = connection.dialect
    is_lost = dialect.is_disconnect(error, driver, cursor)
    kinds = {"connection_invalidated": is_lost, "hide_parameters": True, "dialect": dialect}
    found = DBAPIError.instance(text, None, error, dialect.loaded_dbapi.Error, **kinds)
    if is_lost:
        connection.invalidate(error)
    else:
        cursor.close()
    return found
