"""Notes which level has made a move in place of the house player's own."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.log.entry import read_entry
from server.kernel.db.models import Account, Entry, LoweredMove, Seat
from server.kernel.db.tables import lock_game
from server.kernel.errors import Problem
from server.kernel.services import Services


def note(services: Services, game_id: str, account_id: int, seq: int, level: str) -> None:
    """Note that this level has made the move of entry `seq`; the last note of an entry counts."""
    with services.database.write() as session:
        lock_game(session, game_id)
        own = session.get_one(Account, account_id).level
        if own is None:
            raise Problem("no-level")
        if _mover(session, game_id, seq) not in _seats(session, game_id, account_id):
            raise Problem("not-your-move", found=seq)
        found = {"own": own, "level": level}
        row = services.database.insert(LoweredMove).values(game_id=game_id, seq=seq, **found)
        session.execute(row.on_conflict_do_update(["game_id", "seq"], set_=found))


def _seats(session: Session, game_id: str, account_id: int) -> list[int]:
    held = sa.select(Seat.seat).where(Seat.game_id == game_id, Seat.account_id == account_id)
    if not (found := [*session.scalars(held)]):
        raise Problem("no-seat")
    return found


def _mover(session: Session, game_id: str, seq: int) -> int | None:
    """The seat that made the move of this entry; None if it is not a move."""
    entry = session.get(Entry, (game_id, seq))
    if entry is None or entry.kind != "moved":
        return None
    seat: int = read_entry(entry.line).body["seat"]
    return seat
