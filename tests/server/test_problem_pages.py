"""The `type` of every problem is the address of a page: what it means, what is expected, what to do."""

import html
import re

import pytest

from engine import registry
from engine.errors import Refused
from engine.record.laws.preconditions import LAWS
from server.http.schemas import UNREADABLE
from server.kernel.advice import ADVICE
from server.kernel.errors import ENGINE, SERVER, TITLES
from server.kernel.problem_bodies import body_of
from tests.server.harness import Harness, Player


def shown(hall: Harness, code: str) -> str:
    answer = hall.client.get(f"/problems/{code}")
    assert answer.status_code == 200, code
    return html.unescape(answer.get_data(as_text=True))


def test_codes_and_advice_match():
    """One table, as long as the tables of codes."""
    assert set(ADVICE) == {*SERVER, *ENGINE}


def test_every_code_has_a_page(hall: Harness):
    """With the problem's title and status, and a next step."""
    titles = {code: (status, title) for code, (status, title) in SERVER.items()}
    titles |= {code: (status, TITLES[code]) for code, status in ENGINE.items()}
    for code, (status, title) in titles.items():
        page = shown(hall, code)
        assert title in page, code
        assert f"Status {status}" in page, code
        assert "What to do:" in page, code
    for code in UNREADABLE:
        assert "What to do:" in shown(hall, code)


def test_the_page_of_a_record_code_shows_the_law(hall: Harness):
    """In the words of the specification."""
    for rule in LAWS:
        assert "Expected:" in shown(hall, rule.code)


def test_the_page_of_a_game_code_shows_the_games_own_sentence(hall: Harness):
    """And names the game."""
    for game in registry.games().values():
        for code in game.refusals:
            page = shown(hall, code)
            assert game.meta.title in page or code in ENGINE
            assert not re.search(r"\{\w+:", page)


def test_the_type_of_a_problem_leads_to_its_page(hall: Harness, two: list[Player]):
    """In real answers."""
    game = hall.game("bids", two)
    for answer in (
        hall.client.get("/v1/me"),
        hall.client.get("/v1/games?odd=1"),
        two[0].move(game, [{"do": "bid", "amount": 99}]),
        hall.client.post(f"/v1/games/{game}/moves", json={"jws": "x"}),
    ):
        problem = answer.get_json()
        assert problem["code"] in hall.client.get(problem["type"]).get_data(as_text=True)


@pytest.mark.parametrize("code", ["nothing-of-ours", "..", "<script>", "%00", "a" * 500])
def test_an_unknown_code_has_no_page(hall: Harness, code: str):
    """The answer does not repeat it."""
    answer = hall.client.get(f"/problems/{code}")
    assert answer.status_code == 404
    assert "<script>" not in answer.get_data(as_text=True)


def test_titles_count_seats_from_1_and_facts_from_0():
    told = body_of(Refused("seat-taken", seat=0))
    assert (told["title"], told["facts"]) == ("Seat 1 is taken.", {"seat": 0})
