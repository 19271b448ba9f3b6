"""Guided first games: their pages and their API, which need no account and store nothing."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest

from engine import lessons

TITLES = ("discoveries", "lewis_clark", "livingstone", "tikal")
KEY = "livingstone"
COUNT = len(lessons.find(KEY).steps)
LAST = lessons.find(KEY).steps[-1]


def page(hall: Any, path: str) -> str:
    answer = hall.client.get(path)
    assert answer.status_code == 200
    return unescape(answer.get_data(as_text=True))


@pytest.mark.parametrize("key", TITLES)
def test_each_page_asks_for_its_step_and_leads_to_the_next_without_a_script(hall: Any, key: str) -> None:
    """The first one has the address without a number."""
    path = f"/learn/{key}"
    for number, step in enumerate(lessons.find(key).steps, 1):
        said = page(hall, path)
        assert step.asks in said
        assert step.why in said
        assert f"<code>{step.move}</code>" in said
        path = f"/learn/{key}/{number + 1}"
        assert f'rel="next" href="{path}"' in said
    assert lessons.find(key).ends in page(hall, path)


def test_a_page_says_what_has_happened_since_the_step_before(hall: Any) -> None:
    """In the game's sentences, from the learner's seat."""
    assert "Ann took a 2 to place a tent in column 1, row 2, for 1 coin." in page(hall, f"/learn/{KEY}/2")
    assert "Ann drew a card: Rhino." in page(hall, f"/learn/{KEY}/9")


def test_the_end_offers_a_table_of_the_same_title_where_no_house_player_is(hall: Any) -> None:
    """With house players it has the form "Play now": the tests in the browser go on from there."""
    assert f'href="/tables/new?type={KEY}"' in page(hall, f"/learn/{KEY}/{COUNT + 1}")


@pytest.mark.parametrize("path", ["/learn/pig", "/learn/chess", f"/learn/{KEY}/0", f"/learn/{KEY}/{COUNT + 2}"])
def test_there_are_no_other_steps(hall: Any, path: str) -> None:
    """Nor pictures of them."""
    assert hall.client.get(path).status_code == 404
    assert hall.client.get(f"{path}/picture.svg").status_code == 404


def test_a_picture_of_a_step_has_both_palettes(hall: Any) -> None:
    light, dark = (hall.client.get(f"/learn/{KEY}/3/picture.svg{query}") for query in ("", "?palette=dark"))
    assert light.mimetype == "image/svg+xml"
    assert light.text != dark.text


@pytest.mark.parametrize("path", ["/", f"/play/{KEY}"])
def test_the_front_page_and_the_guide_lead_to_the_lesson(hall: Any, path: str) -> None:
    assert f'href="/learn/{KEY}"' in page(hall, path)


def test_the_guide_lists_the_same_steps(hall: Any) -> None:
    said = page(hall, f"/play/{KEY}")
    for number, step in enumerate(lessons.find(KEY).steps, 1):
        assert f'<a href="/learn/{KEY}/{number}">{step.asks}</a>' in said


def test_the_api_has_the_whole_lesson_in_words(hall: Any) -> None:
    got = hall.client.get(f"/v1/types/{KEY}/lesson").json
    assert got["names"] == ["Ann", "Ben", "Cleo"]
    assert got["steps"][-1] == {"asks": LAST.asks, "why": LAST.why, "notation": LAST.move}


def test_the_api_has_each_step_with_its_position(hall: Any) -> None:
    """The asked command is among the legal ones; the end asks for nothing."""
    got = hall.client.get(f"/v1/types/{KEY}/lesson/{COUNT}").json
    assert got["notation"] == "coins 5"
    assert got["command"] in [one["command"] for one in got["legal"]]
    assert got["picture"].startswith("<svg")
    end = hall.client.get(f"/v1/types/{KEY}/lesson/{COUNT + 1}").json
    assert (end["asks"], end["command"], end["legal"]) == (None, None, [])


def test_any_move_of_a_step_can_be_previewed(hall: Any) -> None:
    """Shortened text too; nothing is stored, so the same question has the same answer."""
    path = f"/v1/types/{KEY}/lesson/{COUNT}/preview"
    got = hall.client.post(path, json={"notation": "coi 2"}).json
    assert got["sentences"][0] == "Ann took a 2 for 2 coins."
    assert hall.client.post(path, json={"commands": got["commands"]}).json == got
    assert hall.client.post(path, json={"notation": "coins 4"}).json["refusal"]["code"] == "no-such-die"


def test_a_preview_for_another_game_is_refused(hall: Any) -> None:
    answer = hall.client.post(f"/v1/types/{KEY}/lesson/1/preview", json={"type": "tikal", "notation": "coins 1"})
    assert (answer.status_code, answer.json["code"]) == (422, "other-type")


@pytest.mark.parametrize("path", ["/v1/types/pig/lesson", "/v1/types/chess/lesson", f"/v1/types/{KEY}/lesson/99"])
def test_the_api_has_no_lesson_of_other_games(hall: Any, path: str) -> None:
    assert hall.client.get(path).status_code == 404
