"""The kind deadline: when the server plays for a seat that has not moved, as a pure function of its stretch, the clock
of the record and a calendar.

The record counts every second, and no entry says otherwise. The server may wait longer than the record demands, never
shorter: time in a *rest* does not count. Rests are the rest days of the table, and spans: holidays of the seat's
holder, pauses, outages. So time that counts is all that a seat ever uses, its bank included:

    own_until  = the moment at which move + granted + bank have been counted since the start of the stretch
    deadline   = the same with the grace period; an absent seat has granted + grace
    remind_at  = the same with four fifths of the seat's own time; an absent seat is not reminded

A moment that falls to the beginning of a rest falls to its end instead. After an outage a seat has two hours more, or
its own time if that is shorter: it could not move meanwhile, and was not reminded. An announced deadline stays, so a
calendar that changes never moves it back (`announced`).

The *kind bank* is the record's, and beside that what the record took from it during rests: a seat's row has the
difference as `spare`. Moments are seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from heapq import merge
from itertools import takewhile
from typing import NamedTuple
from zoneinfo import ZoneInfo

from engine.record.log.clock import Moment, Time, is_absent
from engine.record.log.entry import EVENTFUL
from server.kernel import text

REMIND_FIFTHS = 4  # share of a stretch's own time, without the grace period, after which the reminder is sent
DAY = 86400
SETTLE = 2 * 3600  # after an outage
MOST_REST_DAYS = 3
WEEKEND, HOLIDAY, PAUSE, OUTAGE = "weekend", "holiday", "pause", "outage"
WHY = (WEEKEND, HOLIDAY, PAUSE, OUTAGE)
Rules = Mapping[str, int]


class RestSpan(NamedTuple):
    """Time of a kind that does not count, from `start` until just before `end`."""

    kind: str
    start: int
    end: int


class Calendar(NamedTuple):
    """What does not count for a seat: rest days (bit 0: Monday) in the zone of the table, and spans."""

    days: int = 0
    zone: str = "UTC"
    spans: tuple[RestSpan, ...] = ()


class AnnouncedTimes(NamedTuple):
    """The times that emails and lists show for a seat: the end of its own time, the reminder, and the deadline."""

    own_until: int
    remind_at: int | None
    deadline: int


def is_slow(clock: Rules | None) -> bool:
    """May a table with this clock have rest days and holidays? A seat has at least a day there."""
    return clock is not None and clock["move"] + clock["bank"] >= DAY


def reach(calendar: Calendar, start: int, seconds: int) -> int:
    """The moment by which so many seconds since the start have counted; never within a rest."""
    at, left = start, seconds
    for begins, ends in _rests(calendar, start):
        if left < begins - at:
            break
        left -= max(0, begins - at)
        at = ends
    return at + left


def counted(calendar: Calendar, start: int, end: int) -> int:
    """How many seconds count between two moments."""
    rests = takewhile(lambda rest: rest[0] < end, _rests(calendar, start))
    return max(0, end - start) - sum(min(ends, end) - max(begins, start) for begins, ends in rests)


def reasons(calendar: Calendar, start: int, deadline: int) -> list[str]:
    """The kinds of rests by which a stretch with this deadline is longer than in the record."""
    found = {kind for kind, begins, ends in calendar.spans if begins < deadline and ends > start}
    if next(_weekly(calendar, start), (deadline, 0))[0] < deadline:
        found.add(WEEKEND)
    return [kind for kind in WHY if kind in found]


def announced(time: Time, clock: Rules, calendar: Calendar, spare: int = 0, least: int = 0) -> AnnouncedTimes | None:
    """The times to announce; None if no time of the seat runs. `least` is the deadline that was announced before."""
    run, grace = time.stretch, clock["grace"]
    if run is None:
        return None
    absent = is_absent(time, clock)
    own = run.granted + (grace if absent else clock["move"] + time.bank + spare)
    found = reach(calendar, run.start, own if absent else own + grace)
    deadline = max(found, least, _settled(calendar, run.start, found, own))
    if absent:
        return AnnouncedTimes(deadline, None, deadline)
    own_until = max(reach(calendar, run.start, own), deadline - grace if deadline > found else 0)
    return AnnouncedTimes(own_until, reach(calendar, run.start, own * REMIND_FIFTHS // 5), deadline)


def _settled(calendar: Calendar, start: int, deadline: int, own: int) -> int:
    """The earliest deadline that the outages of a stretch allow."""
    outages = [one for one in calendar.spans if one.kind == OUTAGE and one.end > start and one.start < deadline]
    return max((reach(calendar, one.end, min(SETTLE, own)) for one in outages), default=0)


def shortest(time: Time, clock: Rules, calendar: Calendar, now: int, spare: int = 0) -> int:
    """The earliest deadline that an act of the holder may lead to: a day from now, or the seat's own time."""
    own = clock["grace"] if is_absent(time, clock) else clock["move"] + time.bank + spare
    return reach(calendar, now, min(DAY, own))


def spare_after(before: Time, after: Time, clock: Rules, calendar: Calendar, entry: Moment, spare: int) -> int:
    """The kind bank less the record's after an entry; `entry.seat` is None if it is not of this seat."""
    run, bank = before.stretch, before.bank + spare
    if run is not None and after.stretch != run and entry.kind in EVENTFUL:
        is_own = entry.kind == "moved" and entry.seat is not None
        if not (is_own and is_absent(before, clock)):  # an absent seat that moves has its stretch begin anew
            bank = max(0, bank - max(0, counted(calendar, run.start, entry.at) - run.granted - clock["move"]))
        if is_own:
            bank = min(bank + clock["increment"], clock["cap"])
    return max(0, bank - after.bank)


def left(calendar: Calendar, bank: int, own_until: int, now: int) -> int:
    """What is left of the kind bank in seconds, less what the present stretch has used."""
    return min(bank, counted(calendar, now, own_until))


# --- Rests in order, merged -------------------------------------------------------------------------------------------


def _rests(calendar: Calendar, since: int) -> Iterator[tuple[int, int]]:
    """Every rest that ends after `since`, in order; rests that touch are one."""
    spans = sorted((one.start, one.end) for one in calendar.spans if one.end > max(since, one.start))
    found: tuple[int, int] | None = None
    for begins, ends in merge(spans, _weekly(calendar, since)):
        if found is None or begins > found[1]:
            if found is not None:
                yield found
            found = begins, ends
        else:
            found = found[0], max(found[1], ends)
    if found is not None:
        yield found


def _weekly(calendar: Calendar, since: int) -> Iterator[tuple[int, int]]:
    """The rest days that end after `since`, without an end; each from its first moment to that of the next day."""
    if not calendar.days:
        return
    zone = text.zone_of(calendar.zone)
    day = datetime.fromtimestamp(since, UTC).astimezone(zone).date() - timedelta(days=1)
    while True:
        if calendar.days >> day.weekday() & 1:
            begins, ends = (_midnight(one, zone) for one in (day, day + timedelta(days=1)))
            if ends > max(since, begins):
                yield begins, ends
        day += timedelta(days=1)


@lru_cache(4096)
def _midnight(day: date, zone: ZoneInfo) -> int:
    return int(text.at_hour("00:00", day, zone).timestamp())
