"""A game whose rules cannot be loaded is out; all others are served."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from engine import registry
from server.kernel.services import open_services
from tests.server.harness import Harness, Player


@pytest.fixture
def out(hall: Harness, two: list[Player], monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """A game of Pig and one of Bids, on a server that was started anew and cannot import Pig."""
    games = hall.game("pig", two), hall.game("bids", two)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "tests.kit.games.pig", None)
        registry.forget()
        hall.services = open_services(hall.services.settings, hall.services.waker)
        hall.__post_init__()
        yield games
    hall.services.database.dispose()
    registry.forget()


def test_other_games_are_played_on(hall: Harness, two: list[Player], out: tuple[str, str]):
    """Looked at, moved in, and made anew; the lists and the front page come as before."""
    _, bids = out
    assert two[0].move(bids, [{"do": "bid", "amount": 1}]).status_code == 201
    assert hall.game("bids", two)
    assert {shown["key"] for shown in hall.client.get("/v1/types").get_json()} >= {"bids", "tikal"}
    assert "pig" not in {shown["key"] for shown in hall.client.get("/v1/types").get_json()}
    assert bids in hall.client.get("/v1/games").get_data(as_text=True)
    assert hall.client.get("/").status_code == 200


def test_the_game_that_is_out_says_so_and_nothing_changes(hall: Harness, two: list[Player], out: tuple[str, str]):
    """With 503: it is the server's fault, and the same act may be sent again later."""
    pig, _ = out
    answer = hall.client.get(f"/v1/games/{pig}/view")
    assert (answer.status_code, answer.get_json()["code"]) == (503, "game-out")
    made = two[0].post("/games", {"type": "pig", "seats": 2})
    assert (made.status_code, made.get_json()["code"]) == (503, "game-out")
    assert hall.client.get(f"/games/{pig}").status_code == 503


def test_whoever_starts_the_server_is_told_which_game_is_out_and_why(
    hall: Harness, two: list[Player], out: tuple[str, str], caplog: pytest.LogCaptureFixture
):
    open_services(hall.services.settings, hall.services.waker).database.dispose()
    said = caplog.text
    assert "game-out" in said
    assert "the game in `tests.kit.games.pig` cannot be loaded: ModuleNotFoundError" in said
