"""Who attests the moves of a game: their players, by signatures, or this server alone."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.log.table import Table
from server.db.models import Entry


class Line(msgspec.Struct):
    """The member of a move that is looked at here."""

    seat: int


def unsigned(session: Session, table: Table) -> tuple[int, ...]:
    """How many moves of each seat nobody has signed; () if there is none."""
    if not table.created["unsigned"]:
        return ()
    moves = (Entry.game_id == table.game_id, Entry.kind == "moved", Entry.seq < table.size)
    lines = session.scalars(sa.select(Entry.line).where(*moves, Entry.jws_sha256.is_(None)))
    seats = [msgspec.json.decode(line, type=Line).seat for line in lines]
    return tuple(seats.count(seat) for seat in range(table.seats)) if seats else ()
