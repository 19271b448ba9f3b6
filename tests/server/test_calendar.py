"""The calendar of deadlines: read back by the library, the same bytes from the same rows, and closed with its link."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import icalendar
import pytest
import sqlalchemy as sa

from server.kernel.db.models import CalendarLink, Game
from tests.kit.absent import mentions
from tests.server.boxes import code
from tests.server.harness import HOST, Harness, Player

CLOCK = {"move": 3 * 86400, "grace": 300}


@pytest.fixture
def game(hall: Harness, two: list[Player]) -> str:
    return hall.game("pig", two, clock=CLOCK)


def link(player: Player) -> str:
    """Its path, as it is shown once."""
    answer = player.post("/me/calendar")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    return answer.get_json()["url"].removeprefix(f"https://{HOST}")


def events(hall: Harness, path: str) -> list:
    answer = hall.client.get(path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    return icalendar.Calendar.from_ical(answer.get_data()).walk("VEVENT")


def active(hall: Harness, two: list[Player], game: str) -> Player:
    (seat,) = {one["seat"] for player in two for one in player.get("/me/turns").get_json() if one["game"] == game}
    return next(player for player in two if player.seat == seat)


def test_a_deadline_is_an_event_at_the_end_of_ones_own_time_with_an_alarm(hall: Harness, two: list[Player], game: str):
    """Without the grace period, which nobody should count on; the alarm is at the time of the reminder."""
    (event,) = events(hall, link(active(hall, two, game)))
    begun = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)
    assert event.decoded("dtstart") == begun + timedelta(days=3)
    assert event.decoded("dtstamp") == event.decoded("last-modified") == begun
    assert str(event["summary"]) == f"Your turn: Pig #{game[:4]}"
    assert "A grace period of 5 minutes follows." in str(event["description"])
    assert str(event["url"]) == f"https://{HOST}/games/{game}"
    (alarm,) = event.walk("VALARM")
    assert alarm.decoded("trigger") == -timedelta(seconds=3 * 86400 // 5)


def test_alarms_come_at_the_hours_of_ones_reminders(hall: Harness, two: list[Player], game: str):
    """As chosen at that table."""
    player = active(hall, two, game)
    body = {"remind": "hours", "hours": [24, 3]}
    hall.client.patch(f"/v1/me/mail/games/{game}", json=body, headers=player.auth)
    (event,) = events(hall, link(player))
    triggers = [alarm.decoded("trigger") for alarm in event.walk("VALARM")]
    assert triggers == [-timedelta(hours=24), -timedelta(hours=3)]


def test_the_same_rows_are_the_same_bytes_and_their_hash_the_tag(hall: Harness, two: list[Player], game: str):
    """They do not depend on the time of the request: an unchanged calendar gets 304."""
    path = link(active(hall, two, game))
    first = hall.client.get(path)
    hall.clock.forward(hours=20)
    again = hall.client.get(path)
    assert again.get_data() == first.get_data()
    assert hashlib.sha256(first.get_data()).hexdigest()[:32] in first.headers["ETag"]
    assert hall.client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_an_event_moves_with_the_next_question_and_goes_with_the_last(hall: Harness, two: list[Player], game: str):
    """The same UID with a higher SEQUENCE; no event without a move to make, or for a game that is over or stopped."""
    player = active(hall, two, game)
    path = link(player)
    (event,) = events(hall, path)
    hall.clock.forward(hours=1)
    while player is active(hall, two, game):
        player.move(game, [player.legal(game)[-1]])
    assert events(hall, path) == []
    other = active(hall, two, game)
    while other is active(hall, two, game):
        other.move(game, [other.legal(game)[-1]])
    (moved,) = events(hall, path)
    assert moved["uid"] == event["uid"]
    assert moved["sequence"] > event["sequence"]
    assert moved.decoded("dtstart") == event.decoded("dtstart") + timedelta(hours=1)
    with hall.services.database.write() as session:
        session.execute(sa.update(Game).where(Game.id == game).values(faulted_at=hall.clock()))
    assert events(hall, path) == []


def test_a_hidden_game_s_calendar_tells_what_anybody_may_know(hall: Harness, two: list[Player]):
    """When who has to move; nothing of a hand."""
    game = hall.game("bids", two, clock=CLOCK)
    text = hall.client.get(link(two[0])).get_data(as_text=True)
    favourite = two[0].get(f"/games/{game}/view").get_json()
    assert "favourite" in str(favourite)
    assert [mentions(word, text) for word in ("favourite", "red", "green", "blue", "yellow")] == [0] * 5


def test_a_link_is_shown_once_kept_as_a_hash_and_closed_by_a_new_one(hall: Harness, two: list[Player]):
    """It opens nothing but the calendar, and nobody else's."""
    old = link(two[0])
    secret = old.rpartition("=")[2]
    with hall.services.database.read() as session:
        assert session.scalars(sa.select(CalendarLink.hash)).one() == hashlib.sha256(secret.encode()).digest()
    assert secret not in two[0].get("/me/calendar").get_data(as_text=True)
    assert code(two[1].get("/me/calendar")) == (404, "not-found")
    assert hall.client.get("/v1/me", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    new = link(two[0])
    assert hall.client.get(old).status_code == 410
    assert hall.client.get(new).status_code == 200
    assert two[0].get("/me/calendar").get_json()["last_used_at"] == "2026-11-21T10:00:00Z"
    assert two[0].delete("/me/calendar").status_code == 204
    assert hall.client.get(new).status_code == 410
    assert hall.client.get("/me/calendar.ics").status_code == 410


def test_end_all_and_erasure_close_it(hall: Harness, two: list[Player]):
    """With everything else that acts in one's name."""
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    made = browser.post("/account/calendar")
    assert "no-store" in made.headers["Cache-Control"]
    assert "A link for calendar programs" in browser.get("/account").get_data(as_text=True)
    paths = [link(two[0]), link(two[1])]
    browser.post("/account/end-all")
    two[1].erase()
    assert [hall.client.get(path).status_code for path in paths] == [410, 410]


def test_buttons_of_another_page_make_and_drop_nothing(hall: Harness, two: list[Player]):
    """Whoever made the link could read it."""
    path = link(two[0])
    foreign = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    for form in ("/account/calendar", "/account/calendar/drop"):
        assert browser.post(form, headers=foreign).status_code == 403
        assert hall.browser().post(form).status_code == 401
    assert hall.client.get(path).status_code == 200
    assert browser.post("/account/calendar/drop").status_code == 303
    assert hall.client.get(path).status_code == 410
