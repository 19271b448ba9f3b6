"""The picture: well-formed, complete, and within its frame."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from engine.games.discoveries.drawing import FILLS
from engine.games.discoveries.picture import WIDTH, picture
from engine.games.discoveries.view import DiscoveriesView
from tests.games.discoveries.test_board import GOLDEN
from tests.games.discoveries.views import NAMES, midgame

SVG = "{http://www.w3.org/2000/svg}"


def drawn(view: DiscoveriesView) -> ET.Element:
    return ET.fromstring(picture(view, NAMES))


def texts(view: DiscoveriesView) -> list[str]:
    return [each.text or "" for each in drawn(view).iter(f"{SVG}text")]


@pytest.mark.parametrize("view", GOLDEN.values(), ids=GOLDEN)
def test_nothing_lies_outside(view: DiscoveriesView) -> None:
    """Every box, seen from its group, ends within the document."""
    root = drawn(view)
    height = int(root.attrib["viewBox"].split()[3])
    boxes = [(0.0, 0.0, box) for box in root.findall(f"{SVG}g/{SVG}rect")]
    for group in root.findall(f"{SVG}g/{SVG}g"):
        dx, dy = map(float, re.findall(r"[\d.]+", group.attrib["transform"]))
        boxes += [(dx, dy, box) for box in group.iter(f"{SVG}rect")]
    for dx, dy, box in boxes:
        x, y, wide, high = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= dx + x <= dx + x + wide <= WIDTH
        assert 0 <= dy + y <= dy + y + high <= height


@pytest.mark.parametrize(("colour", "count"), [("red", 5), ("blue", 5), ("green", 5), ("yellow", 5), ("grey", 10)])
def test_every_die_is_drawn(colour: str, count: int) -> None:
    """In the reserves, on the actions, on the banks and in the stock, in its colour."""
    boxes = [box for box in drawn(midgame()).iter(f"{SVG}rect") if box.attrib["fill"] == FILLS[colour]]
    assert sum(box.attrib.get("rx") == "4" for box in boxes) == count


def test_every_open_card_is_named() -> None:
    """Tribes with their names, discoveries by number, journals in words."""
    view = midgame()
    said = texts(view)
    names = [f"{number} {view.card(number).tribe.name}" for number in view.encounters]
    names += [f"{number} {view.card(number).tribe.name}" for player in view.players for number in player.tribes]
    numbers = [str(number) for number in (*view.territories, view.top, *(p.exploring for p in view.players), 44)]
    assert {*names, *numbers} <= {*said}
    assert "Journal: 35 (4 points), 16 (plant), 2 (mammal)" in said


def test_a_road_is_drawn_from_the_bottom_up() -> None:
    """Card 4, a river and then a mountain: the river stands lower."""
    tall = {box.attrib["fill"]: float(box.attrib["y"]) for box in _icons_of_card_4()}
    assert tall["#5d9fc4"] > tall["#e3d5b4"]


def _icons_of_card_4() -> list[ET.Element]:
    """It is the second Territory: the icons between its left edge and the next card's."""
    boxes = drawn(midgame()).findall(f"{SVG}g/{SVG}rect")
    card = next(box for box in boxes if box.attrib["x"] == "631")
    right = 631 + float(card.attrib["width"])
    within = [box for box in boxes if 631 < float(box.attrib["x"]) < right and float(box.attrib["y"]) < 346]
    return [box for box in within if box.attrib["fill"] in ("#5d9fc4", "#e3d5b4")]


def test_who_moves_and_what_is_owed() -> None:
    """The head says it in words, and so does the seat's own panel."""
    said = texts(GOLDEN["in-a-turn"])
    assert "Seat 1 (red) chooses the next card to explore." in said
    assert "Seat 1 is to move" in said
    assert any("Seat 3 owes seat 1 a grey die. This is the last round. Done: foot, 14." in line for line in said)


def test_a_game_that_is_over_names_nobody_to_move() -> None:
    assert not any("is to move" in line for line in texts(GOLDEN["over"]))


def test_a_seat_that_left_is_marked() -> None:
    view = midgame()
    left = replace(view.players[1], gone=True)
    assert "Seat 2 has resigned" in texts(midgame(players=(view.players[0], left, *view.players[2:])))
