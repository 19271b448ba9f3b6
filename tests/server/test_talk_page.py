"""The talk and the notes on a game's page, and private notes of an account."""

from __future__ import annotations

import re

import pytest

from server.kernel.db.models import PlayerReport
from tests.server.harness import Client, Harness, Player
from tests.server.test_talk import SECRET, count, put, refused, said, say, whole


@pytest.fixture
def three(hall: Harness) -> list[Player]:
    """Ada and Ben play; Cy has no seat yet."""
    return [hall.player(number) for number in range(3)]


@pytest.fixture
def game(hall: Harness, three: list[Player]) -> str:
    return hall.game("pig", three[:2])


# --- on the page ----------------------------------------------------------------------------------------------------


@pytest.fixture
def ada_browses(hall: Harness, three: list[Player]) -> Client:
    """A browser in which Ada is signed in."""
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    return browser


def test_a_form_writes_once_and_its_page_warns_of_later_readers(
    hall: Harness, ada_browses: Client, three: list[Player], game: str
):
    """Markup in a message is text."""
    before = ada_browses.get(f"/games/{game}").get_data(as_text=True)
    assert "and so can players who take a seat later." in before
    form = {"text": "<b>hello</b>\r\nBen", "once": re.findall(r'name="once" value="(\w+)"', before)[0]}
    for _ in range(2):
        assert ada_browses.post(f"/games/{game}/talk", data=form).status_code == 303
    assert said(three[1], game) == ["<b>hello</b>\nBen"]
    after = ada_browses.get(f"/games/{game}").get_data(as_text=True)
    assert "&lt;b&gt;hello&lt;/b&gt;\nBen" in after
    assert "<b>hello" not in after
    assert 'id="talk"' not in hall.client.get(f"/games/{game}").get_data(as_text=True)


def test_every_button_of_the_talk_works_without_a_script(
    hall: Harness, ada_browses: Client, three: list[Player], game: str
):
    say(three[0], game, "mine")
    n = say(three[1], game, "yours").get_json()["n"]
    assert ada_browses.post(f"/games/{game}/talk/1/take-back").status_code == 303
    assert "operator has your report" in ada_browses.post(
        f"/games/{game}/talk/{n}/report", data={"why": "rude"}
    ).get_data(as_text=True)
    assert ada_browses.post(f"/games/{game}/mutes/1", data={"muted": "true"}).status_code == 303
    assert said(three[0], game) == [None, None]
    assert ada_browses.post(f"/games/{game}/mutes/1", data={"muted": "false"}).status_code == 303
    assert said(three[0], game) == [None, "yours"]
    assert count(hall, PlayerReport) == 1


def test_the_notes_of_a_page_do_not_overwrite_newer_ones(ada_browses: Client, three: list[Player], game: str):
    path = f"/games/{game}/notes"
    assert ada_browses.post(path, data={"text": "one\r\ntwo", "was": ""}).status_code == 303
    late = ada_browses.post(path, data={"text": "three", "was": ""})
    assert late.status_code == 412
    assert "Your notes changed" in late.get_data(as_text=True)
    assert ada_browses.post(path, data={"text": "three", "was": "one\r\ntwo"}).status_code == 303
    assert three[0].get(path).get_json() == {"text": "three"}


def test_an_empty_form_is_refused_in_words(ada_browses: Client, game: str):
    answer = ada_browses.post(f"/games/{game}/talk", data={"text": " "})
    assert answer.status_code == 422
    assert "1 to 1,000 characters" in answer.get_data(as_text=True)


# --- notes ----------------------------------------------------------------------------------------------------------


def test_notes_are_private_and_stay_with_the_account(hall: Harness, three: list[Player], game: str):
    """A player who takes the seat gets none of them; the former holder keeps them."""
    ada, ben, cy = three
    path = f"/games/{game}/notes"
    assert ben.get(path).get_json() == {"text": ""}
    assert put(ben, path, {"text": SECRET}).status_code == 200
    ben.offer(game)
    cy.take(game, 1)
    assert cy.get(path).get_json() == ada.get(path).get_json() == {"text": ""}
    assert ben.get(path).get_json() == {"text": SECRET}
    assert "zanzibar" not in whole(hall.client.get(f"/games/{game}"))


def test_notes_of_an_older_version_are_not_overwritten(three: list[Player], game: str):
    ada, path = three[0], f"/games/{game}/notes"
    tag = ada.get(path).headers["ETag"]
    first = put(ada, path, {"text": "one"}, **{"If-Match": tag})
    assert first.status_code == 200
    assert refused(put(ada, path, {"text": "two"}, **{"If-Match": tag})) == (412, "notes-changed")
    assert put(ada, path, {"text": "two"}, **{"If-Match": first.headers["ETag"]}).status_code == 200
    assert ada.get(path, headers={"If-None-Match": tag}).get_json() == {"text": "two"}


def test_nobody_without_a_seat_has_notes(three: list[Player], game: str):
    assert refused(three[2].get(f"/games/{game}/notes")) == (403, "no-seat")
    assert refused(put(three[2], f"/games/{game}/notes", {"text": "x"})) == (403, "no-seat")
