"""The picture: complete, and drawn as the cards are."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from engine.games.discoveries import drawing
from engine.games.discoveries.house import HOUSE
from engine.games.discoveries.ink import ROLES
from engine.games.discoveries.panels import GAP, TILE, TILE_HEIGHT, seat_zone
from engine.games.discoveries.picture import THIRD, TRIBE, picture
from engine.games.discoveries.view import DiscoveriesView
from engine.kit import ems, readable
from engine.kit.letters import MARK
from tests.games.discoveries.test_board import GOLDEN
from tests.games.discoveries.views import NAMES, action, midgame

SVG = "{http://www.w3.org/2000/svg}"


def drawn(view: DiscoveriesView) -> ET.Element:
    return ET.fromstring(picture(view, NAMES))


def texts(view: DiscoveriesView) -> list[str]:
    return [each.text or "" for each in drawn(view).iter(f"{SVG}text")]


def titles(view: DiscoveriesView) -> list[str]:
    return [each.text or "" for each in drawn(view).iter(f"{SVG}title")]


@pytest.mark.parametrize(("colour", "count"), [("red", 5), ("blue", 5), ("green", 5), ("yellow", 5), ("grey", 10)])
def test_every_die_is_drawn_in_its_colour(colour: str, count: int) -> None:
    """In the reserves, on the actions, on the banks and in the stock."""
    fill = ROLES[f"die-{colour}"][0]
    assert sum(box.attrib["fill"] == fill for box in drawn(midgame()).iter(f"{SVG}rect")) == count


def test_an_empty_deck_has_no_top_card() -> None:
    """The last card of the row is then a territory like the others."""
    assert "The deck is empty" in texts(replace(midgame(), top=0, deck=()))


def test_every_open_card_is_named() -> None:
    """Tribes by name, discoveries by number, journals in words."""
    view = midgame()
    said, told = texts(view), titles(view)
    for number in (*view.encounters, *(number for player in view.players for number in player.tribes)):
        assert any(line.startswith(f"{number} {view.card(number).tribe.name}") for line in told)
    numbers = [str(number) for number in (*view.territories, view.top, *(p.exploring for p in view.players))]
    assert {*numbers} <= {*said}
    assert any(line.startswith("Journal: 35 (4 points), 16 (plant, 1 tipi), 2 (mammal)") for line in told)


def test_actions_are_drawn_around_a_reserved_card() -> None:
    """It is two rows high, and the board's actions begin beside it instead of below."""
    view = midgame()
    seat = next(seat for seat, player in enumerate(view.players) if player.reserved)
    places = {}
    for reserved in (view.players[seat].reserved, ()):
        players = [*view.players[:seat], replace(view.players[seat], reserved=reserved), *view.players[seat + 1 :]]
        shown = seat_zone(replace(view, players=tuple(players)), seat, "Ada")
        groups = ET.fromstring(f"<g>{shown.drawn}</g>").iter("g")
        found = [each.attrib["transform"] for each in groups if each.find("g[@data-word='space:horse']") is not None]
        places[len(reserved)] = [tuple(map(float, re.findall(r"[\d.]+", place))) for place in found]
    [(x, y)], [(beside, level)] = places[0], places[1]
    assert (beside, level) == (pytest.approx(x + TILE + GAP, abs=0.1), y)


def test_a_road_is_drawn_from_the_bottom_up() -> None:
    """Card 4 is a river, then a mountain: the river is lower."""
    card = ET.fromstring(f"<g>{''.join(drawing.discovery(0, 0, 145, 200, HOUSE.card(4)))}</g>")
    tall = {
        fill: float(group.attrib["transform"].split()[1].split(")")[0])
        for group in card.iter("g")
        for box in group.findall("rect")
        if (fill := box.attrib["fill"]) in ("@water", "@ground")
    }
    assert tall["@water"] > tall["@ground"]


def test_the_picture_names_the_player_to_move_and_debts() -> None:
    """In the head and on the player's own panel."""
    said = " ".join(texts(GOLDEN["in-a-turn"]))
    assert "Ann (seat 1, red) must choose the next card to explore." in said
    assert any(line.startswith("Ann: red, ") and line.endswith(", to move") for line in titles(GOLDEN["in-a-turn"]))
    assert "Cid owes Ann a grey die and chooses which." in said
    assert "Actions used this turn: foot, 14." in said
    assert "This is the last round. After this turn: Bob, Cid." in said


def test_a_game_that_is_over_names_nobody_to_move() -> None:
    assert not any("to move" in line for line in (*texts(GOLDEN["over"]), *titles(GOLDEN["over"])))


def test_a_player_who_resigned_is_marked() -> None:
    view = midgame()
    left = replace(view.players[1], gone=True)
    assert "Bob, resigned" in texts(midgame(players=(view.players[0], left, *view.players[2:])))


@pytest.mark.parametrize("name", ["W" * 24, "Confederated Umatilla Id", "10 Mandan"])
def test_the_longest_names_of_tribes_stay_on_their_tile(name: str) -> None:
    """Long names are printed smaller, down to the least size; W is the widest letter, and is cut."""
    shown = next(node for node in drawing.lasting(134, 92, name, 0, "") if node.startswith("<text"))
    size, words = float(ET.fromstring(shown).attrib["font-size"]), ET.fromstring(shown).text or ""
    assert size >= 13
    assert size * ems(words, bold=True) <= 134


def test_more_than_three_tipis_are_drawn_as_a_number() -> None:
    """An edition may have up to nine."""
    shown = drawing.tipis(100, 0, 7)
    assert (shown.count("<path"), ">7<" in shown) == (1, True)
    assert drawing.tipis(100, 0, 3).count("<path") == 3


@pytest.mark.parametrize("number", range(1, 56))
def test_the_name_of_no_tribe_is_cut(number: int) -> None:
    """Neither in the Camp nor among the actions of a player."""
    card = HOUSE.card(number)
    side, name = card.tribe, f"{number} {readable(card.tribe.name)}"
    offered = "".join(drawing.tribe(0, 0, THIRD, TRIBE, card))
    if side.exploration:
        laid = action("7", *("",) * len(side.exploration.needs))
        won = "".join(drawing.action(TILE, TILE_HEIGHT, name, side.tipis, side.exploration, laid, 0))
    else:
        won = "".join(drawing.lasting(TILE, TILE_HEIGHT, name, side.tipis, "has been used"))
    assert MARK not in offered + won
