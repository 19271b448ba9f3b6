"""The deadlines in the rows of seats: the calendar of each seat, from rows, and what its row tells (`kind.py`).

Every list, page, mail and calendar reads the row. It is written with the entry that changes it, and by `Ledger.recount`
when a calendar has changed; the clock computes it once more under the game's lock before it plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.log.clock import Moment as EntryMoment
from engine.record.log.table import Table
from server.kernel.db.models import Base, Seat
from server.kernel.db.session import Prepared, UtcDateTime, moment_of
from server.kernel.db.tables import Row
from server.log import kind, seats
from server.log.kind import AnnouncedTimes, Calendar, RestSpan

AHEAD = timedelta(hours=48)  # how long before it begins a holiday is announced where `ahead` counts
HOLIDAYS = ("yes", "ahead", "no")
SIGNED = ("moved", "resigned", "taken", "key", "offer")  # entries of a running game by the holder of a seat

_seat, _holiday, _pause, _outage = (Base.metadata.tables[name] for name in ("seat", "holiday", "pause", "outage"))
GAME: sa.BindParameter[str] = sa.bindparam("game")
SINCE = sa.bindparam("since", type_=UtcDateTime)
OF_HOLIDAY = ("starts_at", "ends_at", "made_at", "ended_at")
NO_NUMBER, NO_MOMENT = sa.cast(sa.null(), sa.Integer), sa.cast(sa.null(), UtcDateTime)


def _facts(what: str, seat: Any, number: Any, *moments: Any) -> sa.Select[Any]:
    names = ("starts", "ends", "made", "ended")
    columns = (sa.type_coerce(one, UtcDateTime).label(name) for one, name in zip(moments, names, strict=True))
    return sa.select(sa.literal(what).label("what"), seat.label("seat"), number.label("number"), *columns)


# The seats of a game with their clocks, and all that may have rested since. One statement, for every entry.
FACTS = Prepared(
    sa.union_all(
        _facts("seat", _seat.c.seat, _seat.c.spare, _seat.c.active_since, _seat.c.deadline, NO_MOMENT, NO_MOMENT).where(
            _seat.c.game_id == GAME
        ),
        _facts("holiday", _seat.c.seat, _holiday.c.id, *(_holiday.c[name] for name in OF_HOLIDAY))
        .select_from(_seat.join(_holiday, _holiday.c.account_id == _seat.c.account_id))
        .where(_seat.c.game_id == GAME, _holiday.c.ends_at > SINCE),
        _facts("pause", NO_NUMBER, NO_NUMBER, _pause.c.starts_at, _pause.c.ends_at, NO_MOMENT, _pause.c.ended_at).where(
            _pause.c.game_id == GAME, _pause.c.ends_at > SINCE
        ),
        _facts("outage", NO_NUMBER, NO_NUMBER, _outage.c.starts_at, _outage.c.ends_at, NO_MOMENT, NO_MOMENT).where(
            _outage.c.ends_at > SINCE
        ),
    )
)
END_HOLIDAY = (
    sa.update(_holiday)
    .where(_holiday.c.id == sa.bindparam("holiday"), _holiday.c.ended_at.is_(None))
    .values(ended_at=sa.bindparam("at", type_=UtcDateTime), applied_at=None)
)


class StoredClock(NamedTuple):
    """What the row of a seat says of its clock: when its stretch began, its deadline, and its spare seconds."""

    since: datetime | None
    deadline: datetime | None
    spare: int


class Calendars:
    """The clocks in the rows of a game's seats, and the calendar of each."""

    def __init__(self, game: Row, rows: Sequence[Any]) -> None:
        self._game = game
        self._rests = [row for row in rows if row.what != "seat"]
        seats = [row for row in rows if row.what == "seat"]
        self.held = {row.seat: StoredClock(row.starts, row.ends, row.number) for row in seats}

    def of(self, seat: int, since: int) -> Calendar:
        """The calendar of a seat whose stretch began then."""
        spans = (self._span(row, since) for row in self._rests if row.seat in (None, seat))
        zone = self._game.rest_zone or "UTC"
        return Calendar(self._game.rest_days, zone, tuple(one for one in spans if one is not None))

    def _span(self, row: Any, since: int) -> RestSpan | None:
        """A holiday that ended early is over; a pause that did so stays as announced to those who owed a move."""
        starts, ends, ended = (_seconds(at) for at in (row.starts, row.ends, row.ended))
        assert starts is not None
        assert ends is not None
        if row.what == kind.HOLIDAY and not counts(self._game.holidays, row.starts, row.made):
            return None
        if ended is not None and not (row.what == kind.PAUSE and since < ended):
            ends = min(ends, ended)
        return RestSpan(row.what, starts, ends) if starts < ends else None

    def on_holiday(self, seat: int, at: int) -> list[int]:
        """The holidays that the holder of a seat is on, whether or not this table counts them."""
        here = (row for row in self._rests if row.what == kind.HOLIDAY and row.seat == seat)
        return [row.number for row in here if row.starts.timestamp() <= at < (row.ended or row.ends).timestamp()]


def counts(holidays: str, starts: datetime, made: datetime) -> bool:
    """Does a table with this choice count a holiday that was announced then?"""
    return holidays == "yes" or (holidays == "ahead" and made <= starts - AHEAD)


def load(connection: sa.Connection, game: Row, since: int) -> Calendars:
    """All that may have rested since then, which is the beginning of the oldest stretch."""
    rows = FACTS.all(connection, {"game": game.id, "since": moment_of(since)})
    return Calendars(game, rows)


def oldest(now: int, *tables: Table) -> int:
    """The beginning of the oldest stretch in these tables; now if there is none."""
    runs = [time.stretch for table in tables for time in table.times if time.stretch is not None]
    return min((run.start for run in runs), default=now)


def columns(before: Table, table: Table, seat: int, calendars: Calendars, entry: EntryMoment) -> dict[str, Any]:
    """The clock of a seat, for its row, after the entry by which the table before became `table`."""
    clock, held = table.created["clock"], calendars.held.get(seat, StoredClock(None, None, 0))
    was, time, spare = before.times[seat], table.times[seat], 0
    if clock is not None:
        since = entry.at if was.stretch is None else was.stretch.start
        spare = kind.spare_after(was, time, clock, calendars.of(seat, since), entry, held.spare)
    return _row(table, seat, calendars, held._replace(spare=spare), _announced_before(table, seat, held)) | {
        "spare": spare
    }


def recounted(table: Table, seat: int, calendars: Calendars, now: int, *, is_own: bool) -> dict[str, Any] | None:
    """The clock of a seat after its calendar has changed, None if its deadline stays.

    Not earlier than announced; by its holder's own act not earlier than a day from now, or its own time if shorter.
    """
    held, run = calendars.held.get(seat), table.times[seat].stretch
    if held is None or run is None or held.deadline is None or seat in table.gone or table.deadline(seat) is None:
        return None
    least = _announced_before(table, seat, held)
    if is_own:
        own = kind.shortest(table.times[seat], table.created["clock"], calendars.of(seat, run.start), now, held.spare)
        least = min(least, max(own, table.deadline(seat) or 0))
    new = _row(table, seat, calendars, held, least)
    return None if new["deadline"] == held.deadline else new


def _announced_before(table: Table, seat: int, held: StoredClock) -> int:
    """The deadline announced for the stretch that the seat has now; 0 if none."""
    run = table.times[seat].stretch
    same = run is not None and held.deadline is not None and held.since == moment_of(run.start)
    return int(held.deadline.timestamp()) if same and held.deadline is not None else 0


def _row(table: Table, seat: int, calendars: Calendars, held: StoredClock, least: int) -> dict[str, Any]:
    promised, run = table.deadline(seat), table.times[seat].stretch
    if promised is None or run is None or seat in table.gone:
        return _moments(None if promised is None else AnnouncedTimes(promised, None, promised))
    clock = table.created["clock"]
    return _moments(kind.announced(table.times[seat], clock, calendars.of(seat, run.start), held.spare, least))


def _moments(times: AnnouncedTimes | None) -> dict[str, Any]:
    at = times or (None, None, None)
    return {name: None if one is None else moment_of(one) for name, one in zip(AnnouncedTimes._fields, at, strict=True)}


# --- What a table shows of its clocks ---------------------------------------------------------------------------------


class Due(NamedTuple):
    """The clock of a seat that owes a move. To strangers `deadline` is `promised`: a holiday is not their business.

    `bank` are the seconds left in its time bank now, None if the deadline includes none.
    """

    since: datetime
    promised: datetime
    deadline: datetime
    own_until: datetime | None
    why: list[str]
    bank: int | None


def due(session: Session, game: Row, table: Table, now: datetime, *, is_seated: bool) -> dict[int, Due]:
    """By seat, the clocks as the players of the table see them, or as everyone else does."""
    running = [seat for seat in range(table.seats) if table.deadline(seat) is not None]
    if not is_seated or not running:
        return {seat: _promised(table, seat, now) for seat in running}
    calendars = load(session.connection(), game, oldest(int(now.timestamp()), table))
    rows = session.scalars(sa.select(Seat).where(Seat.game_id == game.id, Seat.seat.in_(running)))
    shown = {row.seat: one for row in rows if (one := _of_row(row, calendars, now)) is not None}
    return {seat: _same(shown.get(seat), _promised(table, seat, now)) for seat in running}


def _same(shown: Due | None, promised: Due) -> Due:
    """The row may be of an earlier or later entry than the table."""
    return shown if shown is not None and shown.promised == promised.promised else promised


def _promised(table: Table, seat: int, now: datetime) -> Due:
    since, promised = seats.since(table, seat), table.deadline(seat)
    assert since is not None
    assert promised is not None
    bank = None if seats.is_absent(table, seat) else seats.bank_left(table, seat, now)
    return Due(since, moment_of(promised), moment_of(promised), None, [], bank)


def _of_row(seat: Seat, calendars: Calendars, now: datetime) -> Due | None:
    if seat.active_since is None or seat.promised is None or seat.deadline is None or seat.own_until is None:
        return None
    since, until = (int(at.timestamp()) for at in (seat.active_since, seat.own_until))
    calendar = calendars.of(seat.seat, since)
    why = [] if seat.deadline == seat.promised else kind.reasons(calendar, since, int(seat.deadline.timestamp()))
    bank = None if seat.absent else kind.left(calendar, (seat.bank or 0) + seat.spare, until, int(now.timestamp()))
    return Due(seat.active_since, seat.promised, seat.deadline, seat.own_until, why, bank)


def _seconds(at: datetime | None) -> int | None:
    return None if at is None else int(at.timestamp())
