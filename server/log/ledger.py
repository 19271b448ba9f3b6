"""A game open for writing: its row locked, its table at the head, and `append`, which is all that may change it.

    with opened(services, game_id) as ledger:
        ledger.append(compose_moved(ledger.table, ledger.secret, ledger.at, signed))

One transaction holds the entry, its private part, the game row, the clocks of the seats and the outbox rows. The
expected version is the row's head: if another writer had moved it on, the update would find no row, and the
transaction fails. Only after the commit are the table kept and the workers woken.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record import door, instants, note
from engine.record.compose import Composed
from engine.record.door import Signed
from engine.record.table import Table
from server import keeping, metrics
from server.db.models import Base, Entry, Seat
from server.errors import Problem
from server.log import outbox
from server.services import Services

# Built once and without the ORM: putting a statement together costs more than running it, and so does an object.
_entry, _private, _game, _seat = (Base.metadata.tables[name] for name in ("entry", "entry_private", "game", "seat"))
LOCK = sa.select(_game).where(_game.c.id == sa.bindparam("id")).with_for_update()
LOGGED = sa.select(Entry).where(Entry.jws_sha256 == sa.bindparam("jws"), Entry.game_id == sa.bindparam("game"))
ADVANCE = (
    sa.update(_game)
    .where(_game.c.id == sa.bindparam("game"), _game.c.head_seq == sa.bindparam("expected"))
    .values({name: sa.bindparam(name) for name in ("head_seq", "head_hash", "status", "faulted_at")})
)
INSERT_ENTRY = sa.insert(_entry)
INSERT_SEAT = sa.insert(_seat)
INSERT_PRIVATE = sa.insert(_private)
SET_CLOCK = (
    sa.update(_seat)
    .where(_seat.c.game_id == sa.bindparam("game"), _seat.c.seat == sa.bindparam("number"))
    .values({name: sa.bindparam(name) for name in ("question_seq", "active_since", "deadline")})
)


class Head(msgspec.Struct):
    """The members of a line that its row repeats."""

    kind: str
    jws: str | None = None


class Ledger:
    """One game in one write transaction."""

    def __init__(self, services: Services, session: Session, game: sa.Row[Any]) -> None:
        self.services = services
        self.session = session
        self.game = game
        self.table: Table = services.tables.of(session, game)
        self.at = instants.instant(int(services.now().timestamp()))
        self.outbox: list[int] = []
        self._then: list[Callable[[], Composed]] = []

    @property
    def secret(self) -> bytes:
        return keeping.game_secret(self.services.settings.master, self.game.secret_r)

    def logged(self, signed: Signed) -> Entry | None:
        """The entry of this very JWS, by its bytes. One upon the head has none: an act stands where it was signed."""
        if door.is_upon_head(self.table, signed.act):
            return None
        return self.session.scalar(LOGGED, {"jws": sha256(signed.jws.text), "game": self.game.id})

    def append(self, composed: Composed) -> Entry:
        """Add the entry and everything that follows from it to the transaction."""
        before, self.table = self.table, composed.table
        entry = entry_row(self.game.id, composed)
        self._advance(entry)
        self._run(INSERT_ENTRY, {column.name: getattr(entry, column.name) for column in _entry.columns})
        self._keep_private(entry, composed)
        self._set_clocks(before, entry)
        self.outbox += outbox.of_entry(self.session, self.game.id, entry.kind, self.table, self.services.now())
        metrics.ENTRIES.labels(entry.kind).inc()
        while self._then:
            self.append(self._then.pop(0)())
        return entry

    def then(self, compose: Callable[[], Composed]) -> None:
        """An entry that must follow the next one in the same transaction."""
        self._then.append(compose)

    def seat_taken(self, seat: int, account_id: int) -> None:
        self._run(INSERT_SEAT, {"game_id": self.game.id, "seat": seat, "account_id": account_id})

    def seat_left(self, seat: int) -> None:
        self.session.execute(sa.delete(Seat).where(Seat.game_id == self.game.id, Seat.seat == seat))

    def _run(self, statement: Any, given: Any) -> Any:
        """Below the ORM, which would look for what changed: here it is known."""
        return self.session.connection().execute(statement, given)

    def _advance(self, entry: Entry) -> None:
        told = {
            "game": self.game.id,
            "expected": entry.seq - 1,
            "head_seq": entry.seq,
            "head_hash": entry.leaf_hash,
            "status": self.table.stage,
            "faulted_at": None,
        }
        if self._run(ADVANCE, told).rowcount != 1:
            raise Problem("unavailable", says="the log was moved on by another writer")

    def _keep_private(self, entry: Entry, composed: Composed) -> None:
        if entry.kind != "moved" and composed.opening is None:
            return
        private = {
            "game_id": self.game.id,
            "seq": entry.seq,
            "opening": composed.opening and msgspec.json.encode(composed.opening, order="sorted"),
            "done": composed.done if entry.kind == "moved" else None,
            "refusal": composed.refusal and encode_refusal(self.table, composed.refusal),
            "hidden_next": self.table.hidden_draw,
        }
        self._run(INSERT_PRIVATE, private)

    def _set_clocks(self, before: Table, entry: Entry) -> None:
        """The seats' rows say what the table says of their questions; only those that changed are written."""
        if entry.kind not in EVENTFUL:
            return
        clocks = ((seat, clock_of(self.table, seat)) for seat in range(self.table.seats))
        changed = [(seat, clock) for seat, clock in clocks if clock != clock_of(before, seat)]
        if changed:
            self._run(SET_CLOCK, [{"game": self.game.id, "number": seat, **clock} for seat, clock in changed])


EVENTFUL = ("started", "moved", "resigned", "expired", "cancelled")


@contextmanager
def opened(services: Services, game_id: str) -> Iterator[Ledger]:
    """A game for writing; committed at the end of the block, and only then told to anybody."""
    with services.database.write() as session:
        ledger = Ledger(services, session, locked(session, game_id))
        yield ledger
    services.tables.keep(ledger.table)
    services.waker.wake(ledger.outbox)


def locked(session: Session, game_id: str) -> sa.Row[Any]:
    """The game's row, held by this transaction alone."""
    game = session.connection().execute(LOCK, {"id": game_id}).one_or_none()
    if game is None:
        raise Problem("no-such-game")
    return game


def entry_row(game_id: str, composed: Composed) -> Entry:
    """The row of a composed entry."""
    head = msgspec.json.decode(composed.line, type=Head)
    return Entry(
        game_id=game_id,
        seq=composed.table.size - 1,
        kind=head.kind,
        at=moment(composed.table.at),
        line=composed.line,
        leaf_hash=composed.table.head,
        jws_sha256=sha256(head.jws) if head.jws else None,
    )


def clock_of(table: Table, seat: int) -> dict[str, Any]:
    """The columns of a seat's row that its question fills."""
    question, deadline = table.questions[seat], table.deadline(seat)
    return {
        "question_seq": question.seq if question else None,
        "active_since": moment(question.at) if question else None,
        "deadline": None if deadline is None else datetime.fromtimestamp(deadline, UTC),
    }


def encode_refusal(table: Table, refusal: Any) -> str:
    """Why a move stopped, for its own seat."""
    from engine.kit import explain

    return msgspec.json.encode({"code": refusal.code, "says": explain(table.game, refusal)}).decode()


def note_of(services: Services, game_id: str, size: int, head: bytes) -> str:
    """The server's word on a log of this size; the same bytes whenever it is asked."""
    return note.write(services.settings.server_name, game_id, size, head, services.seed)


def moment(at: str) -> datetime:
    return datetime.fromtimestamp(instants.seconds(at), UTC)


def sha256(jws: str) -> bytes:
    return hashlib.sha256(jws.encode("ascii")).digest()
