"""A game whose rules cannot be loaded is unavailable; all others are served."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from engine import registry
from server.kernel.services import open_services
from tests.server.harness import Harness, Player


@pytest.fixture
def out(hall: Harness, two: list[Player], monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """A game of Pig and one of Bids, on a restarted server that cannot import Pig."""
    games = hall.game("pig", two), hall.game("bids", two)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "tests.kit.games.pig", None)
        registry.forget()
        hall.services = open_services(hall.services.settings, hall.services.waker)
        hall.__post_init__()
        yield games
    hall.services.database.dispose()
    registry.forget()


def test_other_games_go_on(hall: Harness, two: list[Player], out: tuple[str, str]):
    """They can be viewed, played and opened; lists and the front page still work."""
    _, bids = out
    assert two[0].move(bids, [{"do": "bid", "amount": 1}]).status_code == 201
    assert hall.game("bids", two)
    assert {shown["key"] for shown in hall.client.get("/v1/types").get_json()} >= {"bids", "tikal"}
    assert "pig" not in {shown["key"] for shown in hall.client.get("/v1/types").get_json()}
    assert bids in hall.client.get("/v1/games").get_data(as_text=True)
    assert hall.client.get("/").status_code == 200


def test_an_unavailable_game_answers_503_and_does_not_change(hall: Harness, two: list[Player], out: tuple[str, str]):
    """It is the server's fault, and the same act may be sent again later."""
    pig, _ = out
    answer = hall.client.get(f"/v1/games/{pig}/view")
    assert (answer.status_code, answer.get_json()["code"]) == (503, "game-out")
    made = two[0].post("/games", {"type": "pig", "seats": 2})
    assert (made.status_code, made.get_json()["code"]) == (503, "game-out")
    assert hall.client.get(f"/games/{pig}").status_code == 503


def test_the_start_of_the_server_names_the_unavailable_game_and_the_reason(
    hall: Harness, two: list[Player], out: tuple[str, str], caplog: pytest.LogCaptureFixture
):
    open_services(hall.services.settings, hall.services.waker).database.dispose()
    said = caplog.text
    assert "game-out" in said
    assert "the game in `tests.kit.games.pig` of sealedmove-test-games 1 cannot be loaded: ModuleNotFoundError" in said
