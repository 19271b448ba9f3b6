"""A pause that all players agree to: asked, agreed, objected to, and beside everything that happens meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from server.kernel.text import iso
from server.play.write import expire
from server.tables.after import consents
from server.tables.calendar import pauses
from tests.server import surfaces
from tests.server.boxes import code
from tests.server.harness import Harness, Player
from tests.server.test_after import absent, bid
from tests.server.test_deadlines import CLOCK, kinds, mover
from tests.server.test_holidays import due
from tests.server.test_time_races import at_once
from tests.server.test_web import words

DAY = timedelta(days=1)


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(3)]


def agree(player: Player, game: str, until: datetime) -> Any:
    client, path = player.harness.client, f"/v1/games/{game}/consents/pause"
    return client.put(path, json={"until": iso(until)}, headers=player.auth)


def waits(player: Player, game: str) -> list[str]:
    games = player.get("/me/games").get_json()["games"]
    return next(one["waits"] for one in games if one["id"] == game)


def test_a_game_is_paused_when_all_agree(any_hall: Harness, people: list[Player]):
    """All surfaces show the new deadline, and the host has as many days as before."""
    one, two, stranger = people
    game = any_hall.game("pig", [one, two], clock=CLOCK, host_pause=3)
    player, until = mover(any_hall, people[:2], game), any_hall.clock() + 7 * DAY
    told = due(any_hall, game, player)
    assert code(agree(stranger, game, until)) == (403, "no-seat")
    wish = agree(one, game, until).get_json()
    assert (wish["agreed"], wish["pause_until"], wish["carried_out"]) == ([0], iso(until), False)
    assert ("pause" in waits(one, game), "pause" in waits(two, game)) == (False, True)
    assert due(any_hall, game, player) == told
    for _ in range(2):
        assert agree(two, game, until).get_json()["carried_out"]
    shown = surfaces.shown(any_hall, game, player)
    assert shown == dict.fromkeys(shown, told + 7 * DAY)
    assert "pause" not in waits(two, game)
    assert one.get(f"/games/{game}").get_json()["host_pause_left"] == 3
    assert len(surfaces.notices(any_hall, "time")) == 1


def test_an_agreement_to_another_end_is_a_new_wish(any_hall: Harness, people: list[Player]):
    one, two, _ = people
    game = any_hall.game("pig", [one, two], clock=CLOCK)
    agree(one, game, any_hall.clock() + 7 * DAY)
    wish = agree(two, game, any_hall.clock() + 8 * DAY).get_json()
    assert (wish["agreed"], wish["carried_out"]) == ([1], False)


def test_an_objection_or_a_new_player_ends_the_wish_to_pause(any_hall: Harness, people: list[Player]):
    one, two, new = people
    game, until = any_hall.game("pig", [one, two], clock=CLOCK), any_hall.clock() + 7 * DAY
    agree(one, game, until)
    assert two.delete(f"/games/{game}/consents/pause").status_code == 204
    assert one.get(f"/games/{game}/consents/pause").get_json()["agreed"] == []
    agree(two, game, until)
    two.offer(game)
    assert new.take(game, 1).status_code == 201
    assert agree(one, game, until).get_json()["agreed"] == [0]


@pytest.mark.parametrize("agreed", [1, 2])
def test_an_absent_player_delays_a_pause_by_a_week_at_most(any_hall: Harness, people: list[Player], agreed: int):
    """If not all others have agreed by then, the wish is forgotten."""
    short = {"move": 600, "bank": 0, "grace": 300}
    game = any_hall.game("bids", people, clock=short, options={"lots": 9})
    absent(any_hall, game, people)
    until = any_hall.clock().replace(microsecond=0) + 20 * DAY
    for player in people[:agreed]:
        assert not agree(player, game, until).get_json()["carried_out"]
    any_hall.clock.forward(days=7)
    consents.settle(any_hall.services, game)
    wish = people[0].get(f"/games/{game}/consents/pause").get_json()
    assert (wish["agreed"], wish["pause_until"]) == ([], None)
    assert pauses.shown(any_hall.services, game)["until"] == (iso(until) if agreed == 2 else None)


def test_a_wish_ends_when_its_pause_would_be_too_short(any_hall: Harness, people: list[Player]):
    """Nobody could agree to it any more; until then it waits."""
    one, two, _ = people
    game = any_hall.game("pig", [one, two], clock=CLOCK)
    agree(one, game, any_hall.clock().replace(microsecond=0) + 2 * DAY)
    any_hall.clock.forward(days=1, hours=23)
    assert (settled(any_hall), "pause" in waits(two, game)) == ([], True)
    any_hall.clock.forward(seconds=1)
    assert (settled(any_hall), "pause" in waits(two, game)) == ([game], False)
    assert two.get(f"/games/{game}/consents/pause").get_json()["pause_until"] is None


def test_a_pause_that_an_absent_player_holds_up_does_not_begin_early(any_hall: Harness, people: list[Player]):
    """They have seven days to object, also if it would end before."""
    short = {"move": 600, "bank": 0, "grace": 300}
    game = any_hall.game("bids", people, clock=short, options={"lots": 9})
    absent(any_hall, game, people)
    until = any_hall.clock().replace(microsecond=0) + 3 * DAY
    for player in people[:2]:
        agree(player, game, until)
    any_hall.clock.forward(days=2, hours=23, minutes=30)
    assert settled(any_hall) == [game]
    assert pauses.shown(any_hall.services, game)["until"] is None


def settled(hall: Harness) -> list[str]:
    """The games whose wishes the clock looks at now."""
    with hall.services.database.read() as session:
        found = list(session.scalars(consents.due(hall.clock())))
    for game in found:
        consents.settle(hall.services, game)
    return found


@pytest.mark.parametrize(
    ("span", "clock", "wrong"),
    [
        (timedelta(minutes=59), CLOCK, (422, "bad-pause")),
        (timedelta(days=61), CLOCK, (422, "bad-pause")),
        (DAY, None, (409, "no-clock")),
    ],
)
def test_a_wish_to_pause_has_bounds(hall: Harness, two: list[Player], span, clock, wrong):
    game = hall.game("pig", two, clock=clock)
    refused = agree(two[0], game, hall.clock() + span)
    assert code(refused) == wrong
    assert wrong[1] != "bad-pause" or "at least an hour, and at most 60 days" in refused.get_json()["title"]
    assert two[0].get(f"/games/{game}/consents/pause").get_json()["agreed"] == []


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 1])
def test_the_last_agreement_and_a_clock_at_once(each_hall: Harness, first: int):
    """If the clock has not played, the pause counts."""
    people = [each_hall.player(number) for number in range(2)]
    game = each_hall.game("pig", people, clock=CLOCK)
    player = mover(each_hall, people, game)
    each_hall.clock.at = due(each_hall, game, player)
    until, by = each_hall.clock.at + 3 * DAY, [one.account for one in people]
    consents.agree(each_hall.services, game, by[0], until)
    acts = [
        lambda: expire(each_hall.services, game, player.seat),
        lambda: consents.agree(each_hall.services, game, by[1], until)["carried_out"],
    ]
    done = at_once(*acts) if first == 0 else at_once(*acts[::-1])[::-1]
    assert done[1]
    assert (kinds(each_hall, game)[-1] == "expired") == done[0]
    if not done[0]:
        assert due(each_hall, game, player) == until


def test_players_pause_a_game_together_on_its_page(hall: Harness, two: list[Player]):
    game = hall.game("pig", two, clock=CLOCK, host_pause=3)
    browsers = [hall.browser(), hall.browser()]
    for number, browser in enumerate(browsers):
        browser.sign_in(hall, f"player{number}@example.org")
    assert browsers[0].post(f"/games/{game}/consents/pause", data={"days": "7", "do": "agree"}).status_code == 303
    page = browsers[1].get(f"/games/{game}")
    assert "agreed to pause the game until Saturday 28 November 2026, 10:00 UTC . Do you agree, too?" in words(page)
    until = page.get_data(as_text=True).partition('name="until" value="')[2].partition('"')[0]
    for _ in range(2):
        sent = browsers[1].post(f"/games/{game}/consents/pause", data={"until": until, "do": "agree"})
        assert sent.status_code == 303
    assert "The game is paused until Saturday 28 November 2026, 10:00 UTC" in words(browsers[0].get(f"/games/{game}"))
    assert "paused" not in words(hall.client.get(f"/games/{game}"))
    assert "End the pause" not in words(browsers[0].get(f"/games/{game}"))  # the host alone cannot


@pytest.mark.parametrize(
    "given", [{"days": "x"}, {"until": "x"}, {"until": "2020-11-25T10:00:00"}, {"until": "9999-12-31T23:59:59-23:00"}]
)
def test_a_form_with_another_end_of_a_pause_is_refused(hall: Harness, two: list[Player], given: dict[str, str]):
    game = hall.game("pig", two, clock=CLOCK)
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    assert browser.post(f"/games/{game}/consents/pause", data=given).status_code == 422


def test_the_page_asks_nobody_who_has_resigned(hall: Harness):
    """Their answer would be refused."""
    people = [hall.player(number) for number in range(3)]
    game = hall.game("bids", people, clock=CLOCK)
    assert people[2].resign(game).status_code == 201
    agree(people[0], game, hall.clock() + 7 * DAY)
    consents.agree(hall.services, game, people[0].account)
    for number, is_asked in ((1, True), (2, False)):
        browser = hall.browser()
        browser.sign_in(hall, f"player{number}@example.org")
        html = browser.get(f"/games/{game}").get_data(as_text=True)
        for says in ("Cancel the game together", "Pause the game together", "a wish to cancel", "a wish to pause"):
            assert (says in html) == is_asked, says


def test_an_end_beyond_the_calendar_is_refused(hall: Harness, two: list[Player]):
    game = hall.game("pig", two, clock=CLOCK)
    path = f"/v1/games/{game}/consents/pause"
    sent = hall.client.put(path, json={"until": "9999-12-31T23:59:59-23:00"}, headers=two[0].auth)
    assert sent.status_code == 422


def test_an_absent_host_holds_up_nothing(hall: Harness):
    """The server plays for them, the others pause without them after a week, and anyone may take their seat."""
    host, one, two, new = (hall.player(number) for number in range(4))
    game = hall.game("bids", [host, one, two], clock={"move": 600, "bank": 0, "grace": 300}, options={"lots": 9})
    for _ in range(2):
        bid(game, [one, two])
        hall.clock.forward(hours=1)
        assert expire(hall.services, game, host.seat)
    until = hall.clock().replace(microsecond=0) + 20 * DAY
    for player in (one, two):
        assert not agree(player, game, until).get_json()["carried_out"]
    hall.clock.forward(days=7)
    consents.settle(hall.services, game)
    assert pauses.shown(hall.services, game)["until"] == iso(until)
    assert new.take(game, host.seat).status_code == 201
