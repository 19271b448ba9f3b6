"""A game that a fault of ours has stopped: nobody goes on in it, everybody is told, and only its operator ends that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import EngineFault
from engine.record.audit import audit
from server.log.ledger import stop_game
from server.operate.stopped_games import cancel, resume
from server.play.write import expire
from tests.server.harness import Harness, Player
from tests.server.test_give_up import run

BID = [{"do": "bid", "amount": 1}]
CLOCK = {"move": 600, "grace": 60}


@pytest.fixture
def three(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(3)]


@pytest.fixture
def game(any_hall: Harness, three: list[Player]) -> str:
    """Stopped after the first of two players has offered a seat."""
    made = any_hall.game("bids", three[:2], clock=CLOCK)
    three[1].offer(made)
    stop_game(any_hall.services, made, EngineFault("planted"))
    return made


def is_stopped(answer) -> bool:
    problem = answer.get_json()
    return (answer.status_code, problem["code"]) == (503, "game-stopped") and int(answer.headers["Retry-After"]) > 60


def test_nobody_goes_on_in_a_stopped_game(any_hall: Harness, three: list[Player], game: str):
    """No seat, no newcomer, no creator, no clock; and an act that is logged already is answered as ever."""
    before = any_hall.head(game)
    new = {"add": three[2].jwk}
    for answer in (
        three[0].move(game, BID),
        three[0].resign(game),
        three[1].offer(game, is_open=False),
        three[2].take(game, 1),
        three[0].rekey(game, **new),
        three[0].post(f"/games/{game}/grants", {"seats": [1], "seconds": 60}),
    ):
        assert is_stopped(answer), answer.get_data(as_text=True)
    any_hall.clock.forward(days=9)
    assert expire(any_hall.services, game, 0) is False
    assert any_hall.head(game) == before


def test_a_stopped_game_shows_no_deadline(any_hall: Harness, three: list[Player], game: str):
    """Its clock is stopped, so neither the game, nor the lists, nor its page show a time."""
    (own,) = three[0].get("/me/games").get_json()["games"]
    (turn,) = three[0].get("/me/turns").get_json()
    assert any_hall.client.get(f"/v1/games/{game}").get_json()["deadlines"] == []
    assert (own["deadline"], turn["deadline"]) == (None, None)
    assert "data-until" not in any_hall.client.get(f"/games/{game}").get_data(as_text=True)
    resume(any_hall.services, game)
    assert three[0].get("/me/turns").get_json()[0]["deadline"] is not None


def test_a_logged_act_is_answered_while_the_game_is_stopped(any_hall: Harness, three: list[Player]):
    """A player who lost the answer gets it again."""
    game = any_hall.game("bids", three[:2])
    body = three[0].signed_move(game, BID)
    first = any_hall.client.post(f"/v1/games/{game}/moves", json=body)
    stop_game(any_hall.services, game, EngineFault("planted"))
    again = any_hall.client.post(f"/v1/games/{game}/moves", json=body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_data() == again.get_data()


def test_a_stopped_game_says_so_wherever_it_is_shown(any_hall: Harness, three: list[Player], game: str):
    """In the lists, in its detail, among one's turns and games, on the front page and on its own."""
    shown = [
        any_hall.client.get(f"/v1/games/{game}").get_json(),
        *any_hall.client.get("/v1/games").get_json()["games"],
        *three[0].get("/me/turns").get_json(),
        *three[0].get("/me/games").get_json()["games"],
    ]
    assert [one["stopped"] for one in shown] == [True] * 4
    assert "fault of this server" in shown[0]["stopped_because"]
    assert "stopped" in any_hall.client.get("/").get_data(as_text=True)
    page = any_hall.client.get(f"/games/{game}").get_data(as_text=True)
    assert "This game is stopped." in page
    assert "left</span>" not in page


def test_the_operator_lets_it_go_on_and_the_time_is_given_back(any_hall: Harness, three: list[Player], game: str):
    """Every player who owes a move has as long as before; the record holds."""
    any_hall.clock.forward(days=3)
    resume(any_hall.services, game)
    shown = any_hall.client.get(f"/v1/games/{game}").get_json()
    assert (shown["stopped"], shown["stopped_because"]) == (False, None)
    assert any_hall.client.get(f"/v1/games/{game}/log").get_json()["entries"][-1].count('"granted"') == 1
    assert expire(any_hall.services, game, 0) is False
    assert three[0].move(game, BID).status_code == 201
    assert (
        audit(any_hall.client.get(f"/v1/games/{game}/bundle").get_data()).verdict == "open"
    )  # it runs, and its secrets are sealed
    assert "not stopped" in run(any_hall, "go-on", game).output


def test_the_operator_can_end_it(any_hall: Harness, game: str):
    """Its secret is shown, and it is not stopped but over."""
    cancel(any_hall.services, game, "operator")
    shown = any_hall.client.get(f"/v1/games/{game}").get_json()
    assert (shown["status"], shown["stopped"]) == ("cancelled", False)


def test_a_second_fault_does_not_make_the_stop_younger(any_hall: Harness, three: list[Player], game: str):
    """The time since the first is what nobody could use."""
    any_hall.clock.forward(hours=5)
    stop_game(any_hall.services, game, EngineFault("planted"))
    resume(any_hall.services, game)
    granted = json.loads(any_hall.client.get(f"/v1/games/{game}/log").get_json()["entries"][-1])
    assert granted["seconds"] == 5 * 3600


@pytest.mark.slow
def test_a_game_that_is_stopped_twice_over_waits_for_both(any_hall: Harness, tmp_path: Path):
    """The lines are taken when they come, and the fault of this server holds it still."""
    from tests.server.lost import CLOCK as LOST
    from tests.server.lost import lost

    game = lost(any_hall, tmp_path, clock=LOST)
    game.compare()
    stop_game(any_hall.services, game.game, EngineFault("planted"))
    assert game.hand_in().get_json()["stopped"] is True
    assert game.now() == game.lines
    assert is_stopped(game.players[0].resign(game.game))
    resume(any_hall.services, game.game)
    assert game.detail()["stopped"] is False
