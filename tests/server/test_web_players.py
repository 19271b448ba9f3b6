"""The page of a player, the links that lead to it, and the box that hides the pace."""

from __future__ import annotations

import pytest

from server.tables import players
from tests.server.harness import Client, Harness, Player
from tests.server.test_bots import house_player
from tests.server.test_guests import ALONE, arrives
from tests.server.test_people import handle
from tests.server.test_players import LONG, STRANGE, asked, let_pass, turn, turns


@pytest.fixture
def browser(hall: Harness, two: list[Player]) -> Client:
    """A browser in which Ada is signed in."""
    opened = hall.browser()
    opened.sign_in(hall, "player0@example.org")
    return opened


def text(browser: Client, path: str) -> str:
    return str(browser.get(path).get_data(as_text=True))


def test_the_page_says_new_here_or_the_share_and_the_pace(
    hall: Harness, two: list[Player], monkeypatch: pytest.MonkeyPatch
):
    page = f"/players/{handle(two[0])}"
    stranger = hall.browser()
    assert "New here" in text(stranger, page)
    assert "with fewer than 3 other people" in text(stranger, page)
    monkeypatch.setattr(players, "FEWEST", 4)
    monkeypatch.setattr(players, "OTHERS", 1)
    game = hall.game("pig", two, **LONG)
    while len(turns(hall, two[0])) < 4:
        turn(hall, game, two, hours=5)
    while asked(hall, game, two) is not two[0]:
        turn(hall, game, two, hours=5)
    let_pass(hall, game, 0)
    shown = stranger.get(page)
    assert shown.headers["X-Robots-Tag"] == "noindex"
    for words in ("<b>80%</b>", "of the last 5 turns", "<b>5 hours</b>", "<h1><bdi>Player 0</bdi></h1>"):
        assert words in shown.get_data(as_text=True)
    assert "New here" not in shown.get_data(as_text=True)


def test_a_reader_blocks_and_unblocks_on_the_page_of_a_player(hall: Harness, browser: Client, two: list[Player]):
    """Their own page has no such button, nor has one that is read by nobody in particular."""
    own, path = (f"/players/{handle(player)}" for player in two)
    assert "Block this player" not in text(browser, own) + text(hall.browser(), path)
    assert "Block this player" in text(browser, path)
    act = path.replace("/players/", "/account/blocks/")
    assert browser.post(act, data={"back": path}).headers["Location"] == path
    assert "You have blocked this player" in text(browser, path)
    assert browser.post(act, data={"back": path, "end": "yes"}).status_code == 303
    assert "Block this player" in text(browser, path)


def test_unknown_players_have_a_page_that_says_so(hall: Harness):
    for name in STRANGE[:1]:
        answer = hall.browser().get(f"/players/{name}")
        assert answer.status_code == 404
        assert "No player has this handle." in answer.get_data(as_text=True)


def test_names_of_players_lead_to_their_pages(hall: Harness, browser: Client, two: list[Player]):
    """On the lists of tables and on the page of a game."""
    game = hall.game("pig", two)
    for path in ("/", "/tables?status=running", f"/games/{game}"):
        assert f'<a href="/players/{handle(two[1])}"><bdi>Player 1</bdi></a>' in text(browser, path), path


def test_the_name_of_a_guest_leads_nowhere(hall: Harness):
    house_player(hall, "York")
    browser, guest = arrives(hall)
    game = guest.post("/games", ALONE).get_json()["id"]
    assert guest.join(game, 0).status_code == 201
    assert "/players/" not in text(browser, f"/games/{game}") + text(browser, "/account")
    assert guest.get(f"/games/{game}").get_json()["seats"][0]["handle"] is None


def test_a_box_on_the_account_page_hides_the_pace(browser: Client, two: list[Player]):
    form = {"name": "Ada", "zone": "UTC"}
    box = '<input type="checkbox" name="hides_pace" value="yes">'
    assert box in text(browser, "/account")
    assert browser.post("/account", data=form | {"hides_pace": "yes"}).status_code == 303
    assert two[0].get("/me").get_json()["hides_pace"] is True
    assert box.replace(">", " checked>") in text(browser, "/account")
    assert browser.post("/account", data=form).status_code == 303
    assert two[0].get("/me").get_json()["hides_pace"] is False
