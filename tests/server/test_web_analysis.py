"""The page of an analysis: a button, a wait, then turning points with the names of today."""

from __future__ import annotations

import re

import msgspec
import pytest
from werkzeug.test import TestResponse

from engine.analysis.results import Analysis, Better, Point, Share
from server.kernel import quarantine
from server.play import read as play
from server.play.analysis import rows
from tests.kit.games.pig import ROLLS
from tests.server.harness import Client, Harness, Player

BEST = Better(("hold",), ("Seat 1 kept 12 pips.",), 0.4, "It keeps 12 points more.")


@pytest.fixture
def finished(hall: Harness, two: list[Player]) -> str:
    """A game of Pig whose first player never holds before six rolls."""
    game = hall.game("pig", two, options={"goal": 60})
    while (at := play.perspective(hall.services, game, None)).table.stage == "running":
        seat, state = at.table.active[0], at.table.state
        holds = state.rolls == ROLLS or (seat and state.pot >= 10)
        assert two[seat].move(game, [{"do": "hold" if holds else "roll"}]).status_code == 201
    return game


@pytest.fixture
def browser(hall: Harness) -> Client:
    opened = hall.browser()
    opened.sign_in(hall, "player0@example.org")
    return opened


def text(answer: TestResponse) -> str:
    return str(answer.get_data(as_text=True))


def make(hall: Harness, game: str) -> None:
    """Keep an analysis, as a worker does."""
    curve = (Share(3, 0, None, (0.5, 0.5)), Share(9, 4, 1, (0.25, 0.75)), Share(12, 6, None, (0.0, 1.0)))
    point = Point(7, 3, 0, ("roll",), 0.25, (BEST, Better(("roll", "hold"), (), 0.3, "")))
    store(hall, game, curve, (point,))


def store(hall: Harness, game: str, curve: tuple[Share, ...], points: tuple[Point, ...]) -> None:
    found = Analysis(game="pig", level="strong", seats=2, decisions=6, curve=curve, points=points)
    rows.store(hall.services, game, msgspec.json.encode(found))


def test_a_button_requests_it_and_the_page_shows_it(hall: Harness, browser: Client, finished: str):
    """Everyone can read it: better lines with their reasons, and the chances after each turn."""
    page = f"/games/{finished}/analysis"
    assert "Analyse this game" in text(browser.get(page))
    assert browser.post(page).headers["Location"] == page
    assert "The analysis is being made." in text(browser.get(page))
    make(hall, finished)
    shown = text(hall.browser().get(page))
    assert "player0 played <code>roll</code>, a chance of 25 in 100. Better: <code>hold</code>, a chance of 40" in shown
    assert "a chance of 40 in 100. It keeps 12 points more." in shown
    assert "player0 kept 12 pips." in shown
    assert "Also better: <code>roll; hold</code>, a chance of 30 in 100." in shown
    rows = re.findall(r'at=(\d+)">\1</a></th><td>(\d)</td><td><bdi>([^<]+)</bdi>', shown)
    assert rows == [("3", "0", "the start"), ("9", "4", "Player 1"), ("12", "6", "the end")]
    assert f'href="/games/{finished}?at=6"' in shown
    drawn = hall.browser().get(f"{page}.svg?palette=dark")
    assert drawn.mimetype == "image/svg+xml"
    assert "Player 1" in text(drawn)


def test_the_page_of_a_finished_game_shows_its_turning_points(hall: Harness, browser: Client, finished: str):
    """Below the ranking, whose winner has a wreath and is told so; before the analysis is made, how to get it."""
    page = f"/games/{finished}"
    asked = text(browser.get(page))
    assert "You can request it there." in asked
    assert "Players who are signed in can request it." in text(hall.browser().get(page))
    rows.request(hall.services, finished)
    assert "it is being made" in text(browser.get(page))
    make(hall, finished)
    shown = text(hall.browser().get(page))
    assert "Turning points" in shown
    assert "player0 played <code>roll</code>, a chance" in shown
    assert 'href="?at=6#position"' in shown
    assert shown.count('class="laurel"') == 1


def test_an_analysis_that_failed_is_not_shown_as_being_made(hall: Harness, browser: Client, finished: str):
    """Readers learn that it failed and is tried again, on both pages and from the API."""
    rows.request(hall.services, finished)
    quarantine.attempt(hall.services, rows.LOOP, finished, lambda: 1 / 0)
    assert hall.client.get(f"/v1/games/{finished}/analysis").get_json() == {"state": "failed", "found": None}
    for page in (f"/games/{finished}/analysis", f"/games/{finished}"):
        shown = text(browser.get(page))
        assert "failed. The server will try again." in shown
        assert "being made" not in shown
    make(hall, finished)
    assert "Turning points" in text(browser.get(f"/games/{finished}"))


def test_a_winner_reads_that_they_have_won(hall: Harness, two: list[Player], finished: str):
    """Nobody else does."""
    won = play.perspective(hall.services, finished, None).table.outcome["places"][0]
    for seat in range(2):
        reader = hall.browser()
        reader.sign_in(hall, f"player{seat}@example.org")
        assert ("You won" in text(reader.get(f"/games/{finished}"))) == (seat in won)


def test_a_reader_without_a_session_cannot_request_it(hall: Harness, finished: str):
    page = f"/games/{finished}/analysis"
    assert "Sign in" in text(hall.browser().get(page))
    assert hall.browser().post(page).status_code == 401
    assert rows.answer(hall.services, finished).state == "none"


def test_a_running_game_has_no_button(hall: Harness, browser: Client, two: list[Player]):
    """Nor a picture."""
    page = f"/games/{hall.game('pig', two)}/analysis"
    assert "A game is analysed once it has finished." in text(browser.get(page))
    assert browser.post(page).status_code == 409
    assert browser.get(f"{page}.svg").status_code == 404


def test_the_api_requests_and_reads_it(hall: Harness, two: list[Player], finished: str):
    asked = two[0].post(f"/games/{finished}/analysis")
    assert (asked.status_code, asked.get_json()) == (202, {"state": "waiting", "found": None})
    make(hall, finished)
    found = hall.client.get(f"/v1/games/{finished}/analysis").get_json()
    assert found["state"] == "made"
    assert [one["commands"] for one in found["found"]["points"][0]["better"]] == [["hold"], ["roll", "hold"]]


def test_a_turning_point_names_the_player_who_was_there(hall: Harness, two: list[Player]):
    """Not the one who has taken over the seat since; so does the table of chances."""
    game, third = hall.game("pig", two, options={"goal": 20}), hall.player(2)
    assert two[0].move(game, [{"do": "roll"}, {"do": "hold"}]).status_code == 201
    assert two[1].offer(game).status_code == 201
    assert third.take(game, 1).status_code == 201
    hall.play_out(game, [two[0], third])
    rows.request(hall.services, game)
    before, after = Point(5, 1, 1, ("roll",), 0.1, (BEST,)), Point(9, 3, 1, ("roll",), 0.1, (BEST,))
    curve = (Share(5, 1, 1, (0.5, 0.5)), Share(9, 3, 1, (0.5, 0.5)), Share(12, 6, None, (0.0, 1.0)))
    store(hall, game, curve, (before, after))
    for page in (f"/games/{game}/analysis", f"/games/{game}"):
        shown = text(hall.browser().get(page))
        assert "Turn 1: Player 1 played" in shown
        assert "Turn 3: Player 2 played" in shown
    assert re.findall(r"<td><bdi>(Player \d)</bdi>", text(hall.browser().get(f"/games/{game}/analysis"))) == [
        "Player 1", "Player 2",
    ]  # fmt: skip


def test_an_analysis_of_another_form_can_be_requested_again(hall: Harness, browser: Client, finished: str):
    """An earlier version of the program made it."""
    rows.request(hall.services, finished)
    rows.store(hall.services, finished, b'{"game":"pig","points":[{"better":["hold"]}]}')
    page = f"/games/{finished}/analysis"
    assert "Analyse this game" in text(browser.get(page))
    browser.post(page)
    assert rows.answer(hall.services, finished).state == "waiting"
    make(hall, finished)
    assert rows.answer(hall.services, finished).state == "made"
