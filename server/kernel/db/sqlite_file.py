"""The file of an SQLite database: all connections of a process are to the one that it opened first.

A file that is renamed or removed while processes run stays open in them, and goes on. But a new connection would make
an empty file in its place, or open the one that somebody has put there: half of what is accepted would go into each.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import sqlalchemy as sa

OTHER = "another file is in the place of the one that this process has opened"


class SqliteFile:
    """The file at this path; none for a database in memory."""

    def __init__(self, path: str | None) -> None:
        self._path = Path(path) if path and path != ":memory:" else None
        self._first: tuple[int, int] | None = None

    def watch(self, engine: sa.Engine) -> None:
        """Refuse every connection of the engine to another file."""
        sa.event.listen(engine, "do_connect", lambda *_: self._check_place())
        sa.event.listen(engine, "connect", lambda *_: self._note())
        sa.event.listen(engine, "checkout", lambda *_: self._check())

    def forget(self) -> None:
        """No connection is open any more: the next one may be to another file."""
        self._first = None

    @property
    def is_replaced(self) -> bool:
        """Is there another file in its place? What is open goes on, but nobody else sees what is written there."""
        found = self._found()
        return None not in (self._first, found) and found != self._first

    def _note(self) -> None:
        if self._first is None:
            self._first = self._found()

    def _check(self) -> None:
        if self.is_replaced:
            raise sqlite3.OperationalError(OTHER)

    def _check_place(self) -> None:
        self._check()
        if self._first is not None and self._found() is None:
            raise sqlite3.OperationalError(f"{self._path} is not in its place")

    def _found(self) -> tuple[int, int] | None:
        if self._path is None:
            return None
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino
