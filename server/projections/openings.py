"""What a seat alone may read of each entry."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa

from engine.record.compose import seat_opening
from engine.record.table import Table
from server import keeping
from server.db.models import Entry, EntryPrivate
from server.projections.position import Look
from server.services import Services


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
