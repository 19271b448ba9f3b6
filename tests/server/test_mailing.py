"""When a mail is sent: one pure function, and hours in time zones, judged by laws and by a slow clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.kernel.text import at_hour, end_of_quiet, following_hour
from server.mailbox import choices as mailbox_choices
from server.mailbox.choices import (
    ALWAYS,
    HERE,
    KIND_OF,
    LONGEST_HERE,
    MODES,
    Choices,
    Exceptions,
    MailCandidate,
    at_table,
    decide,
)

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
# With DST north and south, by half an hour, at midnight, and a day that an island left out.
ZONES = [
    ZoneInfo(name)
    for name in (
        "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "America/Santiago",
        "Asia/Kolkata", "Pacific/Apia",
    )
]  # fmt: skip
BEGIN = datetime(2011, 12, 1, tzinfo=UTC)
zones = st.sampled_from(ZONES)
hours = st.builds("{:02}:{:02}".format, st.integers(0, 23), st.sampled_from((0, 15, 30, 59)))


@st.composite
def moments(draw):
    """Any minute; half of them within a day of a change of the clocks."""
    zone, minutes = draw(zones), draw(st.integers(0, 60 * 24 * 365 * 2))
    moment = BEGIN + minutes * MINUTE
    if draw(st.booleans()):
        moment = _change_after(moment, zone) + draw(st.integers(-1500, 1500)) * MINUTE
    return moment, zone


def _change_after(moment, zone):
    for _ in range(400):
        if (moment + DAY).astimezone(zone).utcoffset() != moment.astimezone(zone).utcoffset():
            return moment
        moment += DAY
    return moment


def slow_hour(hour, day, zone):
    """The first minute at which a clock shows that hour or a later one; after the day, if it was left out."""
    wanted = datetime.combine(day, datetime.min.time()) + timedelta(hours=int(hour[:2]), minutes=int(hour[3:]))
    moment = wanted.replace(tzinfo=UTC) - timedelta(hours=15)
    while moment.astimezone(zone).replace(tzinfo=None) < wanted:
        moment += MINUTE
    return moment


@given(moments(), hours)
@settings(max_examples=20, deadline=None)
def test_an_hour_of_a_day_matches_the_slow_clock(when, hour):
    """Also on days on which the hour is skipped or comes twice."""
    moment, zone = when
    day = moment.astimezone(zone).date()
    assert at_hour(hour, day, zone) == slow_hour(hour, day, zone)


@pytest.mark.parametrize(
    ("hour", "day", "expected"),
    [
        ("02:30", (2026, 3, 29), (2026, 3, 29, 1, 0)),  # skipped: when the clock is put forward
        ("02:30", (2026, 10, 25), (2026, 10, 25, 0, 30)),  # twice: the first time
        ("08:00", (2026, 3, 28), (2026, 3, 28, 7, 0)),
        ("08:00", (2026, 3, 30), (2026, 3, 30, 6, 0)),
    ],
)
def test_hours_in_berlin(hour, day, expected):
    """Expected values written by hand."""
    date = datetime(*day, tzinfo=UTC).date()
    assert at_hour(hour, date, ZoneInfo("Europe/Berlin")) == datetime(*expected, tzinfo=UTC)


@given(moments(), hours)
@settings(max_examples=26, deadline=None)
def test_the_next_digest_is_within_a_day_or_so_at_its_hour(when, hour):
    """The one after it is later."""
    now, zone = when
    found = following_hour(hour, now, zone)
    assert timedelta(0) <= found - now <= 2 * DAY + timedelta(hours=2)
    assert following_hour(hour, found, zone) == found
    assert following_hour(hour, found + MINUTE, zone) > found


@given(moments(), hours, hours.filter(lambda hour: hour != "12:00"))
@settings(max_examples=26, deadline=None)
def test_quiet_hours_end(when, since, until):
    """On a usual day it is quiet exactly between the two hours."""
    now, zone = when
    if since == until:
        return
    ends = end_of_quiet(since, until, now, zone)
    shown = f"{now.astimezone(zone):%H:%M}"
    offsets = {(now + count * timedelta(hours=12)).astimezone(zone).utcoffset() for count in range(-5, 6)}
    if len(offsets) == 1:
        between = since <= shown < until if since < until else shown >= since or shown < until
        assert (ends is not None) == between
    if ends is not None:
        assert now < ends
        assert end_of_quiet(since, until, ends, zone) is None


kinds = st.sampled_from(sorted(KIND_OF))
modes = st.sampled_from(MODES)


@st.composite
def wishes(draw):
    quiet = draw(st.one_of(st.none(), st.tuples(hours, hours).filter(lambda pair: pair[0] != pair[1])))
    return Choices(
        turn=draw(modes), reminder=draw(modes), started=draw(modes), over=draw(modes), absent=draw(modes),
        delay=draw(st.sampled_from((0, 5, 600))), on_site=draw(st.booleans()), digest_hour=draw(hours),
        quiet_from=quiet and quiet[0], quiet_until=quiet and quiet[1],
    )  # fmt: skip


@st.composite
def questions(draw, kind=kinds):
    """The event, the settings, the zone, and the time."""
    now, zone = draw(moments())
    made = now - draw(st.integers(0, 2000)) * MINUTE
    maybe = st.one_of(st.none(), st.integers(1, 3000))
    deadline, there, seen = draw(maybe), draw(st.one_of(st.none(), st.integers(-10, 10))), draw(maybe)
    asked = MailCandidate(
        kind=draw(kind),
        made=made,
        deadline=deadline and now + deadline * MINUTE,
        there_until=None if there is None else now + there * MINUTE,
        seen=seen and now - seen * MINUTE / 10,
        muted=draw(st.sampled_from((False, False, False, True))),
    )
    return asked, draw(wishes()), zone, now


@pytest.mark.slow
@given(questions())
@settings(max_examples=100, deadline=None)
def test_a_delayed_mail_is_sent_in_the_end_and_not_in_quiet_hours(question):
    """Asked again at each given time, it is sent or put in a digest within days, unless it is not wanted."""
    asked, choices, zone, now = question
    found = decide(asked, choices, zone, now)
    for _ in range(12):
        if found.do in ("send", "not"):
            break
        assert found.at is not None
        assert found.at >= now
        now = found.at
        if found.do == "digest":
            break
        found = decide(asked, choices, zone, now)
    else:
        raise AssertionError("it waits forever")
    wanted = choices.mode(asked.kind) != "off" and not asked.muted
    assert (found.do != "not") == wanted
    assert now - question[3] < 3 * DAY
    quiet = choices.quiet_from is not None and end_of_quiet(choices.quiet_from, choices.quiet_until, now, zone)
    assert not (wanted and quiet) or found.reason == "deadline"


@pytest.mark.slow
@given(questions())
@settings(max_examples=66, deadline=None)
def test_no_mail_waits_beyond_its_deadline(question):
    """Neither for a digest nor for the end of quiet hours."""
    found = decide(*question)
    deadline = question[0].deadline
    assert found.at is None or deadline is None or found.at < deadline


@given(questions(st.sampled_from(ALWAYS)))
@settings(max_examples=20, deadline=None)
def test_mails_about_the_account_are_sent_at_once(question):
    """With any settings, muted or quiet."""
    assert decide(*question).do == "send"


@given(questions())
@settings(max_examples=33, deadline=None)
def test_by_default_every_mail_is_sent_at_once(question):
    """Except for the pause for a player who was at the table a moment ago."""
    asked, _, zone, now = question
    found = decide(asked, Choices(), zone, now)
    if asked.muted:
        assert found.reason == "muted"
    elif asked.there_until is None or asked.there_until <= now:
        assert found.do == "send"


NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("choices", "asked", "expected"),
    [
        ({"turn": "off"}, {}, ("not", "off", None)),
        ({}, {"muted": True}, ("not", "muted", None)),
        ({"delay": 30}, {}, ("wait", "delay", 30)),
        ({"delay": 30}, {"deadline": 20}, ("send", "deadline", None)),
        ({"turn": "digest", "digest_hour": "14:00"}, {}, ("digest", "digest", 60)),
        ({"turn": "digest", "digest_hour": "14:00"}, {"deadline": 60}, ("send", "deadline", None)),
        ({"quiet_from": "12:30", "quiet_until": "13:30"}, {}, ("wait", "quiet", 30)),
        ({"quiet_from": "12:30", "quiet_until": "13:30"}, {"deadline": 29}, ("send", "deadline", None)),
        ({"quiet_from": "13:30", "quiet_until": "12:30"}, {}, ("send", "now", None)),
        ({"on_site": False}, {"seen": 4}, ("wait", "on-site", 6)),
        ({"on_site": False}, {"seen": 10}, ("send", "now", None)),
        ({"on_site": True}, {"seen": 0}, ("send", "now", None)),
        ({"on_site": False, "delay": 7}, {"seen": 4}, ("wait", "delay", 7)),
        ({}, {"there_until": 10}, ("wait", "there", 10)),
    ],
)
def test_each_choice_by_example(choices, asked, expected):
    """One o'clock in Berlin; minutes from now."""
    signs = {"deadline": 1, "there_until": 1, "seen": -1}
    given = {name: value if name == "muted" else NOON + signs[name] * value * MINUTE for name, value in asked.items()}
    found = decide(MailCandidate("turn", NOON, **given), Choices(**choices), BERLIN, NOON)
    minutes = None if found.at is None else (found.at - NOON) // MINUTE
    assert (found.do, found.reason, minutes) == expected


def test_an_open_page_delays_mail_for_an_hour_at_most():
    """Somebody may have left a tab open."""
    choices, now = Choices(on_site=False), NOON
    while (found := decide(MailCandidate("turn", NOON, seen=now), choices, BERLIN, now)).do == "wait":
        assert found.at is not None
        now = found.at
    assert now == NOON + LONGEST_HERE
    assert HERE < LONGEST_HERE


def test_a_table_overrides_only_the_settings_it_names():
    everywhere = Choices(turn="digest", delay=5, digest_hour="06:00")
    assert at_table(everywhere, Exceptions(turn="on")) == Choices(turn="on", delay=5, digest_hour="06:00")


def test_reminders_come_at_each_mark_within_the_stretch():
    """Earlier marks send nothing: the mail of the turn has just said how much time is left."""
    deadline = NOON + timedelta(hours=10)
    assert [hour for _, hour in mailbox_choices.marks((24, 3, 9), NOON, deadline)] == [9, 3]
    assert mailbox_choices.due((24, 9, 3), NOON, deadline, NOON) == (NOON + timedelta(hours=1), 9)
    assert mailbox_choices.due((24, 9, 3), NOON, deadline, NOON + timedelta(hours=8)) == (NOON + timedelta(hours=7), 3)
    assert mailbox_choices.due((24,), NOON, deadline, NOON) is None
    assert mailbox_choices.marks((10,), NOON, deadline) == []
