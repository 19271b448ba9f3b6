"""What an operator sees of a game: its rows, why it is stopped, and the entry at which its rules break."""

from __future__ import annotations

import json

import pytest

from engine.errors import EngineFault, Refused
from server.kernel import quarantine
from server.kernel.db.models import Game
from server.log.ledger import stop_game
from server.operate import games
from tests.kit.absent import mentions
from tests.kit.games.bids import Bid
from tests.server.harness import WHY, Harness, Player
from tests.server.test_give_up import run

BID = [{"do": "bid", "amount": 7}]


@pytest.fixture
def game(hall: Harness, two: list[Player]) -> str:
    """A hidden game of six entries, in which both players have bid."""
    made = hall.game("bids", two)
    for player in two:
        assert player.move(made, BID).status_code == 201
    return made


def breaks(*_: object) -> None:
    raise ZeroDivisionError("bid 7")


def test_a_game_is_shown_from_its_rows(each_hall: Harness):
    """With its seats, what is in quarantine, and what operators did."""
    two = [each_hall.player(number) for number in range(2)]
    game = each_hall.game("pig", two, clock={"move": 600, "grace": 60})
    loop = quarantine.Loop("clock", Game.id)
    assert quarantine.attempt(each_hall.services, loop, f"{game} 1", lambda: 1 // 0) == []
    shown = json.loads(run(each_hall, "operate", "game", "show", game).output)
    assert (shown["id"], shown["size"], shown["status"], shown["stopped"]) == (game, 4, "running", None)
    assert [(seat["account_id"], seat["name"]) for seat in shown["seats"]] == [
        (player.account, f"Player {number}") for number, player in enumerate(two)
    ]
    assert [item["error"] for item in shown["quarantine"]] == ["ZeroDivisionError"]
    assert run(each_hall, "cancel", game, *WHY).exit_code == 0
    assert [act["act"] for act in games.show(each_hall.services, game)["operators"]] == ["cancel"]


def test_a_stopped_game_is_shown_with_reason_and_remedy(hall: Harness, game: str):
    assert run(hall, "operate", "game", "why", game).output == f"{game} is not stopped\n"
    stop_game(hall.services, game, EngineFault("planted"))
    told = run(hall, "operate", "game", "why", game).output
    assert told.startswith(f"{game} is stopped: engine-fault\nCorrect the rules")


def test_a_game_whose_log_holds_is_replayed_without_a_fault(hall: Harness, game: str):
    """Nothing changes, and nothing is printed that a seat hides."""
    before = hall.head(game)
    done = run(hall, "operate", "game", "replay", game)
    assert (done.exit_code, json.loads(done.output)) == (0, {"held": 6, "entry": None, "fault": None})
    assert hall.head(game) == before


def test_replay_ends_at_the_first_entry_that_the_rules_refuse(hall: Harness, game: str, monkeypatch):
    """It prints the entry as logged, and the code of the refusal."""

    def refuse(*_: object) -> None:
        raise Refused("too-few-coins", have=1, found=7)

    monkeypatch.setattr(Bid, "check", refuse)
    done = run(hall, "operate", "game", "replay", game)
    found = json.loads(done.output)
    assert (done.exit_code, found["held"], found["entry"]["seq"], found["entry"]["kind"]) == (1, 4, 4, "moved")
    assert found["fault"]["code"] == "too-few-coins"


def test_replay_names_the_place_at_which_a_rule_breaks(hall: Harness, game: str, monkeypatch):
    """Without its facts, which may contain what a seat hides."""
    monkeypatch.setattr(Bid, "play", breaks)
    done = run(hall, "operate", "game", "replay", game)
    fault = json.loads(done.output)["fault"]
    assert (done.exit_code, fault["error"]) == (1, "ZeroDivisionError")
    assert "test_operated_games.py" in fault["at"][-1]
    assert mentions("bid 7", done.output) == 0


def test_replay_tries_the_default_move_that_comes_next(hall: Harness, game: str, monkeypatch):
    """An act that broke the rules was not logged, so the entries of the log all hold."""
    from tests.kit.games.bids import Bids

    monkeypatch.setattr(Bids, "default", breaks)
    found = games.replay(hall.services, game)
    assert (found["held"], found["entry"], found["fault"]["error"]) == (6, None, "ZeroDivisionError")


@pytest.mark.parametrize("word", ["show", "why", "replay"])
def test_a_game_that_is_not_there_is_refused(hall: Harness, word: str):
    done = run(hall, "operate", "game", word, "00000000-0000-4000-8000-000000000000")
    assert (done.exit_code, done.output) == (1, "Error: There is no game with this ID.\n")
