"""Which tables of a database have been written, so that nothing is read again that cannot have changed."""

from __future__ import annotations

import re
from collections import Counter

import sqlalchemy as sa

from server.kernel.db.session import Database

WRITES = re.compile(r"(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) (\w+)")


class Written:
    """Counts the statements that write each table, committed or not."""

    def __init__(self, database: Database) -> None:
        self._times: Counter[str] = Counter()
        sa.event.listen(database.writer, "after_cursor_execute", self._note)

    def _note(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        if (found := WRITES.match(statement)) is not None:
            self._times[found[1]] += 1

    def times(self, *tables: str) -> int:
        """How often one of these was written; the same number means that they are the same as before."""
        return sum(self._times[name] for name in tables)
