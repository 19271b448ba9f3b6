"""Tables as they were after an earlier entry: for whoever looks back, entry by entry, through a game.

Folding from the beginning costs as much as the game is long (60 microseconds an entry), so while it is folded every
32nd table is kept, of at most 256 in all; from there on it is a step. The store is the truth here too: a kept table
counts only as long as its head is an entry of the log that is there.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.log.table import Table
from server.db.models import Entry
from server.log.tables import Row, folded

MOST = 256
EVERY = 32
Key = tuple[str, int]


class Earlier:
    """Tables by game and entry, the least used thrown out first; safe among threads."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Table] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, session: Session, game: Row, seq: int) -> Table:
        """The table after entry `seq` of the game, which is there."""
        table = self._nearest(session, game.id, seq)
        for one in folded(session, game, table, seq):
            table = one
            if (one.size - 1) % EVERY == 0:
                self._keep(game.id, one)
        assert table is not None
        return table

    def _nearest(self, session: Session, game_id: str, seq: int) -> Table | None:
        """The last table that is kept at or before this entry; one that is not of this log is forgotten."""
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
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
            return kept

    def _keep(self, game_id: str, table: Table) -> None:
        with self._lock:
            self._kept[game_id, table.size - 1] = table
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def _forget(self, key: Key) -> None:
        with self._lock:
            self._kept.pop(key, None)
