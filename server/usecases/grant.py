"""Time given to seats that owe a move: by the game's creator to others, or by the operator after an outage."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from engine.record.compose.entries import compose_granted
from server.db.models import Entry, Game, IdempotencyKey, Seat
from server.errors import Problem
from server.log.ledger import Ledger, note_of, opened
from server.services import Services
from server.usecases.act import Answer

LONGEST = 7 * 86400  # seconds that a creator gives at a time
MOST = 64  # grants in a game, after which its creator gives no more: each is a line that everybody keeps


@dataclass(frozen=True, slots=True)
class Gift:
    """What a creator gives, and under which key he may ask for it again."""

    seats: Sequence[int]
    seconds: int
    key: str | None = None

    def hash(self, game_id: str) -> bytes:
        return hashlib.sha256(msgspec.json.encode(["grant", game_id, self.seats, self.seconds])).digest()


def grant(services: Services, game_id: str, account_id: int, gift: Gift) -> Answer:
    """By the game's creator, and to no seat of his own; the same entry again for the same gift under the same key."""
    try:
        with opened(services, game_id) as ledger:
            entry = _given_before(ledger, account_id, gift)
            again = entry is not None
            if entry is None:
                entry = _give(ledger, account_id, gift)
    except IntegrityError:  # the same key at once for something else, which has no lock in common with this
        raise Problem("idempotency-reused") from None
    return Answer(entry.line, note_of(services, ledger.game, entry.seq + 1, entry.leaf_hash), again=again)


def _give(ledger: Ledger, account_id: int, gift: Gift) -> Entry:
    _check_creator(ledger, account_id, gift.seats)
    entry = ledger.append(compose_granted(ledger.table, ledger.at, gift.seats, gift.seconds))
    if gift.key is not None:
        made = {"account_id": account_id, "key": gift.key, "request_hash": gift.hash(ledger.game.id)}
        placed = {"game_id": ledger.game.id, "seq": entry.seq, "created_at": ledger.services.now()}
        ledger.session.execute(sa.insert(IdempotencyKey).values(**made, **placed))
    return entry


def _given_before(ledger: Ledger, account_id: int, gift: Gift) -> Entry | None:
    if gift.key is None:
        return None
    where = (IdempotencyKey.account_id == account_id, IdempotencyKey.key == gift.key)
    before = ledger.session.scalar(sa.select(IdempotencyKey).where(*where))
    if before is None:
        return None
    if before.request_hash != gift.hash(ledger.game.id):
        raise Problem("idempotency-reused")
    return ledger.session.get_one(Entry, (before.game_id, before.seq))


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
