"""The pages around a table: what a waiting room shows, what a link shows elsewhere, where the lobby opens."""

import re
from io import BytesIO

import pytest
from PIL import Image

from server.play import social
from tests.server.browsers import PAGE
from tests.server.harness import Harness
from tests.server.test_bots import house_player


def page_of(hall: Harness, path: str) -> str:
    return hall.client.get(path).get_data(as_text=True)


def properties(html: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:([a-z:_]+)" content="([^"]*)">', html))


def size(data: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(data)) as image:
        return image.size


def lobby(two) -> str:
    return two[0].post("/games", {"type": "pig", "seats": 3}).get_json()["id"]


def test_a_waiting_room_shows_the_game_and_one_button_for_its_address(hall, two):
    """The picture is an example, since nothing lies on the board yet."""
    html = page_of(hall, f"/games/{lobby(two)}")
    assert 'src="/play/pig/picture.svg" alt="An example of Pig"' in html
    assert len(re.findall(r'data-act="copy"', html)) == 1


def test_a_waiting_room_shows_who_sits_and_that_a_seat_is_reserved(hall, two):
    """Only the host reads for whom."""
    game = lobby(two)
    two[0].join(game, 0)
    two[0].post(f"/games/{game}/invitations", {"to": two[1].get("/me").get_json()["handle"], "seat": 2})
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    host, stranger = browser.get(f"/games/{game}").get_data(as_text=True), page_of(hall, f"/games/{game}")
    assert seats(host) == ["Player 0 (you)", "free", "reserved for an invited player"]
    assert seats(stranger) == ["Player 0", "free", "reserved for an invited player"]
    assert "Seat 3 is kept for <bdi>Player 1</bdi>" in host
    assert "Player 1" not in stranger


def seats(html: str) -> list[str]:
    rows = re.findall(r'<li data-seat="\d"[^>]*>(.*?)</li>', html)
    return [re.sub("<[^>]*>", "", row) for row in rows]


def test_play_now_says_whether_its_game_is_public(hall, two):
    """A table of an account is listed; that of a guest, which a stranger becomes, is not."""
    house_player(hall, "York")
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    public = "The game is public: it is listed under your name, and anyone can watch it."
    quiet = "The game is in no list. Anyone who has its link can watch it."
    guest = hall.browser()
    guest.post("/v1/guests", json={}, headers=PAGE)
    for reader, says in ((browser, public), (guest, quiet), (hall.client, quiet)):
        html = reader.get("/").get_data(as_text=True)
        assert [sentence for sentence in (public, quiet) if sentence in html] == [says]
    game = lobby(two)
    unlisted = two[0].post("/games", {"type": "pig", "seats": 3, "door": "link"}).get_json()["id"]
    assert [one["id"] for one in hall.client.get("/v1/games").get_json()["games"]] == [game]
    assert hall.client.get(f"/games/{unlisted}").status_code == 200


def test_a_link_to_a_table_shows_its_board_elsewhere(hall, two):
    """As an absolute address of a PNG, with words; before the start it is an example."""
    game = lobby(two)
    said = properties(page_of(hall, f"/games/{game}"))
    assert said["title"].startswith("Pig #")
    assert said["description"] == "A table that waits for players: nobody sits here yet."
    assert said["image"].startswith(f"{hall.services.settings.public_url}/games/{game}/preview.png")
    got = hall.client.get(f"/games/{game}/preview.png")
    assert got.mimetype == "image/png"
    assert size(got.data)[0] > 100


def test_the_picture_of_a_link_is_the_public_view_whoever_asks(hall, two):
    """A player of a game with hidden bids gets the same bytes as a stranger."""
    path = f"/games/{hall.game('bids', two)}/preview.png"
    own = hall.client.get(path, headers=two[0].auth)
    assert own.data == hall.client.get(path).data
    assert hall.client.get(path, headers={"If-None-Match": own.headers["ETag"]}).status_code == 304


def test_the_picture_of_a_link_is_the_public_one(hall, two):
    """In Livingstone a player's own picture shows what is in their chest."""
    game = hall.game("livingstone", two)
    drawn, path = hall.client.get(f"/games/{game}/preview.png").data, f"/v1/games/{game}/picture"
    assert drawn == social.png(hall.client.get(path).get_data(as_text=True))
    assert drawn != social.png(hall.client.get(path, headers=two[0].auth).get_data(as_text=True))


@pytest.mark.parametrize("svg", ["", "<svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<p/>"])
def test_a_drawing_that_fails_costs_only_the_picture(svg):
    """The renderer may panic."""
    assert not social.png(svg) or svg.endswith("/>")


def test_the_list_of_tables_opens_on_what_there_is(hall, two):
    """On free tables; if there are none, on all."""
    game = hall.game("pig", two)
    assert f"/games/{game}" in page_of(hall, "/tables")
    waiting = lobby(two)
    html = page_of(hall, "/tables")
    assert f"/games/{waiting}" in html
    assert f"/games/{game}" not in html


def test_the_list_of_tables_says_which_games_are_over(hall, two):
    """Also if it shows games of every state, where no heading says so."""
    running, finished, cancelled = (hall.game("pig", two) for _ in range(3))
    two[0].resign(finished)
    for player in two:
        hall.client.put(f"/v1/games/{cancelled}/consents/cancel", headers=player.auth)
    html = page_of(hall, "/tables?status=")
    assert state_of(html, running) == "4 entries"
    assert state_of(html, finished).startswith("finished, ")
    assert state_of(html, cancelled).startswith("cancelled, ")


def state_of(html: str, game: str) -> str:
    return re.findall(rf'href="/games/{game}".*?<span class="state">(.*?)</span>', html, re.DOTALL)[0]
