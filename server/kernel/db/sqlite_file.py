"""The file of an SQLite database: `migrate` makes it, and all connections of a process are to the first one opened.

A file that is renamed or removed while processes run stays open in them. What they wrote there would be lost with it,
or be missing in the file that has taken its place. So no connection is used until it is back.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa


class Flaw(NamedTuple):
    """Why a database cannot be used: its file is not there, or is not the one that this process has opened."""

    says: str
    is_replaced: bool


class SqliteFile:
    """The file at this path; none for a database in memory or a URI of SQLite's own."""

    def __init__(self, path: str | None) -> None:
        self._path = Path(path) if path and path != ":memory:" and not path.startswith("file:") else None
        self._first: tuple[int, int] | None = None

    def make(self) -> None:
        """Make an empty one, with its folder, unless it exists. OSError if that is not possible."""
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch()

    def watch(self, engine: sa.Engine) -> None:
        """Refuse every connection of the engine to another file, or to none."""
        sa.event.listen(engine, "do_connect", lambda *_: self._check())
        sa.event.listen(engine, "connect", lambda *_: self._note())
        sa.event.listen(engine, "checkout", lambda *_: self._check())

    def forget(self) -> None:
        """No connection is open any more: the next one may be to another file."""
        self._first = None

    @property
    def flaw(self) -> Flaw | None:
        """None if the file is in its place."""
        if self._path is None:
            return None
        try:
            found = self._found(self._path)
        except OSError as error:
            return Flaw(f"{self._path}: {error.strerror}", is_replaced=False)
        if self._first not in (None, found):
            return Flaw(f"{self._path} is another file than the one that this process has opened", is_replaced=True)
        return None

    def _note(self) -> None:
        if self._path is not None and self._first is None:
            with suppress(OSError):  # it is gone again: the check at the checkout says so
                self._first = self._found(self._path)

    def _check(self) -> None:
        if (flaw := self.flaw) is not None:
            raise sqlite3.OperationalError(flaw.says)

    @staticmethod
    def _found(path: Path) -> tuple[int, int]:
        found = path.stat()
        return found.st_dev, found.st_ino
