"""One deadline everywhere: rest days move it, and every page, list, mail, event and calendar shows the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Entry, Holiday
from server.play.write import expire
from tests.server import surfaces
from tests.server.boxes import code
from tests.server.harness import Harness, Player
from workers.deadlines import remind, tick

DAY, HOUR = 86400, 3600
CLOCK = {"move": 2 * DAY, "bank": 0, "grace": 12 * HOUR}
WEEKEND = {"days": ["sat", "sun"], "zone": "Europe/Berlin"}
MONDAY = datetime(2026, 11, 22, 23, 0, tzinfo=UTC)  # its midnight in Berlin; the clock of a test begins on Saturday


def kinds(hall: Harness, game: str) -> list[str]:
    with hall.services.database.read() as session:
        return list(session.scalars(sa.select(Entry.kind).where(Entry.game_id == game).order_by(Entry.seq)))


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(3)]


def mover(hall: Harness, people: list[Player], game: str) -> Player:
    (seat,) = hall.client.get(f"/v1/games/{game}").get_json()["active"]
    return next(one for one in people if one.seat == seat)


@pytest.mark.parametrize("rest", [None, WEEKEND])
def test_every_surface_shows_one_deadline(any_hall: Harness, people: list[Player], rest):
    """The row's; and the clock plays then, not a second earlier."""
    game = any_hall.game("pig", people[:2], clock=CLOCK, rest=rest, holidays="no")
    player = mover(any_hall, people, game)
    shown = surfaces.shown(any_hall, game, player)
    due = (MONDAY if rest else any_hall.clock()) + timedelta(days=2, hours=12)
    assert shown == dict.fromkeys(shown, due)
    assert len(shown) == 11
    any_hall.clock.at = due - timedelta(seconds=1)
    assert not expire(any_hall.services, game, player.seat)
    any_hall.clock.at = due
    tick(surfaces.context(any_hall))
    assert kinds(any_hall, game)[-1] == "expired"


def test_a_stretch_over_a_weekend_ends_that_much_later(any_hall: Harness, people: list[Player]):
    """Asked on a Friday, it has two days that count; the players of the table see why."""
    any_hall.clock.at = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)
    game = any_hall.game("pig", people[:2], clock=CLOCK, rest=WEEKEND)
    detail = people[0].get(f"/games/{game}").get_json()
    assert detail["rest"] == WEEKEND
    assert detail["rest_words"].startswith("No clock runs on Saturdays and Sundays (Europe/Berlin).")
    (due,) = detail["deadlines"]
    assert due == {
        "seat": due["seat"],
        "since": "2026-11-20T17:00:00Z",
        "promised": "2026-11-23T05:00:00Z",
        "own_until": "2026-11-24T17:00:00Z",
        "deadline": "2026-11-25T05:00:00Z",
        "why": ["weekend"],
    }


def test_strangers_see_the_deadline_of_the_log_alone(any_hall: Harness, people: list[Player]):
    """So nobody outside a table can tell a holiday from a weekend."""
    game = any_hall.game("pig", people[:2], clock=CLOCK, rest=WEEKEND)
    for answer in (any_hall.client.get(f"/v1/games/{game}"), people[2].get(f"/games/{game}")):
        (due,) = answer.get_json()["deadlines"]
        assert due["deadline"] == due["promised"] == "2026-11-23T22:00:00Z"
        assert (due["own_until"], due["why"]) == (None, [])
    page = any_hall.client.get(f"/games/{game}").get_data(as_text=True)
    assert "data-until" not in page
    assert "or later" in page


def test_the_calendars_sequence_and_the_reminder_follow_the_number_of_the_deadline(any_hall: Harness, people):
    """One reminder for each, when four fifths of the time that counts are gone."""
    game = any_hall.game("pig", people[:2], clock=CLOCK, rest=WEEKEND)
    player = mover(any_hall, people, game)
    row, event = surfaces.seat(any_hall, game, player.seat), surfaces.calendar_event(any_hall, player, game)
    assert (event["sequence"], event.decoded("dtstamp")) == (row.deadline_n, row.changed_at)
    any_hall.clock.at = MONDAY + timedelta(days=2) * 4 / 5
    ctx = surfaces.context(any_hall)
    assert [len(remind(ctx)) for _ in range(2)] == [1, 0]
    assert surfaces.last_event(any_hall, player, game)["deadline"] == "2026-11-25T11:00:00Z"
    player.resign(game)
    assert surfaces.seat(any_hall, game, player.seat).deadline_n == row.deadline_n + 1


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"clock": {"move": 3600}, "rest": WEEKEND}, "rest"),
        ({"clock": None, "rest": WEEKEND}, "rest"),
        ({"clock": {"move": 3600}, "holidays": "yes"}, "holidays"),
        ({"rest": WEEKEND | {"days": ["mon", "tue", "wed", "thu"]}}, "rest"),
        ({"rest": WEEKEND | {"days": ["sat", "sat"]}}, "rest"),
        ({"rest": WEEKEND | {"days": []}}, "rest"),
        ({"host_pause": 15}, "host_pause"),
    ],
)
def test_only_a_slow_table_rests_and_at_most_three_days_a_week(hall: Harness, two: list[Player], wish, field):
    answer = two[0].post("/games", {"type": "pig", "seats": 2, **wish})
    assert code(answer) == (422, "bad-fields")
    assert field in str(answer.get_json())


def test_a_rest_needs_a_zone_that_exists(hall: Harness, two: list[Player]):
    answer = two[0].post("/games", {"type": "pig", "seats": 2, "rest": WEEKEND | {"zone": "Mars/Olympus"}})
    assert code(answer) == (422, "unknown-zone")


def test_holidays_count_by_default_where_a_turn_has_a_day(hall: Harness, two: list[Player]):
    made = [two[0].post("/games", {"type": "pig", "seats": 2, **more}) for more in ({}, {"clock": {"move": 3600}})]
    assert [one.get_json()["holidays"] for one in made] == ["yes", "no"]


def test_the_clock_reads_the_deadline_again_under_the_lock(any_hall: Harness, people: list[Player]):
    """A clock that looked before a holiday was announced writes the row and no entry; the holder has an event."""
    game = any_hall.game("pig", people[:2], clock=CLOCK)
    player = mover(any_hall, people, game)
    due = surfaces.seat(any_hall, game, player.seat).deadline
    any_hall.clock.at = due
    with any_hall.services.database.write() as session:
        days = {"starts_at": due - timedelta(hours=1), "ends_at": due + timedelta(days=5), "made_at": due}
        session.add(Holiday(account_id=player.account, **days))
    assert not expire(any_hall.services, game, player.seat)
    later = due + timedelta(days=5, hours=1)
    event = surfaces.last_event(any_hall, player, game)
    assert (event["kind"], event["deadline"]) == ("time", later.strftime("%Y-%m-%dT%H:%M:%SZ"))
    shown = surfaces.shown(any_hall, game, player)
    assert shown == dict.fromkeys(shown, later)
    assert kinds(any_hall, game)[-1] == "started"
    any_hall.clock.at = later
    assert expire(any_hall.services, game, player.seat)
