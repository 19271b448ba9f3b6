"""Pauses by a table's host: within their days, told to everybody, and nothing is taken from anybody."""

from __future__ import annotations

from datetime import timedelta

import pytest

from server.kernel.text import iso
from server.play.write import expire
from tests.server import surfaces
from tests.server.boxes import code
from tests.server.harness import Harness, Player
from tests.server.test_deadlines import CLOCK, kinds, mover
from tests.server.test_holidays import due
from tests.server.test_web import words

DAY = timedelta(days=1)


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    """The first is the host."""
    return [any_hall.player(number) for number in range(3)]


def asked(hall: Harness, people: list[Player], **wish) -> tuple[str, Player]:
    given = {"clock": CLOCK, "host_pause": 14, **wish}
    game = hall.game("pig", people[:2], **given)
    return game, mover(hall, people, game)


def pause(hall: Harness, player: Player, game: str, **span: float):
    return player.post(f"/games/{game}/pause", {"until": iso(hall.clock() + timedelta(**span))})


def test_a_pause_moves_the_deadline_everywhere(any_hall: Harness, people: list[Player]):
    """And the deadlines of moves that are asked during the pause."""
    game, player = asked(any_hall, people)
    before = due(any_hall, game, player)
    answer = pause(any_hall, people[0], game, days=5)
    assert (answer.status_code, answer.get_json()["host_pause"]) == (201, 9)
    shown = surfaces.shown(any_hall, game, player)
    assert shown == dict.fromkeys(shown, before + 5 * DAY)
    assert surfaces.last_event(any_hall, player, game)["kind"] == "time"
    (seen,) = people[1].get(f"/games/{game}").get_json()["deadlines"]
    assert seen["why"] == ["pause"]
    any_hall.clock.forward(days=1)
    while mover(any_hall, people, game) is player:
        player.move(game, [player.legal(game)[-1]])
    other = mover(any_hall, people, game)
    assert due(any_hall, game, other) == before + 5 * DAY


def test_players_who_owe_a_move_are_mailed_once(any_hall: Harness, people: list[Player]):
    game, player = asked(any_hall, people)
    for _ in range(2):
        pause(any_hall, people[0], game, days=5)
    ((account, _, facts),) = surfaces.notices(any_hall, "time")
    assert (account, facts.why) == (player.account, ("pause",))
    assert facts.deadline == due(any_hall, game, player)


def test_no_seat_gets_more_days_from_its_host_than_the_table_allows(any_hall: Harness, people: list[Player]):
    """Ending a pause gives none back, or a host could pause again and again."""
    game, player = asked(any_hall, people, host_pause=14)
    before, host = due(any_hall, game, player), people[0]
    for _ in range(9):
        pause(any_hall, host, game, days=7)
        host.delete(f"/games/{game}/pause")
        any_hall.clock.forward(hours=20)
    assert host.get(f"/games/{game}").get_json()["host_pause_left"] == 0
    assert due(any_hall, game, player) <= before + 14 * DAY
    assert code(pause(any_hall, host, game, days=1)) == (409, "pause-too-long")


def test_a_pause_that_ends_early_takes_no_promised_time(any_hall: Harness, people: list[Player]):
    """Later turns have their usual time."""
    game, player = asked(any_hall, people)
    pause(any_hall, people[0], game, days=5)
    told = due(any_hall, game, player)
    for _ in range(2):
        assert people[0].delete(f"/games/{game}/pause").status_code == 204
    assert due(any_hall, game, player) == told
    any_hall.clock.at = told - timedelta(seconds=1)
    assert not expire(any_hall.services, game, player.seat)
    while mover(any_hall, people, game) is player:
        player.move(game, [player.legal(game)[-1]])
    other = mover(any_hall, people, game)
    assert due(any_hall, game, other) == any_hall.clock() + timedelta(days=2, hours=12)


def test_a_pause_holds_against_a_clock_that_looked_before(any_hall: Harness, people: list[Player]):
    game, player = asked(any_hall, people)
    any_hall.clock.at = due(any_hall, game, player)
    assert pause(any_hall, people[0], game, days=2).status_code == 201
    assert not expire(any_hall.services, game, player.seat)
    assert kinds(any_hall, game)[-1] == "started"


@pytest.mark.parametrize(
    ("wish", "span", "wrong"),
    [
        ({}, {"days": 15}, (409, "pause-too-long")),
        ({"host_pause": 0}, {"days": 1}, (409, "pause-too-long")),
        ({}, {"minutes": 59}, (422, "bad-pause")),
        ({}, {"days": -1}, (422, "bad-pause")),
        ({"clock": None}, {"days": 1}, (409, "no-clock")),
    ],
)
def test_a_pause_that_cannot_be_changes_nothing(hall: Harness, two: list[Player], wish, span, wrong):
    game, _ = asked(hall, two, **wish)
    before = two[0].get(f"/games/{game}").get_json()
    assert code(pause(hall, two[0], game, **span)) == wrong
    assert two[0].get(f"/games/{game}").get_json() == before


def test_only_the_host_pauses_a_running_game(hall: Harness, two: list[Player]):
    game, _ = asked(hall, two)
    assert code(pause(hall, two[1], game, days=1)) == (403, "not-host")
    assert code(two[1].delete(f"/games/{game}/pause")) == (403, "not-host")
    lobby = two[0].post("/games", {"type": "pig", "seats": 2, "host_pause": 3}).get_json()["id"]
    assert code(pause(hall, two[0], lobby, days=1)) == (409, "not-started")


def test_the_game_shows_its_players_and_its_host_until_when_it_is_paused(any_hall: Harness, people: list[Player]):
    """Also a host without a seat; strangers could tell a holiday from it."""
    host, *two = people
    wish = {"type": "pig", "seats": 2, "clock": CLOCK, "host_pause": 14}
    game = host.post("/games", wish).get_json()["id"]
    for seat, player in enumerate(two):
        player.join(game, seat)
    stranger = any_hall.player(3)

    def shown(*readers: Player) -> list[str | None]:
        return [reader.get(f"/games/{game}").get_json()["paused_until"] for reader in readers]

    until = pause(any_hall, host, game, days=5).get_json()["until"]
    assert shown(*people, stranger) == [until] * 3 + [None]
    assert any_hall.client.get(f"/v1/games/{game}").get_json()["paused_until"] is None
    host.delete(f"/games/{game}/pause")
    assert shown(*people) == [None] * 3
    until = pause(any_hall, host, game, days=5).get_json()["until"]
    assert host.post(f"/games/{game}/host", {"seat": 0}).get_json()["paused_until"] is None
    assert two[0].post(f"/games/{game}/host", {"seat": 1}).get_json()["paused_until"] == until
    two[0].resign(game)
    assert shown(*two) == [None] * 2


def test_a_pause_changes_nothing_that_strangers_see(any_hall: Harness, people: list[Player]):
    """Nor what lists show, which they read too: it has the days that were agreed, also when all are used."""
    game, _ = asked(any_hall, people, host_pause=5)
    browser, stranger = any_hall.client, people[2]

    def seen() -> list[object]:
        asked_for = [(stranger, f"/games/{game}"), (stranger, "/games"), (people[0], "/games?mine=true")]
        read = [reader.get(path).get_json() for reader, path in asked_for]
        return [*read, browser.get(f"/v1/games/{game}").get_json(), words(browser.get(f"/games/{game}"))]

    before = seen()
    assert "for up to 5 days" in before[-1]
    pause(any_hall, people[0], game, days=5)
    assert seen() == before


def test_the_game_shows_its_players_and_its_host_how_many_days_of_pause_are_left(hall: Harness, two: list[Player]):
    game, _ = asked(hall, two)
    pause(hall, two[0], game, days=3)
    shown = [reader.get(f"/games/{game}").get_json() for reader in (*two, hall.player(2))]
    assert [(one["host_pause"], one["host_pause_left"]) for one in shown] == [(14, 11), (14, 11), (14, None)]


def test_the_list_of_own_games_shows_its_player_until_when_each_is_paused(any_hall: Harness, people: list[Player]):
    """As the game does, and again null once the time has come."""
    paused, _ = asked(any_hall, people)
    runs, _ = asked(any_hall, people)

    def shown(reader: Player) -> dict[str, str | None]:
        games = reader.get("/me/games?kept=true").get_json()["games"]
        return {one["id"]: one["paused_until"] for one in games}

    assert shown(people[1]) == {paused: None, runs: None}
    pause(any_hall, people[0], paused, days=2)
    until = pause(any_hall, people[0], paused, days=5).get_json()["until"]
    assert shown(people[1]) == {paused: until, runs: None}
    any_hall.clock.forward(days=6)
    assert shown(people[1]) == {paused: None, runs: None}


def test_no_other_list_shows_until_when_a_game_is_paused(any_hall: Harness, people: list[Player]):
    """Strangers read them too."""
    game, _ = asked(any_hall, people)
    pause(any_hall, people[0], game, days=5)
    for reader, path in ((people[0], "/games?mine=true"), (people[2], "/games")):
        [one] = reader.get(path).get_json()["games"]
        assert (one["id"], "paused_until" in one) == (game, False)


def test_a_page_pauses_the_game_and_its_players_see_it(hall: Harness, two: list[Player]):
    """Strangers do not: they could tell a holiday from it."""
    game, _ = asked(hall, two)
    browser, other = hall.browser(), hall.browser()
    browser.sign_in(hall, "player0@example.org")
    other.sign_in(hall, "player1@example.org")
    for _ in range(2):
        assert browser.post(f"/games/{game}/pause", data={"days": "3"}).status_code == 303
    assert two[0].get(f"/games/{game}").get_json()["host_pause_left"] == 11
    assert "The game is paused until Tuesday 24 November 2026, 10:00 UTC" in words(other.get(f"/games/{game}"))
    assert "End the pause" in words(browser.get(f"/games/{game}"))
    assert "paused" not in words(hall.client.get(f"/games/{game}"))
    browser.post(f"/games/{game}/resume")
    assert "paused" not in words(other.get(f"/games/{game}"))
