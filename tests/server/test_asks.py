"""What a table asks of those who sit down: finished games, and turns that the clock did not end."""

from __future__ import annotations

from typing import Any

import pytest

from server.tables import players
from tests.server.harness import Harness, Player
from tests.server.test_bots import house_player, sit
from tests.server.test_people import handle
from tests.server.test_players import LONG, asked, let_pass, turn, turns
from tests.server.test_talk import refused


def table(host: Player, games: int = 0, clock: int = 0, **more: Any) -> str:
    made = host.post("/games", {"type": "pig", "seats": 3, "asks": {"games": games, "clock": clock}, **more})
    assert made.status_code == 201, made.get_data(as_text=True)
    return str(made.get_json()["id"])


@pytest.fixture
def unreliable(hall: Harness, two: list[Player], monkeypatch: pytest.MonkeyPatch) -> str:
    """A game after which Ada has ended 3 of 4 turns, and Ben all; four turns are enough."""
    monkeypatch.setattr(players, "FEWEST", 4)
    monkeypatch.setattr(players, "OTHERS", 1)
    game = hall.game("pig", two, **LONG)
    while len(turns(hall, two[0])) < 3 or len(turns(hall, two[1])) < 4 or asked(hall, game, two) is not two[0]:
        turn(hall, game, two)
    monkeypatch.setattr(players, "LAST", 4)
    let_pass(hall, game, 0)
    return game


def test_a_table_asks_for_finished_games(any_hall: Harness):
    ada, ben, cy = (any_hall.player(number) for number in range(3))
    game = table(cy, games=2)
    for played in range(2):
        answer = ada.join(game, 1)
        assert refused(answer) == (403, "too-few-games")
        assert answer.get_json()["facts"] == {"found": played, "expected": 2}
        assert answer.get_json()["detail"].endswith("Finish more of them first, or ask the host for an invitation.")
        ada.seat = -1
        any_hall.play_out(any_hall.game("pig", [ada, ben]), [ada, ben])
    assert ada.join(game, 1).status_code == 201


def test_a_table_asks_for_turns_before_the_clock_ends_them(hall: Harness, two: list[Player], unreliable: str):
    """At exactly the share that it asks for a player may sit down."""
    ada, cy = two[0], hall.player(2)
    answer = ada.join(table(cy, clock=76), 1)
    assert refused(answer) == (403, "too-often-by-clock")
    assert answer.get_json()["facts"] == {"found": 75, "expected": 76, "turns": 4}
    assert answer.get_json()["detail"].startswith(
        "You ended 75% of your last 4 turns in time. This table asks for 76%."
    )
    assert ada.join(table(cy, clock=75), 1).status_code == 201
    assert two[1].join(table(cy, clock=100), 1).status_code == 201


def test_a_new_player_passes_the_demand_for_turns_alone(hall: Harness, two: list[Player]):
    ada, ben = two
    assert ben.join(table(ada, clock=100), 1).status_code == 201
    assert refused(ben.join(table(ada, games=1, clock=100), 1)) == (403, "too-few-games")


def test_a_table_asks_nothing_of_its_host_of_house_players_and_of_those_invited(hall: Harness, two: list[Player]):
    ada, ben = two
    game = table(ada, games=5, clock=100)
    assert ada.join(game, 0).status_code == 201
    assert sit(house_player(hall, "York"), game, 1).status_code == 201
    assert refused(ben.join(game, 2)) == (403, "too-few-games")
    assert ada.post(f"/games/{game}/invitations", {"to": handle(ben), "seat": 2}).status_code == 202
    assert ben.join(game, 2).status_code == 201


def test_a_table_asks_the_same_of_a_player_who_takes_a_seat(hall: Harness, two: list[Player]):
    cy = hall.player(2)
    game = table(two[0], games=1, seats=2)
    assert two[0].join(game, 0).status_code == 201
    two[0].post(f"/games/{game}/invitations", {"to": handle(two[1]), "seat": 1})
    assert two[1].join(game, 1).status_code == 201
    two[1].offer(game)
    hall.clock.forward(days=8)
    answer = cy.take(game, 1)
    assert refused(answer) == (403, "too-few-games")
    assert answer.get_json()["detail"].endswith("Finish more of them first.")  # nobody is invited to a running game


def test_a_refusal_changes_nothing(hall: Harness, two: list[Player]):
    game = table(two[0], games=1)
    before = hall.client.get(f"/v1/games/{game}").get_data()
    assert refused(two[1].join(game, 1)) == (403, "too-few-games")
    assert hall.client.get(f"/v1/games/{game}").get_data() == before


def test_the_demands_are_shown_in_lists_and_at_the_table(hall: Harness, two: list[Player]):
    game, free = table(two[0], games=3, clock=90), table(two[0])
    words = "For players with at least 3 finished games and 90% of their turns in time"
    listed = {one["id"]: one["asks_words"] for one in hall.client.get("/v1/games").get_json()["games"]}
    assert listed == {game: words, free: ""}
    shown = hall.client.get(f"/v1/games/{game}").get_json()
    assert (shown["asks"], shown["asks_words"]) == ({"games": 3, "clock": 90}, words)
    assert hall.client.get(f"/v1/games/{free}").get_json()["asks"] is None
    browser = hall.browser()
    for path in ("/tables", f"/games/{game}"):
        assert words[1:] in browser.get(path).get_data(as_text=True), path
    assert "For players with" not in browser.get(f"/games/{free}").get_data(as_text=True)
    form = browser.get("/tables/new").get_data(as_text=True)
    assert 'name="asks_games"' in form
    assert 'name="asks_clock"' in form


@pytest.mark.parametrize("asks", [{"games": 51}, {"clock": 101}, {"games": -1}, {"other": 1}, 7])
def test_demands_have_bounds(two: list[Player], asks: Any):
    answer = two[0].post("/games", {"type": "pig", "seats": 2, "asks": asks})
    assert refused(answer) == (422, "bad-fields")


def test_a_rematch_asks_the_same(hall: Harness, two: list[Player]):
    game = table(two[0], games=1, seats=2)
    assert two[0].join(game, 0).status_code == 201
    two[0].post(f"/games/{game}/invitations", {"to": handle(two[1]), "seat": 1})
    assert two[1].join(game, 1).status_code == 201
    hall.play_out(game, two)
    made = two[0].post(f"/games/{game}/rematch").get_json()["id"]
    assert hall.client.get(f"/v1/games/{made}").get_json()["asks"] == {"games": 1, "clock": 0}
