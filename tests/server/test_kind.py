"""The laws of the kind deadline, over all time zones and the years 2010 to 2030; the engine's clock is the judge."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.record.log import clock
from engine.record.log.clock import Moment, Stretch, Time
from server.log import kind
from server.log.kind import Calendar, RestSpan, announced, counted, reach, reasons, spare_after

HOUR, DAY = 3600, 86400
FIRST, LAST = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in (2010, 2031))
starts = st.integers(FIRST, LAST)
lengths = st.integers(60, 20 * DAY)
masks = st.integers(0, 127).filter(lambda days: days.bit_count() <= kind.MOST_REST_DAYS)
zones = st.sampled_from(sorted(available_timezones()))
kinds = st.sampled_from((kind.HOLIDAY, kind.PAUSE, kind.OUTAGE))


@st.composite
def spans(draw: st.DrawFn, around: int) -> RestSpan:
    begins = around + draw(st.integers(-20 * DAY, 40 * DAY))
    return RestSpan(draw(kinds), begins, begins + draw(st.integers(1, 14 * DAY)))


@st.composite
def stretches(draw: st.DrawFn) -> tuple[dict[str, int], Time, Calendar]:
    """A clock, a seat whose time runs, and a calendar."""
    start, cap = draw(starts), draw(st.integers(0, 10 * DAY))
    rules = {"move": draw(lengths), "bank": cap, "increment": draw(st.integers(0, DAY)), "cap": cap, "missed": 2}
    time = Time(draw(st.integers(0, cap)), draw(st.integers(0, 3)), Stretch(3, start, draw(st.integers(0, 7 * DAY))))
    found = tuple(draw(st.lists(spans(start), max_size=3)))
    return rules | {"grace": draw(lengths), "grants": 0}, time, Calendar(draw(masks), draw(zones), found)


def start_of(time: Time) -> int:
    assert time.stretch is not None
    return time.stretch.start


def deadline(time: Time, rules: dict[str, int], calendar: Calendar, **more: int) -> int:
    found = announced(time, rules, calendar, **more)
    assert found is not None
    return found.deadline


@given(stretches())
def test_the_deadline_is_never_before_that_of_the_record(one):
    rules, time, calendar = one
    assert deadline(time, rules, calendar) >= clock.deadline(time, rules)


@given(stretches())
def test_without_a_calendar_it_is_the_deadline_of_the_record(one):
    """And so are the end of the seat's own time and the moment of the reminder."""
    rules, time, _ = one
    found, start, absent = announced(time, rules, Calendar()), start_of(time), clock.is_absent(time, rules)
    assert found is not None
    assert found.deadline == clock.deadline(time, rules)
    own = found.deadline - (0 if absent else rules["grace"])
    assert found.own_until == own
    assert found.remind_at == (None if absent else start + (own - start) * 4 // 5)
    assert announced(replace(time, stretch=None), rules, Calendar()) is None


@given(stretches())
def test_no_promised_moment_is_within_a_rest(one):
    rules, time, calendar = one
    for moment in announced(time, rules, calendar) or ():
        assert moment is None or counted(calendar, moment, moment + 1) == 1


@given(stretches(), st.data())
def test_more_rest_more_time_and_a_later_start_never_make_the_deadline_earlier(one, data):
    rules, time, calendar = one
    due, run = deadline(time, rules, calendar), time.stretch
    assert run is not None
    another = data.draw(spans(run.start))
    more = data.draw(st.integers(0, 7 * DAY))
    assert deadline(time, rules, calendar._replace(spans=(*calendar.spans, another))) >= due
    assert due >= deadline(time, rules, calendar._replace(days=0))
    assert deadline(replace(time, stretch=replace(run, granted=run.granted + more)), rules, calendar) >= due
    assert deadline(replace(time, stretch=replace(run, start=run.start + more)), rules, calendar) >= due
    assert deadline(time, rules, calendar, spare=more) >= due


@given(stretches(), st.lists(st.integers(0, 60 * DAY), min_size=2, max_size=2), st.integers(0, 40 * DAY))
def test_counted_time_adds_up_and_reach_is_its_inverse(one, spans_of_time, seconds):
    """The inverse is the last moment by which no more has counted."""
    _, time, calendar = one
    start = start_of(time)
    middle, end = (start + sum(spans_of_time[:number]) for number in (1, 2))
    assert counted(calendar, start, middle) + counted(calendar, middle, end) == counted(calendar, start, end)
    found = reach(calendar, start, seconds)
    assert (counted(calendar, start, found), counted(calendar, start, found + 1)) == (seconds, seconds + 1)


@given(stretches())
def test_the_deadline_is_bounded_by_four_days_that_count_in_a_week(one):
    rules, time, calendar = one
    time_due = (clock.deadline(time, rules) or 0) - start_of(time)
    rested = sum(end - begin for _, begin, end in calendar.spans)
    assert deadline(time, rules, calendar) - start_of(time) <= (time_due + rested + kind.SETTLE) * 7 // 4 + 10 * DAY


@given(stretches(), st.integers(0, 100 * DAY))
def test_a_promised_deadline_of_a_stretch_stays(one, later):
    """A change of zone or of rest days holds for later stretches; of this one the deadline never moves back."""
    rules, time, calendar = one
    before = (clock.deadline(time, rules) or 0) + later
    assert deadline(time, rules, calendar, least=before) >= before


@given(stretches())
def test_after_an_outage_a_seat_has_two_hours_or_its_own_time(one):
    rules, time, calendar = one
    start, due = start_of(time), deadline(time, rules, calendar)
    absent = clock.is_absent(time, rules)
    least = min(kind.SETTLE, rules["grace"] if absent else rules["move"] + time.bank)
    for outage in (one for one in calendar.spans if one.kind == kind.OUTAGE and start < one.end <= due):
        assert counted(calendar, outage.end, due) >= least


@given(stretches(), st.integers(0, 30 * DAY))
def test_the_holders_own_act_leaves_a_day_or_the_seats_own_time(one, later):
    rules, time, calendar = one
    now = start_of(time) + later
    own = rules["grace"] if clock.is_absent(time, rules) else rules["move"] + time.bank
    assert counted(calendar, now, kind.shortest(time, rules, calendar, now)) == min(DAY, own)


ENTRIES = (
    ("moved", 1, {0}),  # seat 1 moves, and seat 0 is asked
    ("moved", 0, {1}),
    ("moved", 0, {0, 1}),
    ("expired", 0, {1}),
    ("expired", 0, {0}),
    ("resigned", None, set()),
)


@given(stretches(), st.lists(st.tuples(st.sampled_from(ENTRIES), st.integers(0, 6 * DAY)), max_size=12))
def test_the_kind_bank_is_the_records_in_time_that_counts(one, entries):
    """The engine's own clock, run in counted time, is the oracle; the bank is never less than in the record."""
    rules, time, calendar = one
    first = start_of(time)
    times: tuple[Time, ...] = (Time(bank=time.bank), Time(bank=time.bank))
    slow, spare, at = times, 0, first
    for seq, ((name, author, owing), gap) in enumerate(entries):
        if author == 0 and times[0].stretch is None:
            continue  # nobody moves who owes nothing
        at += gap
        before, entry = times[0], Moment(seq, at, name, author)
        times = clock.played(times, rules, entry, owing)
        slow = clock.played(slow, rules, Moment(seq, counted(calendar, first, at), name, author), owing)
        mine = Moment(seq, at, name, 0 if author == 0 else None)
        spare = spare_after(before, times[0], rules, calendar, mine, spare)
        assert times[0].bank + spare == slow[0].bank >= times[0].bank


def moment(day: int, hour: int) -> int:
    return int(datetime(2026, 11, day, hour, tzinfo=UTC).timestamp())


def resting(what: str, begins: tuple[int, int], ends: tuple[int, int]) -> Calendar:
    return Calendar(0, spans=(RestSpan(what, moment(*begins), moment(*ends)),))


WEEKEND = 0b1100000
RULES = {"move": 2 * DAY, "bank": 0, "increment": 0, "cap": 0, "grace": DAY // 2, "missed": 2, "grants": 0}


@pytest.mark.parametrize(
    ("start", "calendar", "due", "why"),
    [
        (moment(20, 18), Calendar(), moment(23, 6), []),
        (moment(20, 18), Calendar(WEEKEND), moment(25, 6), ["weekend"]),
        (moment(21, 18), Calendar(WEEKEND), moment(25, 12), ["weekend"]),  # asked on a Saturday
        (moment(18, 12), Calendar(WEEKEND), moment(23, 0), ["weekend"]),  # Friday's midnight is Monday's
        (moment(16, 12), Calendar(WEEKEND), moment(19, 0), []),
        (moment(16, 12), resting("holiday", (17, 0), (20, 0)), moment(22, 0), ["holiday"]),
        (moment(16, 12), resting("outage", (18, 23), (20, 0)), moment(20, 2), ["outage"]),
        (moment(16, 12), resting("pause", (19, 0), (20, 0)), moment(20, 0), ["pause"]),
    ],
)
def test_a_calendar_moves_the_deadline_by_what_it_rests(start, calendar, due, why):
    time = Time(stretch=Stretch(0, start))
    assert datetime.fromtimestamp(deadline(time, RULES, calendar), UTC) == datetime.fromtimestamp(due, UTC)
    assert reasons(calendar, start, due) == why


def test_a_bank_is_not_used_up_by_a_weekend():
    """Asked on Friday evening with a day and a bank of two, moved on Monday evening: the weekend does not count."""
    rules = RULES | {"move": DAY, "bank": 2 * DAY, "cap": 2 * DAY}
    asked = Time(bank=2 * DAY, stretch=Stretch(4, moment(20, 18)))
    entry = Moment(5, moment(23, 17), "moved", 0)
    (after, _) = clock.played((asked, Time()), rules, entry, {1})
    assert after.bank == HOUR
    assert after.bank + spare_after(asked, after, rules, Calendar(WEEKEND), entry, 0) == 2 * DAY
