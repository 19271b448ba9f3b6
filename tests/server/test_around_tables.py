"""The pages around a table: what a waiting room shows, what a link shows elsewhere, where the lobby opens."""

import re
from io import BytesIO

import pytest
from PIL import Image

from server.play import social
from tests.server.harness import Harness


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
