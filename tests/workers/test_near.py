"""The part of a picture for a telephone: it is chosen by what can be done and what was seen, and shown there only."""

from __future__ import annotations

import base64
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from engine import registry
from engine.game import Event
from tests.browser import chromium
from tests.workers.harness import PEOPLE, recipient
from tests.workers.letters import NOTE, your_turn
from tests.workers.test_letters import page, sent
from workers.mail import near, picture

PLACE = '<g data-word="{}"{}><title>x</title><rect x="{}" y="{}" width="60" height="60" fill="#204060"/></g>'
ZONE = '<g data-zone="{}" data-box="0 0 {} {}" transform="translate(8 8)">{}</g>'
BOARD = ZONE.format("board", 880, 900, PLACE.format("cell:a1", "", 10, 10) + PLACE.format("cell:h8", "", 800, 800))
SEAT = ZONE.format("seat-1", 432, 200, PLACE.format("card:boat", ' data-seat="1"', 10, 10))
OTHER = ZONE.format("seat-2", 432, 200, PLACE.format("card:boat", ' data-seat="2"', 10, 10))
ROOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 896 1300" width="896">'
PAPER = '<rect x="0" y="0" width="896" height="1300" fill="#fff"/>'
DRAWING = f"{ROOT}\n{PAPER}\n<g>\n{BOARD}\n{SEAT}\n{OTHER}\n</g>\n</svg>"


class Rolled(Event, frozen=True, tag="Rolled"):
    seat: int
    die: int


class Moved(Event, frozen=True, tag="Moved"):
    seat: int
    goal: str
    cards: tuple[str | None, ...]


@pytest.fixture
def database_url(tmp_path):
    """Mails are the same on both databases."""
    return f"sqlite:///{tmp_path / 'house.db'}"


def size_of(png: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(png)) as image:
        return image.size


def dark(png: bytes) -> list[tuple[int, int]]:
    """Where a place is drawn, in tenths of the picture."""
    with Image.open(BytesIO(png)) as image:
        shown = image.convert("L")
        wide, high = shown.size
        return [(x, y) for y in range(10) for x in range(10) if shown.getpixel((x * wide // 10, y * high // 10)) < 99]


def test_a_part_is_around_what_is_meant():
    """Not around other places of its zone, and not much higher than the place."""
    made = near.png(near.focused(DRAWING, ["cell:h8"]))
    assert size_of(made)[0] == near.WIDTH
    assert size_of(made)[1] < 200
    assert dark(made)
    assert all(x >= 5 for x, _ in dark(made))


def test_a_piece_is_its_owners():
    """Another player's piece of the same name is not meant."""
    assert near.focused(DRAWING, ["card:boat@1"]).startswith('<svg data-near="card:boat@1"')
    assert near.focused(DRAWING, ["card:boat@3"]) is None


def test_a_drawing_without_anything_meant_has_no_part():
    assert near.focused(DRAWING, ["cell:c3", "card:a1"]) is None
    assert near.focused(DRAWING, ["*:a1"]) is not None


def test_a_mark_of_several_words_needs_them_all():
    """One that has two kinds for one word needs either."""
    both = PLACE.format("column:4 row:6", "", 0, 0)
    assert near.focused(f"<svg>{both}</svg>", ["column:4"]) is None
    assert near.focused(f"<svg>{both}</svg>", ["column:4", "row:6"]) is not None
    assert near.focused(f"<svg>{PLACE.format('place:gift source:gift', '', 0, 0)}</svg>", ["source:gift"]) is not None


def test_a_whole_has_the_room_that_its_part_leaves(monkeypatch):
    """Together they are what one picture may be."""
    limits = []
    monkeypatch.setattr(picture, "is_too_large", lambda svg, most: bool(limits.append(most)))
    picture.png(picture.limited(DRAWING, b"x" * 5000))
    assert limits == [picture.MOST - 5000]


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key, game in registry.games().items() if game.meta.stage != "tiny"])
def test_a_turn_mail_has_both_pictures(house, sink, key):
    """Of every title, from its first turn on; others' mails have the whole only."""
    house.game(key)
    house.react()
    mails = {mail["Subject"]: mail for mail in sink.mails if mail["To"].addresses[0].username == "ada"}
    sizes = {
        part.get_filename(): size_of(part.get_content())[0]
        for mail in mails.values()
        for part in mail.walk()
        if part.get_content_type() == "image/png"
    }
    assert sizes["position.png"] == picture.WIDTH
    assert sizes.get("near.png") in (near.WIDTH, None)


HIGHEST = 2400  # pixels: the news, both pictures, what can be done, a link


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key, game in registry.games().items() if game.meta.stage != "tiny"])
def test_a_turn_mail_is_short_on_a_telephone(house, sink, key):
    """Of every title, from the first turn of the player who does not begin. The other one gets a part of the guide."""
    game = house.game(key)
    house.react()
    second = 1 - house.table(game).active[0]
    with chromium.running() as browser:
        for is_active in (True, False, True):
            while (second in house.table(game).active) != is_active:
                house.play_default(game)
                house.react()
            mine = [mail for mail in sink.mails if recipient(mail).username == PEOPLE[second].lower()]
            assert height(browser, mine[-1]) <= HIGHEST


def height(browser, mail) -> int:
    """Of its page on a telephone."""
    opened = browser.new_page(viewport={"width": 360, "height": 740})
    opened.set_content(shown(mail))
    return opened.evaluate("document.documentElement.scrollHeight")


def shown(mail) -> str:
    """Its page, with the pictures in it."""
    html = page(mail)
    for part in mail.walk():
        if part.get_content_type() == "image/png":
            data = f"data:image/png;base64,{base64.b64encode(part.get_content()).decode()}"
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", data)
    assert "cid:" not in html
    return html


def test_a_page_shows_the_part_on_a_telephone_only():
    """A program that reads no media queries shows the whole."""
    html = page(sent(with_part()))
    assert '<p class="near" style="display:none;mso-hide:all">' in html
    assert "<style>@media (max-width: 480px) { .near { display: block !important } }</style>" in html
    assert "<style>" not in page(sent(your_turn()))


@pytest.mark.slow
def test_a_browser_shows_the_part_at_a_telephones_width():
    """And nothing is wider than the window."""
    html = page(sent(with_part()))
    for name in ("position", "near"):
        html = html.replace(f"cid:{name}", f"data:image/png;base64,{base64.b64encode(with_part().table.near).decode()}")
    with chromium.running() as browser:
        for width, shown in ((360, True), (640, False)):
            opened = browser.new_page(viewport={"width": width, "height": 700})
            opened.set_content(html)
            assert opened.locator(".near").is_visible() is shown
            assert opened.evaluate("document.documentElement.scrollWidth") == width


def with_part():
    facts = your_turn()
    return replace(facts, table=replace(facts.table, near=near.png(near.focused(DRAWING, ["cell:a1"])), note=NOTE))


def test_events_speak_of_names_of_any_kind_and_of_numbers_by_field():
    """Neither their own name nor a seat is a place; what was redacted is None, and names nothing."""
    assert set(near.of_events([Rolled(seat=2, die=5), Moved(seat=1, goal="g4", cards=("boat", None))])) == {
        "die:5",
        "*:g4",
        "*:boat",
    }
