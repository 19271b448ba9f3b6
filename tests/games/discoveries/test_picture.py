"""The picture: well-formed, complete, and within its frame."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from engine.games.discoveries import drawing
from engine.games.discoveries.drawing import FILLS
from engine.games.discoveries.house import HOUSE
from engine.games.discoveries.picture import WIDTH, picture
from engine.games.discoveries.view import DiscoveriesView
from engine.kit import ems
from engine.kit import width as columns
from tests.games.discoveries.test_board import GOLDEN, crowded
from tests.games.discoveries.views import NAMES, midgame

SVG = "{http://www.w3.org/2000/svg}"


def drawn(view: DiscoveriesView) -> ET.Element:
    return ET.fromstring(picture(view, NAMES))


def texts(view: DiscoveriesView) -> list[str]:
    return [each.text or "" for each in drawn(view).iter(f"{SVG}text")]


@pytest.mark.parametrize("view", GOLDEN.values(), ids=GOLDEN)
def test_every_box_is_inside_the_picture(view: DiscoveriesView) -> None:
    root = drawn(view)
    height = int(root.attrib["viewBox"].split()[3])
    for dx, dy, box in placed(root, "rect"):
        x, y, wide, high = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= dx + x <= dx + x + wide <= WIDTH
        assert 0 <= dy + y <= dy + y + high <= height


@pytest.mark.parametrize(("colour", "count"), [("red", 5), ("blue", 5), ("green", 5), ("yellow", 5), ("grey", 10)])
def test_every_die_is_drawn_in_its_colour(colour: str, count: int) -> None:
    """In the reserves, on the actions, on the banks and in the stock."""
    boxes = [box for box in drawn(midgame()).iter(f"{SVG}rect") if box.attrib["fill"] == FILLS[colour]]
    assert sum(box.attrib.get("rx") == "4" for box in boxes) == count


def test_an_empty_deck_has_no_top_card() -> None:
    """The last card of the row is then a territory like the others."""
    said = texts(replace(midgame(), top=0, deck=()))
    assert "The deck is empty." in said
    assert "Territories: roads run from the bottom up." in said


def test_every_open_card_is_named() -> None:
    """Tribes by name, discoveries by number, journals in words."""
    view = midgame()
    said = texts(view)
    names = [f"{number} {view.card(number).tribe.name}" for number in view.encounters]
    names += [f"{number} {view.card(number).tribe.name}" for player in view.players for number in player.tribes]
    numbers = [str(number) for number in (*view.territories, view.top, *(p.exploring for p in view.players), 44)]
    assert {*names, *numbers} <= {*said}
    assert "Journal: 35 (4 points), 16 (plant, 1 tipi), 2 (mammal)" in said


def test_a_road_is_drawn_from_the_bottom_up() -> None:
    """Card 4 is a river, then a mountain: the river is lower."""
    boxes = list(ET.fromstring(f"<g>{''.join(drawing.discovery(0, 0, 145, 200, HOUSE.card(4)))}</g>").iter("rect"))
    tall = {box.attrib["fill"]: float(box.attrib["y"]) for box in boxes if box.attrib["fill"] in ("#5d9fc4", "#e3d5b4")}
    assert tall["#5d9fc4"] > tall["#e3d5b4"]


def test_the_picture_names_the_player_to_move_and_debts() -> None:
    """In the head and on the player's own panel."""
    said = texts(GOLDEN["in-a-turn"])
    assert "Ann (seat 1, red) must choose the next card to explore." in said
    assert "1 Ann (red), to move" in [" ".join(line.split()) for line in said]
    assert {"Cid owes Ann a grey die and chooses which.", "Actions used this turn: foot, 14."} <= {*said}
    assert "This is the last round. After this turn: Bob, Cid." in said


def test_a_game_that_is_over_names_nobody_to_move() -> None:
    assert not any("to move" in line for line in texts(GOLDEN["over"]))


def test_a_player_who_resigned_is_marked() -> None:
    view = midgame()
    left = replace(view.players[1], gone=True)
    said = texts(midgame(players=(view.players[0], left, *view.players[2:])))
    assert "2  Bob (blue), resigned" in said


@pytest.mark.parametrize("view", [*GOLDEN.values(), crowded()])
def test_no_text_overruns(view: DiscoveriesView) -> None:
    """With the longest names of tribes and players; a letter is taken as 0.6 of its size."""
    for group, _, each in placed(drawn(view), "text"):
        size = float(each.attrib.get("font-size", 14))
        room = WIDTH - float(each.attrib["x"]) - group
        if each.attrib.get("text-anchor") is None:
            assert columns(each.text or "") * size * 0.6 <= room + 20, each.text
        assert size >= 5


def placed(node: ET.Element, tag: str, dx: float = 0, dy: float = 0) -> Iterator[tuple[float, float, ET.Element]]:
    """Elements with the offset of their groups."""
    if node.attrib.get("transform", "").startswith("translate(") and node.tag == f"{SVG}g":
        x, y = map(float, re.findall(r"-?[\d.]+", node.attrib["transform"]))
        dx, dy = dx + x, dy + y
    if node.tag == f"{SVG}{tag}":
        yield dx, dy, node
    for inner in node:
        yield from placed(inner, tag, dx, dy)


@pytest.mark.parametrize("name", ["W" * 24, "Confederated Umatilla Id", "10 Mandan"])
def test_the_longest_names_of_tribes_fit(name: str) -> None:
    """Long names are printed smaller; W is the widest letter."""
    size = float(ET.fromstring(drawing.fitted(0, 0, name, 160, 15)).attrib["font-size"])
    assert size * ems(name, bold=True) <= 160
    assert size == 15 or size > 5


def test_more_than_three_tipis_are_drawn_as_a_number() -> None:
    """An edition may have up to nine."""
    shown = drawing.tipis(100, 0, 7)
    assert (shown.count("<path"), ">7<" in shown) == (1, True)
    assert drawing.tipis(100, 0, 3).count("<path") == 3
