"""A game that a fault of the server has stopped: nobody can act, its state is shown, and the operator ends it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import EngineFault
from engine.record.audit import audit
from server.log.ledger import stop_game
from server.operate.stopped_games import cancel, resume
from server.play.write import expire
from tests.server.harness import BY, WHY, Harness, Player
from tests.server.test_give_up import run

BID = [{"do": "bid", "amount": 1}]
CLOCK = {"move": 600, "grace": 60}


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(3)]


@pytest.fixture
def game(any_hall: Harness, people: list[Player]) -> str:
    """Stopped after the first of two players has offered a seat."""
    made = any_hall.game("bids", people[:2], clock=CLOCK)
    people[1].offer(made)
    stop_game(any_hall.services, made, EngineFault("planted"))
    return made


def is_stopped(answer) -> bool:
    problem = answer.get_json()
    return (answer.status_code, problem["code"]) == (503, "game-stopped") and int(answer.headers["Retry-After"]) > 60


def test_a_stopped_game_refuses_every_new_act(any_hall: Harness, people: list[Player], game: str):
    """Of players, newcomers, the creator and the clock; an act that is already logged gets its answer."""
    before = any_hall.head(game)
    new = {"add": people[2].jwk}
    for answer in (
        people[0].move(game, BID),
        people[0].resign(game),
        people[1].offer(game, is_open=False),
        people[2].take(game, 1),
        people[0].rekey(game, **new),
        people[0].post(f"/games/{game}/grants", {"seats": [1], "seconds": 60}),
    ):
        assert is_stopped(answer), answer.get_data(as_text=True)
    any_hall.clock.forward(days=9)
    assert expire(any_hall.services, game, 0) is False
    assert any_hall.head(game) == before


def test_a_stopped_game_shows_no_deadline(any_hall: Harness, people: list[Player], game: str):
    """Its clock is stopped, so the game, the lists and its page show no time."""
    (own,) = people[0].get("/me/games").get_json()["games"]
    (turn,) = people[0].get("/me/turns").get_json()
    assert any_hall.client.get(f"/v1/games/{game}").get_json()["deadlines"] == []
    assert (own["deadline"], turn["deadline"]) == (None, None)
    assert "data-until" not in any_hall.client.get(f"/games/{game}").get_data(as_text=True)
    resume(any_hall.services, BY, game)
    assert people[0].get("/me/turns").get_json()[0]["deadline"] is not None


def test_a_logged_act_is_answered_while_the_game_is_stopped(any_hall: Harness, people: list[Player]):
    """A player who lost the answer gets it again."""
    game = any_hall.game("bids", people[:2])
    body = people[0].signed_move(game, BID)
    first = any_hall.client.post(f"/v1/games/{game}/moves", json=body)
    stop_game(any_hall.services, game, EngineFault("planted"))
    again = any_hall.client.post(f"/v1/games/{game}/moves", json=body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_data() == again.get_data()


def test_every_view_of_a_stopped_game_shows_the_stop(any_hall: Harness, people: list[Player], game: str):
    """In lists, in its detail, among turns and games, on the front page and on its own."""
    shown = [
        any_hall.client.get(f"/v1/games/{game}").get_json(),
        *any_hall.client.get("/v1/games").get_json()["games"],
        *people[0].get("/me/turns").get_json(),
        *people[0].get("/me/games").get_json()["games"],
    ]
    assert [one["stopped"] for one in shown] == [True] * 4
    assert "fault of this server" in shown[0]["stopped_because"]
    assert "stopped" in any_hall.client.get("/").get_data(as_text=True)
    page = any_hall.client.get(f"/games/{game}").get_data(as_text=True)
    assert "This game is stopped." in page
    assert "left</span>" not in page


def test_when_the_operator_continues_a_game_the_time_is_given_back(any_hall: Harness, people: list[Player], game: str):
    """Every player who owes a move has as long as before; the record passes the audit."""
    any_hall.clock.forward(days=3)
    resume(any_hall.services, BY, game)
    shown = any_hall.client.get(f"/v1/games/{game}").get_json()
    assert (shown["stopped"], shown["stopped_because"]) == (False, None)
    assert any_hall.client.get(f"/v1/games/{game}/log").get_json()["entries"][-1].count('"granted"') == 1
    assert expire(any_hall.services, game, 0) is False
    assert people[0].move(game, BID).status_code == 201
    assert (
        audit(any_hall.client.get(f"/v1/games/{game}/bundle").get_data()).verdict == "open"
    )  # it runs, and its secrets are sealed
    assert "not stopped" in run(any_hall, "go-on", game, *WHY).output


def test_the_operator_can_end_a_game_stopped_by_a_fault(any_hall: Harness, game: str):
    """The server's secret is shown, and the game is over."""
    cancel(any_hall.services, BY, game, "operator")
    shown = any_hall.client.get(f"/v1/games/{game}").get_json()
    assert (shown["status"], shown["stopped"]) == ("cancelled", False)


def test_a_second_fault_keeps_the_time_of_the_first(any_hall: Harness, people: list[Player], game: str):
    """All the time since the first is given back."""
    any_hall.clock.forward(hours=5)
    stop_game(any_hall.services, game, EngineFault("planted"))
    resume(any_hall.services, BY, game)
    granted = json.loads(any_hall.client.get(f"/v1/games/{game}/log").get_json()["entries"][-1])
    assert granted["seconds"] == 5 * 3600


@pytest.mark.slow
def test_a_game_with_missing_entries_and_a_fault_waits_for_both(any_hall: Harness, tmp_path: Path):
    """The entries are taken when they come, and the fault still stops the game."""
    from tests.server.lost import CLOCK as LOST
    from tests.server.lost import lost

    game = lost(any_hall, tmp_path, clock=LOST)
    game.compare()
    stop_game(any_hall.services, game.game, EngineFault("planted"))
    assert game.hand_in().get_json()["stopped"] is True
    assert game.now() == game.lines
    assert is_stopped(game.players[0].resign(game.game))
    resume(any_hall.services, BY, game.game)
    assert game.detail()["stopped"] is False
