"""The log as it was written: pages of lines, the openings of a seat, the bundle."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.compose.entries import seat_opening
from engine.record.log import bundle
from engine.record.log.options import FILE
from engine.record.log.table import Table
from server import keeping
from server.db.models import Entry, EntryPrivate, Game
from server.errors import Problem
from server.log.ledger import note_of
from server.projections.games import game_row, head
from server.projections.position import Look
from server.services import Services

BETWEEN_LOOKS = 0.15


class Waiting:
    """How many requests of this process may be held at once: each holds a thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._free = threading.BoundedSemaphore(most)

    def for_entry(self, services: Services, game_id: str, after: int, seconds: float) -> None:
        """Return when an entry after `after` is there, or when the time is over."""
        self.until(services, lambda: _head_seq(services, game_id) != after, seconds)

    def until(self, services: Services, is_there: Callable[[], bool], seconds: float) -> None:
        """Return when it is there, or when the time is over.

        Problem if too many wait: an answer at once would be asked for again at once, by everybody.
        """
        if seconds > services.settings.longest_wait:
            raise Problem("wait-too-long", found=seconds, most=int(services.settings.longest_wait))
        if seconds <= 0 or is_there():
            return
        if not self._free.acquire(blocking=False):
            raise Problem("no-place", of="server", most=self._most)
        try:
            until = time.monotonic() + seconds
            while not is_there() and time.monotonic() < until:
                time.sleep(BETWEEN_LOOKS)
        finally:
            self._free.release()


def _head_seq(services: Services, game_id: str) -> int | None:
    with services.database.read() as session:
        return session.scalar(sa.select(Game.head_seq).where(Game.id == game_id))


def page(services: Services, game_id: str, after: int, limit: int) -> dict[str, Any]:
    """Lines of the entries after number `after`, the note on the whole log, and its head."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        lines = _lines(session, game, after + 1, limit)
    last = after + len(lines)
    return {
        "entries": [line.decode("ascii") for line in lines],
        "next": last if lines and last < game.head_seq else None,
        "note": note_of(services, game, game.head_seq + 1, game.head_hash),
        "head": head(game),
    }


def _lines(session: Session, game: Game, first: int, limit: int | None = None) -> list[bytes]:
    where = (Entry.game_id == game.id, Entry.seq >= first, Entry.seq <= game.head_seq)
    return list(session.scalars(sa.select(Entry.line).where(*where).order_by(Entry.seq).limit(limit)))


def openings(services: Services, at: Look, after: int, limit: int) -> tuple[list[dict[str, Any]], int | None]:
    """What the seat alone may read of each entry: its seal opened, and how far the moves of its holder went.

    With what `after` is on the next page, if there is one; rows that tell this seat nothing count too. Whoever took
    the seat over reads its events from the beginning, and nothing of the moves of the holder before.
    """
    seat, secret = at.own_seat, keeping.game_secret(services.settings.master, at.game.secret_r)
    asked = (
        sa.select(EntryPrivate, Entry.line)
        .join(Entry, sa.and_(Entry.game_id == EntryPrivate.game_id, Entry.seq == EntryPrivate.seq))
        .where(EntryPrivate.game_id == at.game.id, EntryPrivate.seq > after, EntryPrivate.seq <= at.game.head_seq)
        .order_by(EntryPrivate.seq)
        .limit(limit + 1)
    )
    named: dict[str, Any] = {"type": at.game.type}
    with services.database.read() as session:
        rows = session.execute(asked).all()
        found = [_opening(at.table, secret, row, line, seat) for row, line in rows[:limit]]
    last = rows[limit - 1][0].seq if len(rows) > limit else None
    return [named | opening for opening in found if opening is not None], last


class Author(msgspec.Struct):
    """Whose move a line is."""

    seat: int | None = None


def _opening(table: Table, secret: bytes, row: EntryPrivate, line: bytes, seat: int) -> dict[str, Any] | None:
    occupant = table.occupants[seat]
    is_mine = occupant is not None and row.seq > occupant.since
    own = row.done is not None and is_mine and msgspec.json.decode(line, type=Author).seat == seat
    if row.opening is None and not own:
        return None
    opened = {"seq": row.seq, "salt": None, "events": None}
    if row.opening is not None:
        opened = seat_opening(table, secret, msgspec.json.decode(row.opening), seat)
    refusal = msgspec.json.decode(row.refusal) if own and row.refusal else None
    return opened | {"done": row.done if own else None, "refusal": refusal}


def bundled(services: Services, game_id: str) -> tuple[Game, bytes]:
    """The whole game in one file, as far as it may be known now."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        lines = _lines(session, game, 0)
        opened = _full_openings(session, game) if game.hidden and game.status == "finished" else None
    data = [(FILE, game.edition)] if game.edition else []
    note = note_of(services, game, game.head_seq + 1, game.head_hash)
    return game, bundle.write(lines, note, opened, data)


def _full_openings(session: Session, game: Game) -> list[dict[str, Any]]:
    where = (EntryPrivate.game_id == game.id, EntryPrivate.opening.is_not(None))
    rows = session.scalars(sa.select(EntryPrivate.opening).where(*where).order_by(EntryPrivate.seq))
    return [msgspec.json.decode(opening) for opening in rows if opening is not None]
