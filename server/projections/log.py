"""The log as it was written: pages of lines, the openings of a seat, the bundle."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record import bundle
from engine.record.options import FILE
from server.db.models import Entry, EntryPrivate, Game
from server.log.ledger import note_of
from server.projections.games import game_row, head
from server.services import Services


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
