"""The position as a picture: its elements, their places and their sizes."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from engine import golden, registry
from engine.games.tikal import picture as drawing
from engine.games.tikal.components import TREASURES
from engine.games.tikal.hexes import CELLS
from engine.games.tikal.ink import ROLES
from engine.games.tikal.scenery import APOTHEM, RADIUS, ROOM, SHAPES, laid, pyramid, treasure
from engine.games.tikal.state import Frame
from engine.kit import ems
from tests.games.tikal.positions import AUCTION
from tests.games.tikal.seen import begun, begun_sale, board, laying, middle, picture, view, views


def test_pictures_are_documents() -> None:
    """Well-formed at every position, with a group for each cell."""
    for seen in views():
        root = ET.fromstring(picture(seen))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(root.findall(".//{http://www.w3.org/2000/svg}polygon")) >= len(CELLS)


def test_the_picture_lights_where_the_tile_fits() -> None:
    """The four cells at the printed tiles while a tile is to be laid, and none before or after."""
    state = begun(2)
    assert picture(view(laying(state, "temple-a3"), None)).count("stroke-dasharray") == 4
    assert picture(view(state, None)).count("stroke-dasharray") == 0
    scoring = replace(laying(state, "volcano-b1"), frames=(Frame("scoring", 0), Frame("turn", 0)))
    assert picture(view(scoring, None)).count("stroke-dasharray") == 0


def test_the_picture_shows_the_costs_of_actions() -> None:
    """A mail with the picture has no text board."""
    assert "enter 1, level 2, dig 3, swap 3, camp 5, guard 5." in words_of(picture(view(begun(2), None)))


def words_of(drawn: str) -> str:
    """All words of a picture, one line after the other."""
    return " ".join(node.text or "" for node in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text"))


def test_the_picture_marks_the_tile_in_hand() -> None:
    """It is shown among those that are still on sale."""
    drawn = picture(view(replace(laying(begun(2, AUCTION), "temple-a3"), open=("ruins-a1",)), 0))
    assert "The tile is temple-a3, shown in its rotations." in drawn
    assert [drawn.count(f'font-weight="bold">r{turn}</text>') for turn in range(6)] == [1] * 6
    assert 'data-word="tile:ruins-a1"' in drawn


def test_a_volcano_has_no_rotations_to_show() -> None:
    """It has no stones, so it looks the same in each."""
    assert "The tile is volcano-b1. It fits on cells" in picture(view(laying(begun(2), "volcano-b1"), None))


def test_pyramids_grow_with_their_level() -> None:
    """The higher the number, the higher the pyramid, with each level drawn."""
    heights = []
    for value in range(1, 11):
        levels = ET.fromstring(f"<g>{pyramid(value)}</g>")
        assert len(levels) == value
        heights.append(sum(float(level.get("height", 0)) for level in levels))
    assert heights == sorted(set(heights))


def test_four_owners_on_a_tile_are_drawn_side_by_side() -> None:
    """One token each, none over another, and all within the tile."""
    state = begun(4)
    state = state.with_site("a1", replace(state.laid("a1"), explorers=(1, 12, 3, 0), leaders=(1, 3)))
    seen = next(one for one in view(state, None).sites if one.cell == "a1")
    size, _ = ROOM[4]
    places = [float(x) for x in re.findall(rf"translate\(([-.0-9]+) {ROOM[4][1]}\)", laid(seen))]
    assert len(places) == 4
    assert all(right - left >= 2 * size for left, right in pairwise(places))
    assert abs(places[0]) + size < RADIUS - 31 / 3**0.5  # half the width there


@pytest.mark.parametrize("owners", [1, 2, 3, 4])
def test_pieces_leave_the_stones_of_the_south_free(owners: int) -> None:
    """The cost of a walk can be read below them; with one or two owners on the other sides, too."""
    size, y = ROOM[owners]
    stones = APOTHEM - 10 - 5.6  # from the middle of the tile to the nearest edge of a stone
    assert y + size <= stones
    aside = (2 * size + 0.7) * (owners - 1) / 2
    assert owners > 2 or aside * 3**0.5 / 2 + y / 2 + size <= stones


def test_the_tray_of_a_finished_game_has_the_places() -> None:
    """Instead of costs, in the same room, so that nothing jumps; of three with 68 points the tallest temple decides."""
    script = golden.read(registry.read("tikal", "golden/four-basic.txt"))
    drawn = [picture(view(turn.state, None)) for turn in golden.play(script)]
    places = [re.findall(r"<title>place (\d): player (\d)", one) for one in drawn[-2:]]
    assert places == [[], [("1", "4"), ("2", "1"), ("3", "2"), ("4", "3")]]
    assert len({re.search(r'zone="board" data-box="([^"]*)"', one)[1] for one in drawn[-2:]}) == 1  # type: ignore[index]


def test_treasures_have_different_signs() -> None:
    """Each kind has its own sign."""
    assert len({treasure(kind) for kind in TREASURES}) == len(TREASURES)


def test_seats_differ_without_their_colours() -> None:
    """Each has a shape, which is beside the number on its card."""
    assert len(set(SHAPES)) == 4
    drawn = picture(view(begun(4), None))
    assert all(drawn.count(f'd="{one}"') >= 2 for one in SHAPES)


def test_the_picture_shows_levels_taken_this_turn_and_tiles_set_aside() -> None:
    """It also shows a seat its own ceiling."""
    state = replace(middle(), aside=("temple-g1",))
    drawn = picture(view(state, 0))
    assert "a2 1 of 2, c3 2 of 2." in words_of(drawn)
    assert drawn.count(f'r="5" fill="{ROLES["lava"][0]}"') == 3
    assert "worked 2 times this turn" in drawn
    assert "Set aside because they fitted nowhere: temple-g1." in words_of(drawn)
    assert "Seat 1 sealed a ceiling of 4. Nobody else sees this." in words_of(picture(view(begun_sale(), 0)))


def test_a_picture_hides_what_a_view_hides() -> None:
    """A sealed ceiling is in nobody's picture."""
    state = replace(begun(2, AUCTION), frames=(Frame("sale", 0),), open=("ruins-a1",), totems=(0, 1))
    one, two = (replace(state, ceilings=(ceiling, None)) for ceiling in (3, 17))
    assert picture(view(one, None)) == picture(view(two, None))
    assert board(view(one, 1)) == board(view(two, 1))


def test_a_name_in_capitals_ends_before_the_points() -> None:
    """Points have at most three digits."""
    players = view(begun(4), None).players
    seen = replace(view(begun(4), None), players=(replace(players[0], points=123), *players[1:]))
    drawn = drawing.picture(seen, ("W" * 22, "Bob", "Eve", "Dan"))
    name = re.search(r'<text x="(\d+)"[^>]*font-size="([\d.]+)"[^>]*>W{17}…<', drawn)
    points = re.search(r'<text x="(\d+)"[^>]*font-size="(\d+)"[^>]*>123<', drawn)
    assert name
    assert points
    assert int(name[1]) + float(name[2]) * ems("W" * 17 + "…", bold=True) < int(points[1]) - 3 * 0.7 * int(points[2])


def test_a_cell_is_read_aloud_with_its_owners_and_pieces() -> None:
    """Its title names players by their numbers, and pieces by their words."""
    titles = re.findall(r"<title>(.*?)</title>", picture(view(middle(), None)))
    assert "a1: base camp, player 1: 1 explorer, player 2: 2 explorers, player 3: 12 explorers and the leader" in titles
    assert "b3: ruins, camp of player 1, player 1: 2 explorers" in titles
