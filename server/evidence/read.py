"""The log as it was written: pages of lines, the openings of a seat, the bundle."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.log import bundle
from engine.record.log.options import FILE
from engine.record.log.table import Table
from server.kernel.db.models import Audit, Entry, EntryPrivate, Game
from server.kernel.services import Services
from server.kernel.text import iso
from server.tables.read import game_row, head


def log_page(services: Services, game_id: str, after: int, limit: int) -> dict[str, Any]:
    """Lines of the entries after number `after`, the note on the whole log, and its head."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        lines = _lines(session, game, after + 1, limit)
    last = after + len(lines)
    return {
        "entries": [line.decode("ascii") for line in lines],
        "next": last if lines and last < game.head_seq else None,
        "note": services.note_of(game, game.head_seq + 1, game.head_hash),
        "head": head(game),
    }


def _lines(session: Session, game: Game, first: int, limit: int | None = None) -> list[bytes]:
    where = (Entry.game_id == game.id, Entry.seq >= first, Entry.seq <= game.head_seq)
    return list(session.scalars(sa.select(Entry.line).where(*where).order_by(Entry.seq).limit(limit)))


def bundled(services: Services, game_id: str) -> tuple[Game, bytes]:
    """The whole game in one file, without what is still hidden now."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        lines = _lines(session, game, 0)
        is_over = game.status in ("finished", "cancelled")
        opened = (_full_openings(session, game) or None) if game.hidden and is_over else None
    data = [(FILE, game.edition)] if game.edition else []
    note = services.note_of(game, game.head_seq + 1, game.head_hash)
    return game, bundle.write(lines, note, opened, data)


def _full_openings(session: Session, game: Game) -> list[dict[str, Any]]:
    where = (EntryPrivate.game_id == game.id, EntryPrivate.opening.is_not(None))
    rows = session.scalars(sa.select(EntryPrivate.opening).where(*where).order_by(EntryPrivate.seq))
    return [msgspec.json.decode(opening) for opening in rows if opening is not None]


# --- The server's own audit of a game ---------------------------------------------------------------------------------


NONE = {"verdict": None, "entry": None, "size": None, "says": None, "made_at": None}


def found_audit(services: Services, game_id: str) -> dict[str, Any]:
    """The result for the present log, or an earlier one that failed; all members are null if there is none."""
    with services.database.read() as session:
        game, kept = game_row(session, game_id), session.get(Audit, game_id)
        if kept is None or not _still_applies(session, game, kept):
            return dict(NONE)
    found = {"verdict": kept.verdict, "entry": kept.entry, "size": kept.size, "says": kept.says}
    return found | {"made_at": iso(kept.made_at)}


def _still_applies(session: Session, game: Game, kept: Audit) -> bool:
    """Is it about the present log? One that failed for a part of it still fails."""
    if kept.head_hash == game.head_hash:
        return True
    last = (Entry.game_id == game.id, Entry.seq == kept.size - 1, Entry.leaf_hash == kept.head_hash)
    return kept.verdict == "fails" and session.scalar(sa.select(Entry.seq).where(*last)) is not None


# --- Attested moves: whether the players signed, or only this server vouches ------------------------------------------


class MoveAuthor(msgspec.Struct):
    """The members of a move that are read here."""

    seat: int


def unsigned(session: Session, table: Table) -> tuple[tuple[int, int], ...]:
    """The entry and the seat of each unsigned move; () if the table does not accept them."""
    if not table.created["unsigned"]:
        return ()
    moves = (Entry.game_id == table.game_id, Entry.kind == "moved", Entry.seq < table.size)
    found = session.execute(sa.select(Entry.seq, Entry.line).where(*moves, Entry.jws_sha256.is_(None)))
    return tuple((seq, msgspec.json.decode(line, type=MoveAuthor).seat) for seq, line in found)
