"""Looking into one game: its row, its seats and what is wrong with it; and its log, replayed to the first refusal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.errors import BadRecord, SealedMoveError
from engine.kit import active
from engine.record.compose.decision import decide, lanes
from engine.record.judge.restore import restore_entry
from engine.record.log.entry import Entry as Line
from engine.record.log.entry import read_entry
from engine.record.log.fold import open_table
from engine.record.log.options import FILE
from engine.record.log.table import Table
from server.kernel import secrets
from server.kernel.db.models import Account, Audit, Entry, EntryPrivate, Game, OperatorAct, Quarantined, Seat, ShownNote
from server.kernel.services import Services, fault_place
from server.operate.stopped_games import why_stopped
from server.tables.read import clock, game_row

OF_GAME = ("id", "type", "rules", "status", "created_at", "creator_id", "host_id", "hidden", "door", "handover", "bots")
OF_SEAT = ("seat", "account_id", "since_seq", "deadline", "absent", "open", "muted")
OF_AUDIT = ("verdict", "entry", "size", "made_at")
OF_ITEM = ("loop", "key", "error", "failures", "since", "next_at")
OF_NOTE = ("size", "relation", "shown_at")
OF_ACT = ("at", "who", "act", "why")


def show(services: Services, game_id: str) -> dict[str, Any]:
    """The game from its rows alone, so that it can be shown whatever is wrong with its rules or its log."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        audit = session.get(Audit, game_id)
        return _row(game, OF_GAME) | {
            "size": game.head_seq + 1,
            "clock": clock(game),
            "stopped": why_stopped(game),
            "seats": _seats(session, game_id),
            "audit": None if audit is None else _row(audit, OF_AUDIT),
            "notes": _rows(session, sa.select(ShownNote).where(ShownNote.game_id == game_id), OF_NOTE),
            "quarantine": _rows(session, sa.select(Quarantined).where(Quarantined.key.startswith(game_id)), OF_ITEM),
            "operators": _rows(session, sa.select(OperatorAct).where(OperatorAct.about == f"game {game_id}"), OF_ACT),
        }


def _seats(session: Session, game_id: str) -> list[dict[str, Any]]:
    names = sa.select(Seat, Account.name).join(Account, Account.id == Seat.account_id, isouter=True)
    found = session.execute(names.where(Seat.game_id == game_id).order_by(Seat.seat))
    return [_row(seat, OF_SEAT) | {"name": name} for seat, name in found]


def _rows(session: Session, query: sa.Select[Any], names: Sequence[str]) -> list[dict[str, Any]]:
    return [_row(row, names) for row in session.scalars(query)]


def _row(row: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def stop_of(services: Services, game_id: str) -> dict[str, Any] | None:
    """Why the game is stopped, and what to do; None if it is not."""
    with services.database.read() as session:
        return why_stopped(game_row(session, game_id))


# --- Replay: the server decides each entry again, with the game's secret ----------------------------------------------


def replay(services: Services, game_id: str) -> dict[str, Any]:
    """How many entries the rules repeat, and the first that they refuse or break at: as logged, with the reason.

    A fault stops a game before anything is logged. So if all entries hold, the default move of each seat that owes one
    is tried as well. Nothing is stored, and nothing is shown that the log does not show.
    """
    with services.database.read() as session:
        game = game_row(session, game_id)
        rows = list(logged_entries(session, game_id))
    secret, table = secrets.game_secret(services.master, game.secret_r), None
    for entry, opening in rows:
        try:
            table = next_table(game, table, entry, secret, opening)
        except Exception as fault:  # noqa: BLE001 - whatever a rule raises is what is looked for
            return {"held": entry.seq, "entry": msgspec.Raw(entry.line), "fault": _reason(fault)}
    return {"held": len(rows), "entry": None, "fault": None if table is None else _fault_ahead(table, secret)}


def logged_entries(session: Session, game_id: str) -> Iterator[tuple[Line, dict[str, Any]]]:
    """The entries of a game, each with its opening, which is empty in an open game."""
    same = sa.and_(EntryPrivate.game_id == Entry.game_id, EntryPrivate.seq == Entry.seq)
    both = sa.select(Entry.line, EntryPrivate.opening).join(EntryPrivate, same, isouter=True)
    for line, opening in session.execute(both.where(Entry.game_id == game_id).order_by(Entry.seq)):
        yield read_entry(line), msgspec.json.decode(opening) if opening else {}


def next_table(game: Game, table: Table | None, entry: Line, secret: bytes, opening: dict[str, Any]) -> Table:
    """The table with this entry, decided again under the game's own rules version; BadRecord if it cannot follow."""
    if table is None:
        return open_table(entry, {FILE: game.edition} if game.edition else {})
    return restore_entry(table, entry, secret, opening.get("move")).table


def _fault_ahead(table: Table, secret: bytes) -> dict[str, Any] | None:
    """The fault at which the default move of a seat breaks; None if the game is not running, or none breaks."""
    try:
        for seat in active(table.game, table.state) if table.stage == "running" else ():
            decide(table, "expired", seat, None, *lanes(table, secret))
    except Exception as fault:  # noqa: BLE001 - the same
        return _reason(fault)
    return None


def _reason(fault: Exception) -> dict[str, Any]:
    if isinstance(fault, BadRecord):
        return {"code": fault.code, "says": fault.says}
    return {"code": fault.code if isinstance(fault, SealedMoveError) else "engine-fault", **fault_place(fault)}
