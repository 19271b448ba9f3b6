"""A game open for writing: its row locked, its table at the head, and `append`, the only way to change it.

    with opened(services, game_id) as ledger:
        ledger.append(compose_moved(ledger.table, ledger.secret, ledger.at, signed))

One transaction holds the entry, its private part, the game row, the clocks of the seats, the outbox rows and, last, the
events of the accounts. The expected version is the row's head: if another writer has moved it on, the update finds no
row and the transaction fails. The table is kept and the workers are woken only after the commit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.errors import EngineFault
from engine.record.compose.entries import Composed
from engine.record.encoding import canonical
from engine.record.laws import admission
from engine.record.log.clock import Moment as EntryMoment
from engine.record.log.table import Table
from engine.record.signed.acts import SignedAct
from server.kernel import metrics, secrets
from server.kernel.db.models import Base, Game, Holiday, Seat
from server.kernel.db.models.entries import EntryRow
from server.kernel.db.models.games import BROKEN
from server.kernel.db.session import Prepared, Transaction, UtcDateTime, moment_of
from server.kernel.db.tables import lock_game
from server.kernel.errors import Problem
from server.kernel.services import KeptNote, Services
from server.log import before_writing, deadlines, outbox, places, seats
from server.log.deadlines import END_HOLIDAY, Calendars, StoredClock
from server.log.kind import AnnouncedTimes
from server.log.outbox import SeatEvent
from server.log.seats import row_of

# Built once and without the ORM: building a statement, or an object, costs more than running it.
_entry, _private, _game, _seat, _former = (
    Base.metadata.tables[name] for name in ("entry", "entry_private", "game", "seat", "former_holder")
)
OF_GAME = sa.select(_entry).where(_entry.c.game_id == sa.bindparam("game"))
LOGGED = OF_GAME.where(_entry.c.jws_sha256 == sa.bindparam("jws"))
NUMBERED = OF_GAME.where(_entry.c.seq == sa.bindparam("seq"))
ENDED, LATER = sa.bindparam("ended", type_=UtcDateTime), sa.bindparam("later", type_=UtcDateTime)  # None needs a type
AT_HEAD = sa.update(_game).where(_game.c.id == sa.bindparam("game"), _game.c.head_seq == sa.bindparam("expected"))
ADVANCE_HEAD = Prepared(AT_HEAD.values({name: sa.bindparam(name) for name in ("head_seq", "head_hash")}))
ADVANCE = Prepared(
    AT_HEAD.values({name: sa.bindparam(name) for name in ("head_seq", "head_hash", "status", "faulted_at")}).values(
        audit_at=sa.func.coalesce(ENDED, _game.c.audit_at, LATER)
    )
)
INSERT_ENTRY = Prepared(sa.insert(_entry), [column.name for column in _entry.columns])
INSERT_SEAT = sa.insert(_seat)
INSERT_PRIVATE = Prepared(sa.insert(_private), [column.name for column in _private.columns])
INSERT_FORMER = sa.insert(_former)
SEAT = (_seat.c.game_id == sa.bindparam("game"), _seat.c.seat == sa.bindparam("number"))
OF_LOG = ("question_seq", "active_since", "promised", "bank", "absent", "open", "free_from", "resigned")
TIMES = AnnouncedTimes._fields
OF_CLOCK = (*TIMES, "spare")
CHANGED = sa.bindparam("changed", type_=UtcDateTime)  # None if the deadline is the same
ANOTHER = {
    "deadline_n": _seat.c.deadline_n + sa.case((CHANGED.is_(None), 0), else_=1),
    "changed_at": sa.func.coalesce(CHANGED, _seat.c.changed_at),
}
SET_SEAT = Prepared(
    sa.update(_seat).where(*SEAT).values({name: sa.bindparam(name) for name in (*OF_LOG, *OF_CLOCK)} | ANOTHER)
)
SET_CLOCK = sa.update(_seat).where(*SEAT).values({name: sa.bindparam(name) for name in TIMES} | ANOTHER)


class EntryColumns(msgspec.Struct):
    """The members of an entry that its row repeats, and the seat that it is of."""

    kind: str
    jws: str | None = None
    seat: int | None = None


class Ledger:
    """One game in one write transaction."""

    def __init__(self, services: Services, transaction: Transaction, game: sa.Row[Any]) -> None:
        self.services = services
        self._transaction = transaction
        self._connection = transaction.connection()
        self.game = game
        self.table: Table = services.tables.of(transaction, game)
        self.began = canonical.instant(int(services.now().timestamp()))
        self.is_whole: bool = game.missing_since is None
        self.is_faulted: bool = game.faulted_at is not None
        self.outbox: list[int] = []
        self.events: list[SeatEvent] = []
        self.others: list[tuple[int, SeatEvent]] = []  # events of accounts that hold no seat here
        self.ends_holiday = False
        self._then: list[Callable[[], Composed]] = []
        self._notes: dict[int, str] = {}

    @property
    def session(self) -> Session:
        """For what is not written with every entry."""
        return self._transaction.session

    @property
    def at(self) -> str:
        """The time of the next entry: the start of this transaction, or the time of the last entry if that is later."""
        return max(self.began, self.table.at)

    @property
    def secret(self) -> bytes:
        return secrets.game_secret(self.services.master, self.game.secret_r)

    def logged(self, signed: SignedAct) -> EntryRow | None:
        """The entry of exactly this JWS. An act signed on the present head cannot have been logged."""
        if admission.is_on_head(self.table, signed.act):
            return None
        row = self._run(LOGGED, {"jws": sha256(signed.jws.text), "game": self.game.id}).one_or_none()
        return None if row is None else EntryRow(*row)

    def numbered(self, seq: int) -> EntryRow:
        """The entry of this number."""
        return EntryRow(*self._run(NUMBERED, {"game": self.game.id, "seq": seq}).one())

    def note_of(self, size: int, head: bytes) -> str:
        """The server's note on a log of this size, signed once."""
        if size not in self._notes:
            self._notes[size] = self.services.note_of(self.game, size, head)
        return self._notes[size]

    def check_goes_on(self) -> None:
        """Refuse to log anything in a stopped game.

        An act on a head that is known to be old would fork the log. After a fault in the rules nobody should win
        because they did not run into it.
        """
        if not self.is_whole:
            raise Problem("lines-missing", size=self.table.size, expected=self.game.shown_size)
        if self.is_faulted:
            raise Problem("game-stopped")

    def append(self, composed: Composed) -> EntryRow:
        """Add the entry and everything that follows from it to the transaction."""
        self.check_goes_on()
        before, entry = self.table, self.restore(composed)
        self.outbox += outbox.rows_of_entry(self._connection, entry.kind, before, self.table, self.services.now())
        self.events += outbox.events_of_entry(entry.kind, before, self.table)
        if seats.keepable(before) != seats.keepable(self.table):
            self.others += places.of_entry(self.services, self.session, self.game, before, self.table)
        metrics.ENTRIES.labels(entry.kind).inc()
        while self._then:
            self.append(self._then.pop(0)())
        return entry

    def restore(self, composed: Composed) -> EntryRow:
        """Log a recovered entry again, without notifying anyone."""
        before, self.table = self.table, composed.table
        entry = entry_row(self.game.id, composed)
        self._advance(entry)
        INSERT_ENTRY.run(self._connection, entry._asdict())
        self._keep_private(entry, composed)
        self._set_seats(before, entry)
        return entry

    def then(self, compose: Callable[[], Composed]) -> None:
        """Log another entry right after the next one, in the same transaction."""
        self._then.append(compose)

    def seat_joined(self, seat: int, account_id: int | None) -> None:
        """The next entry seats this account at an empty seat."""
        row = {"game_id": self.game.id, "seat": seat, "account_id": account_id, "since_seq": self.table.size}
        self._run(INSERT_SEAT, row | row_of(self.table, seat))

    def seat_left(self, seat: int, how: str = "left") -> None:
        """The next entry empties the seat; `removed` by the host."""
        self._keep_former(seat, how)
        self.session.execute(sa.delete(Seat).where(Seat.game_id == self.game.id, Seat.seat == seat))
        if self.game.start == "ready":
            self.session.execute(sa.update(Seat).where(Seat.game_id == self.game.id).values(ready=False))

    def seat_taken(self, seat: int, account_id: int | None, at: int) -> None:
        """The next entry, dated `at`, gives the seat to another account; of its holder's data only the time stays."""
        since = self.table.offered_from(seat)
        by_offer = since is not None and since <= at
        self._keep_former(seat, "offer" if by_offer else "absence")
        new: dict[str, Any] = {"account_id": account_id, "since_seq": self.table.size, "muted": False}
        new |= {"deadline_n": Seat.deadline_n + 1, "reminded_n": None}  # another reader's first reminder
        self.session.execute(sa.update(Seat).where(Seat.game_id == self.game.id, Seat.seat == seat).values(new))

    def _keep_former(self, seat: int, ended: str) -> None:
        held = self.session.get_one(Seat, (self.game.id, seat))
        was = {name: getattr(held, name) for name in ("game_id", "seat", "account_id", "since_seq", "muted")}
        self._run(INSERT_FORMER, was | {"until_seq": self.table.size, "ended": ended})

    def _run(self, statement: Any, given: Any) -> Any:
        """Run below the ORM, which would search for changes that are known here."""
        return self._connection.execute(statement, given)

    def _advance(self, entry: EntryRow) -> None:
        values = {
            "game": self.game.id,
            "expected": entry.seq - 1,
            "head_seq": entry.seq,
            "head_hash": entry.leaf_hash,
            "status": self.table.stage,
            "faulted_at": self.game.faulted_at if self.is_faulted else None,
            **self._audit_times(),
        }
        if (ADVANCE_HEAD if self._only_goes_on() else ADVANCE).run(self._connection, values) != 1:
            raise Problem("unavailable", says="the log was moved on by another writer")

    def _only_goes_on(self) -> bool:
        """Does only the head change, as with most entries? Other columns have indexes, which would be written too."""
        game = self.game
        return game.faulted_at is None and game.audit_at is not None and self.table.stage == game.status == "running"

    def _audit_times(self) -> dict[str, datetime | None]:
        """The auditor judges a game at its end, and a running one some time after its first new entry."""
        now = self.services.now()
        later = now + timedelta(hours=self.services.settings.audit_every)
        return {"ended": now if self.table.is_over else None, "later": later if self.table.stage == "running" else None}

    def _keep_private(self, entry: EntryRow, composed: Composed) -> None:
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
        INSERT_PRIVATE.run(self._connection, private)

    def _set_seats(self, before: Table, entry: EntryRow) -> None:
        """Write the rows of the seats that changed, as the table and their calendars have them."""
        if entry.kind in LOBBY:
            return
        author, at = _author(entry), int(entry.at.timestamp())
        if (turn := seats.ended_turn(self.game, before, self.table, entry, author)) is not None:
            seats.INSERT_TURN.run(self._connection, turn)
        since = deadlines.oldest(at, before, self.table)
        calendars = deadlines.load(self._connection, self.game, since)
        if entry.kind in deadlines.SIGNED and author is not None and self._end_holidays(calendars, author, at):
            calendars = deadlines.load(self._connection, self.game, since)
        changed = []
        for seat in range(self.table.seats):
            if (new := row_of(self.table, seat)) != row_of(before, seat):
                mine = EntryMoment(entry.seq, at, entry.kind, seat if seat == author else None)
                new |= deadlines.columns(before, self.table, seat, calendars, mine)
                changed.append({**self._of_seat(seat), **new, "changed": self._changed(calendars.held.get(seat), new)})
        if changed:
            SET_SEAT.run_each(self._connection, changed)

    def _changed(self, held: StoredClock | None, new: dict[str, Any]) -> datetime | None:
        """The time of the entry if it gives the seat another deadline."""
        same = held is not None and (held.since, held.deadline) == (new["active_since"], new["deadline"])
        return None if same else moment(self.table.at)

    def _end_holidays(self, calendars: Calendars, seat: int, at: int) -> bool:
        """A player who signs or mails a move is not on holiday; the clock's next round updates their other tables."""
        ended = calendars.on_holiday(seat, at)
        if ended:
            self._run(END_HOLIDAY, [{"holiday": number, "at": moment_of(at)} for number in ended])
            self.ends_holiday = True
        return bool(ended)

    def ended_holiday(self, entry: EntryRow) -> bool:
        """Did this entry end a holiday of the holder of its seat?"""
        held = sa.select(Seat.account_id).where(Seat.game_id == entry.game_id, Seat.seat == _author(entry))
        ended = (Holiday.account_id.in_(held), Holiday.ended_at == entry.at)
        return self.session.scalar(sa.select(Holiday.id).where(*ended).limit(1)) is not None

    def recount(self, own: Collection[int] = (), *, mails: bool = False) -> None:
        """Write the deadlines that have moved because a calendar changed, as events of the seats, and as mails.

        A deadline moves back only for a seat in `own`, whose holder has changed the calendar.
        """
        now = canonical.seconds(self.at)
        calendars = deadlines.load(self._connection, self.game, deadlines.oldest(now, self.table))
        for seat in range(self.table.seats):
            new = deadlines.recounted(self.table, seat, calendars, now, is_own=seat in own)
            if new is not None:
                self._run(SET_CLOCK, self._of_seat(seat) | new | {"changed": moment_of(now)})
                about = self.game.id, seat, self.table.size - 1, moment_of(now)
                self.events.append(SeatEvent("time", *about, new["deadline"]))
                self.outbox += [outbox.row_of_time(self.session, *about)] if mails else []

    def _of_seat(self, seat: int) -> dict[str, Any]:
        return {"game": self.game.id, "number": seat}


@dataclass(frozen=True, slots=True)
class Logged:
    """The public part of a logged act: its entry and the note of that size; `again` if it was logged before.

    `ends_holiday`: the player who signed it was on holiday until then.
    """

    line: bytes
    note: str
    again: bool
    ends_holiday: bool = False

    @property
    def answer(self) -> dict[str, Any]:
        """As the API answers."""
        return {"entry": self.line.decode("ascii"), "note": self.note, "ends_holiday": self.ends_holiday}


LOBBY = ("joined", "left")


def _author(entry: EntryRow) -> int | None:
    """The seat that made an entry, if a seat did."""
    return msgspec.json.decode(entry.line, type=EntryColumns).seat


@contextmanager
def open_for_writing(services: Services, game_id: str) -> Iterator[Ledger]:
    """Open a game for writing; committed at the end of the block, and only then announced."""
    if game_id not in services.known_sizes:
        before_writing.check_game(services, game_id)
    with services.database.transaction() as transaction:
        ledger = Ledger(services, transaction, lock_game(transaction, game_id))
        _check_no_loss(ledger)
        yield ledger
        accounts = outbox.write_events(transaction.connection(), ledger.events, services.now(), ledger.others)
    services.tables.keep(ledger.table)
    services.waker.wake(ledger.outbox, [f"g{game_id}", *outbox.topics(accounts)], _to_keep(ledger))


def _check_no_loss(ledger: Ledger) -> None:
    """Check that the row has all entries that this process has seen; otherwise the database was restored beneath it."""
    known, game = ledger.services.known_sizes, ledger.game
    if game.head_seq + 1 < known.get(game.id, 0):
        known.pop(game.id, None)  # another thread may have forgotten it by now
        raise Problem("unavailable", says="the database has fewer entries of this game than before")


def _to_keep(ledger: Ledger) -> Sequence[KeptNote]:
    """The note on what has just been committed."""
    services, game, table = ledger.services, ledger.game, ledger.table
    if game.id not in services.known_sizes:
        return ()  # not compared yet: a longer note must not take the place of the one that is kept
    services.known_sizes[game.id] = table.size
    if table.size == game.head_seq + 1 or not services.waker.keeps_notes:
        return ()
    return [KeptNote(game.id, table.size, ledger.note_of(table.size, table.head), table.is_over)]


def entry_row(game_id: str, composed: Composed) -> EntryRow:
    """The row of a composed entry."""
    head = msgspec.json.decode(composed.line, type=EntryColumns)
    return EntryRow(
        game_id=game_id,
        seq=composed.table.size - 1,
        kind=head.kind,
        at=moment(composed.table.at),
        line=composed.line,
        leaf_hash=composed.table.head,
        jws_sha256=sha256(head.jws) if head.jws else None,
    )


def check_host(ledger: Ledger, account_id: int) -> None:
    """Refuse everybody but the host of the table."""
    if ledger.game.host_id != account_id:
        raise Problem("not-host")


def encode_refusal(table: Table, refusal: Any) -> str:
    """Why a move stopped, for its own seat only."""
    from engine.kit import explain

    return msgspec.json.encode({"code": refusal.code, "says": explain(table.game, refusal)}).decode()


def moment(at: str) -> datetime:
    return moment_of(canonical.seconds(at))


def sha256(jws: str) -> bytes:
    return hashlib.sha256(jws.encode("ascii")).digest()


def stop_game(services: Services, game_id: str, fault: EngineFault) -> None:
    """Stop the game after a fault in its rules and notify the operator, who must clear it before anything is logged."""
    services.report_fault(game_id, fault)
    since = sa.func.coalesce(Game.faulted_at, services.now())  # after the first fault nobody could move
    with services.database.write() as session:
        stopped = {"faulted_at": since, "fault": sa.func.coalesce(Game.fault, BROKEN)}
        session.execute(sa.update(Game).where(Game.id == game_id).values(stopped))
