"""Time given to seats that owe a move: by the game's creator to others, or by the operator after an outage."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from engine.record.compose import compose_granted
from server.db.models import Entry, Game, Seat
from server.errors import Problem
from server.log.ledger import Ledger, note_of, opened
from server.services import Services
from server.usecases.act import Answer

LONGEST = 7 * 86400  # seconds that a creator gives at a time
MOST = 64  # grants in a game, after which its creator gives no more: each is a line that everybody keeps


def grant(services: Services, game_id: str, account_id: int, seats: Sequence[int], seconds: int) -> Answer:
    """By the game's creator, and to no seat of his own."""
    with opened(services, game_id) as ledger:
        _check_creator(ledger, account_id, seats)
        entry = ledger.append(compose_granted(ledger.table, ledger.at, seats, seconds))
    return Answer(entry.line, note_of(services, game_id, entry.seq + 1, entry.leaf_hash), again=False)


def grant_as_operator(services: Services, game_id: str, seconds: int, seats: Sequence[int] = ()) -> Sequence[int]:
    """To these seats, or to every seat whose time runs now; which ones got it, none if nobody's time runs."""
    with opened(services, game_id) as ledger:
        given = seats or waiting(ledger)
        if given:
            ledger.append(compose_granted(ledger.table, ledger.at, given, seconds))
    return given


def waiting(ledger: Ledger) -> list[int]:
    """Seats whose time runs: the clock plays those that have resigned at once."""
    table = ledger.table
    return [] if table.created["clock"] is None else [seat for seat in table.active if seat not in table.gone]


def running_games(services: Services) -> list[str]:
    """Games in which somebody's time may run, the oldest first."""
    asked = sa.select(Game.id).where(Game.status == "running", Game.clock_move.is_not(None)).order_by(Game.created_at)
    with services.database.read() as session:
        return list(session.scalars(asked))


def _check_creator(ledger: Ledger, account_id: int, seats: Sequence[int]) -> None:
    if ledger.game.creator_id != account_id:
        raise Problem("not-creator")
    own = (Seat.game_id == ledger.game.id, Seat.account_id == account_id, Seat.seat.in_(seats))
    seat = ledger.session.scalar(sa.select(Seat.seat).where(*own))
    if seat is not None:
        raise Problem("own-seat", seat=seat)
    granted = (Entry.game_id == ledger.game.id, Entry.kind == "granted")
    if (ledger.session.scalar(sa.select(sa.func.count()).where(*granted)) or 0) >= MOST:
        raise Problem("too-many-grants", most=MOST)
