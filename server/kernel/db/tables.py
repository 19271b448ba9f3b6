"""Tables in memory: the folded log of a game, cached by its head, dropped at any time.

The store is the source. A cached table counts only if its head is the game row's or an earlier entry of the same log;
then the entries since are folded on. Nothing uncommitted is cached.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.errors import NewerRecord
from engine.record.log.entry import Entry as EntryZero
from engine.record.log.entry import read_entry
from engine.record.log.fold import apply_entry, open_table
from engine.record.log.options import FILE
from engine.record.log.table import Table
from server.kernel.db.models import Base, Entry, Game
from server.kernel.db.session import Prepared, Transaction
from server.kernel.errors import Problem

MOST = 1024  # 5 to 45 KB each
MOST_PAST = 256
Row = Game | sa.Row[Any]  # with or without the ORM
Within = Session | Transaction
_game, _entry, _private = (Base.metadata.tables[name] for name in ("game", "entry", "entry_private"))


LOCK = sa.select(_game).where(_game.c.id == sa.bindparam("id")).with_for_update()
_LOCK = Prepared(LOCK)
_LINES = Prepared(
    sa.select(_entry.c.line, _entry.c.leaf_hash, _private.c.opening, _private.c.hidden_next)
    .join(_private, sa.and_(_private.c.game_id == _entry.c.game_id, _private.c.seq == _entry.c.seq), isouter=True)
    .where(_entry.c.game_id == sa.bindparam("game"), _entry.c.seq.between(sa.bindparam("first"), sa.bindparam("last")))
    .order_by(_entry.c.seq)
)


def lock_game(session: Within, game_id: str) -> sa.Row[Any]:
    """The game's row, locked by this transaction."""
    game: sa.Row[Any] | None = _LOCK.one_or_none(session.connection(), {"id": game_id})
    if game is None:
        raise Problem("no-such-game")
    return game


class TableCache:
    """At most 1,024 tables; the least recently used is dropped first. Thread-safe."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._cached: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, session: Within, game: Row) -> Table:
        """The table at the game row's head, as this transaction sees it."""
        kept = self._get(game.id)
        if kept is not None and kept.head == game.head_hash:
            return kept
        table = kept and _caught_up(session, game, kept)
        if table is None:
            if kept is not None:
                self._forget(kept)
            *_, table = folded(session, game, None, game.head_seq)
        assert table.head == game.head_hash
        self.keep(table)
        return table

    def keep(self, table: Table) -> None:
        """Keep a committed table, unless a later one is here already."""
        with self._lock:
            kept = self._cached.get(table.game_id)
            if kept is None or kept.size < table.size:
                self._cached[table.game_id] = table
            self._cached.move_to_end(table.game_id)
            while len(self._cached) > self._most:
                self._cached.popitem(last=False)

    def _forget(self, table: Table) -> None:
        """Drop a table that is not of the present log: the store was restored, or this read is older than the table."""
        with self._lock:
            if self._cached.get(table.game_id) is table:
                del self._cached[table.game_id]

    def cached(self, game_id: str) -> Table | None:
        """The table in memory, which may be old."""
        return self._get(game_id)

    def _get(self, game_id: str) -> Table | None:
        with self._lock:
            kept = self._cached.get(game_id)
            if kept is not None:
                self._cached.move_to_end(game_id)
            return kept


def _caught_up(session: Within, game: Row, kept: Table) -> Table | None:
    """The kept table with the entries since folded on; None if it is not a part of this log.

    Other processes log most entries of a busy server, so this is one statement.
    """
    last, *since = _lines(session, game, kept.size - 1, game.head_seq) or [None]
    if last is None or last.leaf_hash != kept.head:
        return None
    table = kept
    for row in since:
        table = _next(game, table, row)
    return table


def folded(session: Within, game: Row, kept: Table | None, last: int) -> Iterator[Table]:
    """The table after each entry that follows the kept one, until entry `last`."""
    table = kept
    for row in _lines(session, game, kept.size if kept else 0, last):
        table = _next(game, table, row)
        yield table


def _next(game: Row, table: Table | None, row: Any) -> Table:
    entry = read_entry(row.line)
    if table is None:
        return _opened(game, entry)
    return apply_entry(table, entry, msgspec.json.decode(row.opening) if row.opening else None, row.hidden_next)


def _opened(game: Row, entry: EntryZero) -> Table:
    """The table of entry 0. Problem `rules-missing` if its game is not installed here, or not in its version."""
    try:
        return open_table(entry, {FILE: game.edition} if game.edition else {})
    except NewerRecord as no:
        if no.code == "game-out":
            raise
        raise Problem("rules-missing", found=game.type, version=game.rules) from None


def _lines(session: Within, game: Row, first: int, last: int) -> list[Any]:
    return _LINES.all(session.connection(), {"game": game.id, "first": first, "last": last})


# --- Tables after an earlier entry, for players who step back through a game ------------------------------------------
# Folding from the beginning takes 60 microseconds an entry, so every 32nd table is cached on the way, at most 256 in
# all. A cached table counts only as long as its head is an entry of the stored log.


EVERY = 32
Key = tuple[str, int]


class PastTables:
    """Tables by game and entry; the least recently used is dropped first. Thread-safe."""

    def __init__(self, most: int = MOST_PAST) -> None:
        self._most = most
        self._cached: OrderedDict[Key, Table] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, session: Session, game: Row, seq: int) -> Table:
        """The table after entry `seq` of the game, which must exist."""
        table = self._nearest(session, game.id, seq)
        for one in folded(session, game, table, seq):
            table = one
            if (one.size - 1) % EVERY == 0:
                self._keep(game.id, one)
        assert table is not None
        return table

    def _nearest(self, session: Session, game_id: str, seq: int) -> Table | None:
        """The last cached table at or before this entry; one of another log is dropped."""
        for at in range(seq - seq % EVERY, -1, -EVERY):
            kept = self._get((game_id, at))
            if kept is None:
                continue
            where = (Entry.game_id == game_id, Entry.seq == at)
            if session.scalar(sa.select(Entry.leaf_hash).where(*where)) == kept.head:
                return kept
            self._forget((game_id, at))
        return None

    def _get(self, key: Key) -> Table | None:
        with self._lock:
            kept = self._cached.get(key)
            if kept is not None:
                self._cached.move_to_end(key)
            return kept

    def _keep(self, game_id: str, table: Table) -> None:
        with self._lock:
            self._cached[game_id, table.size - 1] = table
            while len(self._cached) > self._most:
                self._cached.popitem(last=False)

    def _forget(self, key: Key) -> None:
        with self._lock:
            self._cached.pop(key, None)
