"""Hints: at tables whose creator allows them, for the seat that owes a move, seen by everyone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit import installed
from tests.server.harness import Client, Harness, Player


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of a hint finds the small games."""
    monkeypatch.setenv("PYTHONPATH", installed.ENV["PYTHONPATH"])


@pytest.fixture
def game(hall: Harness, two: list[Player]) -> str:
    return hall.game("bids", two, hints=True)


def ask(player: Player, game: str) -> Any:
    return player.post(f"/games/{game}/hint")


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]


def shown(hall: Harness, game: str) -> dict[str, Any]:
    return dict(hall.client.get(f"/v1/games/{game}").get_json())


def text(answer: Any) -> str:
    return str(answer.get_data(as_text=True))


def test_a_hint_is_a_legal_move_with_its_effect(hall: Harness, two: list[Player], game: str):
    """It is given again for the same entry, logs nothing, and can be played as it stands."""
    before = shown(hall, game)
    found = ask(two[0], game).get_json()
    assert ask(two[0], game).get_json() == found
    assert (found["type"], found["seq"], found["level"]) == ("bids", before["head"]["seq"], "fair")
    assert found["effect"].startswith("Player 0 sealed a bid: ")
    assert found["reason"] == ""  # the players of Bids name no parts of their judgement
    assert found["says"].startswith("The fair house player would play this, out of ")
    assert [step["command"] for step in found["steps"]] == found["commands"]
    assert shown(hall, game)["head"] == before["head"]
    assert two[0].move(game, found["commands"]).status_code == 201


def test_everyone_sees_who_had_a_hint(hall: Harness, two: list[Player], game: str):
    """Once for an entry, and nothing of what it said."""
    seq = shown(hall, game)["head"]["seq"]
    assert shown(hall, game)["hinted"] == []
    for _ in range(2):
        said = ask(two[1], game).get_json()
    assert [(one["seat"], one["seq"]) for one in shown(hall, game)["hinted"]] == [(1, seq)]
    page = text(hall.browser().get(f"/games/{game}"))
    assert "hints allowed" in page
    assert "<bdi>Player 1</bdi> then had a hint." in page
    assert said["effect"] not in page


def test_a_hint_has_a_reason_in_a_sentence(hall: Harness, two: list[Player]):
    """From the parts that the players of the game name, on the page too."""
    game = hall.game("pig", two, hints=True)
    assert two[0].move(game, [{"do": "roll"}]).status_code == 201
    mover = next(player for player in two if player.seat in shown(hall, game)["active"])
    found = ask(mover, game).get_json()
    assert found["reason"].startswith("It ")
    browser: Client = hall.browser()
    browser.sign_in(hall, f"player{mover.number}@example.org")
    assert found["reason"] in text(browser.get(f"/games/{game}"))


def test_a_hint_stays_with_the_player_who_had_it(hall: Harness, two: list[Player]):
    """Also after somebody has taken over the seat."""
    game = hall.game("bids", two, hints=True)
    assert ask(two[1], game).status_code == 200
    assert two[1].offer(game).status_code == 201
    assert hall.player(2).take(game, 1).status_code == 201
    page = text(hall.browser().get(f"/games/{game}"))
    assert "<bdi>Player 1</bdi> then had a hint." in page
    assert "<bdi>Player 2</bdi> then had a hint." not in page


def test_no_hint_where_the_creator_does_not_allow_it(hall: Harness, two: list[Player]):
    game = hall.game("bids", two)
    assert shown(hall, game)["hints"] is False
    assert refused(ask(two[0], game)) == (409, "hints-off")
    assert "hints allowed" not in text(hall.browser().get(f"/games/{game}"))


def test_no_hint_for_a_seat_that_owes_no_move(hall: Harness, two: list[Player], game: str):
    assert two[0].move(game, [two[0].legal(game)[0]]).status_code == 201
    assert refused(ask(two[0], game)) == (409, "no-hint")
    assert shown(hall, game)["hinted"] == []


def test_no_hint_without_a_seat_before_the_start_or_after_the_end(hall: Harness, two: list[Player], game: str):
    assert refused(ask(hall.player(2), game)) == (403, "no-seat")
    hall.play_out(game, two)
    assert refused(ask(two[0], game)) == (410, "game-over")
    made = two[0].post("/games", {"type": "pig", "seats": 2, "hints": True}).get_json()["id"]
    two[0].join(made, 0)
    assert refused(ask(two[0], made)) == (409, "not-started")


def test_a_rematch_keeps_the_hints_of_its_table(hall: Harness, two: list[Player], game: str):
    hall.play_out(game, two)
    again = two[0].post(f"/games/{game}/rematch").get_json()["id"]
    assert shown(hall, again)["hints"] is True


def test_the_page_gives_a_hint_by_a_button(hall: Harness, two: list[Player], game: str):
    """To its reader alone, until the game goes on."""
    browser: Client = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    page = f"/games/{game}"
    assert f'action="{page}/hint"' in text(browser.get(page))
    assert browser.post(f"{page}/hint").headers["Location"] == f"{page}#panel"
    found, after = ask(two[0], game).get_json(), text(browser.get(page))
    assert f"<code>{found['notation']}</code>" in after
    assert found["says"] in after
    assert f'action="{page}/hint"' not in after
    assert found["says"] not in text(hall.browser().get(page))


def test_a_house_player_that_fails_is_logged_and_marks_nothing(
    hall: Harness, two: list[Player], game: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """By the exit status alone: its own words could tell a secret of the seat."""
    monkeypatch.setattr("server.play.hints.write.MODULE", "tests.no_such_module")
    assert refused(ask(two[0], game)) == (503, "unavailable")
    assert shown(hall, game)["hinted"] == []
    assert "'event': 'hint-failed'" in caplog.text
    assert "no_such_module" not in caplog.text
