"""The box: every total that is known from sources other than the tile list, and the geometry of the board."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from engine import registry
from engine.games.tikal.components import (
    ALIKE,
    CAMP,
    LEVELS,
    PRINTED,
    STACKS,
    TILE,
    TILES,
    TREASURE_POINTS,
    TREASURES,
)
from engine.games.tikal.hexes import AROUND, CELLS, PLACE, SIDES, TURNS, opposite, turned, turns

TEMPLES = [tile for tile in TILES if tile.kind == "temple"]


def test_tiles_by_stack() -> None:
    """36 tiles in seven stacks, in the order in which they come."""
    assert Counter(tile.stack for tile in TILES) == dict(zip(STACKS, (6, 6, 5, 5, 5, 5, 4), strict=True))
    assert [tile.stack for tile in TILES] == sorted(tile.stack for tile in TILES)


def test_tiles_by_kind() -> None:
    """15 temples, 10 clearings, 8 ruins, and one volcano each in stacks b, d and f."""
    kinds = Counter(tile.kind for tile in TILES)
    assert kinds == {"temple": 15, "clearing": 10, "ruins": 8, "volcano": 3}
    assert [tile.stack for tile in TILES if tile.kind == "volcano"] == ["b", "d", "f"]


def test_names_are_unique() -> None:
    """A name gives the kind, the stack and a number."""
    assert len(TILE) == len(TILES) + len(PRINTED)
    assert all(tile.name == f"{tile.kind}-{tile.name[-2:]}" for tile in TILE.values())


def test_masks_are_as_many_as_treasures() -> None:
    """24 masks, fewer in later stacks, for three treasures of each of eight kinds."""
    masks = [(tile.stack, tile.number) for tile in TILES if tile.kind == "ruins"]
    assert masks == [("a", 4), ("a", 4), ("b", 4), ("c", 3), ("d", 3), ("e", 2), ("f", 2), ("g", 2)]
    assert sum(number for _, number in masks) == len(TREASURES) * ALIKE == 24


def test_lowest_levels_of_temples() -> None:
    """From 1 to 6; the temples of stack a are worth 5 together, and so are those of stack b."""
    assert Counter(tile.number for tile in TEMPLES) == {1: 1, 2: 3, 3: 4, 4: 3, 5: 3, 6: 1}
    assert [sum(t.number for t in TEMPLES if t.stack == stack) for stack in "ab"] == [5, 5]


def test_every_tile_has_three_stones() -> None:
    """Volcanoes have none; only temples and ruins have a number."""
    for tile in TILES:
        assert sum(tile.stones) == (0 if tile.kind == "volcano" else 3), tile.name
        assert (tile.number > 0) == (tile.kind in ("temple", "ruins")), tile.name
        assert len(tile.stones) == TURNS


def test_tiles_are_listed_from_their_heaviest_side() -> None:
    """Rotation 0 can be found again by anybody."""
    for tile in TILES:
        assert tile.stones == max(turned(tile.stones, turn) for turn in range(TURNS)), tile.name


def test_level_tiles() -> None:
    """48 levels; those with 2 and 3 are just enough for the temples that start below."""
    assert sum(count for _, count in LEVELS) == 48
    assert [number for number, _ in LEVELS] == list(range(2, 11))
    starts = [tile.number for tile in TILE.values() if tile.kind == "temple"]
    assert [dict(LEVELS)[n] - sum(start < n for start in starts) for n in (2, 3, 4, 5)] == [0, 0, -1, -2]


def test_treasure_points_rise() -> None:
    """One, two, three alike bring 1, 3, 6 points."""
    assert [more - less for less, more in pairwise(TREASURE_POINTS)] == [1, 2, 3]


# --- the board ------------------------------------------------------------------------------------------------------


def test_the_tiles_fill_the_board() -> None:
    """Of 40 cells four are printed and 36 are for tiles."""
    assert len(CELLS) == len(PRINTED) + len(TILES) == 40


def test_neighbours_are_neighbours_of_each_other() -> None:
    """Across the same edge; no cell borders on itself or twice on another."""
    for place, around in enumerate(AROUND):
        assert all((opposite(side), place) in AROUND[there] for side, there in around)
        assert len({place, *(there for _, there in around)}) == len(around) + 1
        assert [side for side, _ in around] == sorted({side for side, _ in around})


def test_cells_by_their_number_of_neighbours() -> None:
    """18 cells are inside; the rest is the rim of eight columns of five, every other one lower."""
    assert Counter(map(len, AROUND)) == {6: 18, 5: 6, 4: 6, 3: 8, 2: 2}


@pytest.mark.parametrize(
    ("cell", "around"),
    [
        ("a1", "n a2, ne b2, se b1"),
        ("b1", "n b2, ne c1, nw a1"),
        ("c3", "n c4, ne d4, se d3, s c2, sw b3, nw b4"),
        ("d3", "n d4, ne e3, se e2, s d2, sw c2, nw c3"),
        ("h5", "s h4, sw g4, nw g5"),
        ("h1", "n h2, nw g1"),
    ],
)
def test_some_neighbours(cell: str, around: str) -> None:
    """Columns b, d, f and h are half a cell lower."""
    found = ", ".join(f"{SIDES[side]} {CELLS[there]}" for side, there in AROUND[PLACE[cell]])
    assert found == around


def test_the_far_side_is_seven_steps_from_the_camp() -> None:
    """A review counts it like this."""
    assert min(_steps(CAMP)[PLACE[cell]] for cell in CELLS if cell[0] == "h") == 7


def _steps(start: str) -> list[int]:
    found = [99] * len(CELLS)
    found[PLACE[start]] = 0
    for _ in CELLS:
        found = [min([found[p], *(found[there] + 1 for _, there in AROUND[p])]) for p in range(len(CELLS))]
    return found


def test_printed_stones() -> None:
    """The camp has 1 1 1 towards its three neighbours; no stone of the four tiles leads off the board."""
    printed = dict(PRINTED)
    assert {cell: tile.kind for cell, tile in PRINTED} == {
        CAMP: "camp",
        "a2": "temple",
        "b1": "temple",
        "b2": "clearing",
    }
    assert printed[CAMP].stones == (1, 1, 1, 0, 0, 0)
    assert printed["a2"].stones == (1, 1, 0, 1, 0, 0)
    assert printed["b2"].stones == (1, 1, 1, 0, 0, 0)
    assert printed["b1"].stones == (0, 1, 0, 0, 0, 1)
    assert (printed["a2"].number, printed["b1"].number) == (1, 1)
    for cell, tile in PRINTED:
        sides = {side for side, _ in AROUND[PLACE[cell]]}
        assert all(side in sides for side, stones in enumerate(tile.stones) if stones)


# --- turning --------------------------------------------------------------------------------------------------------


def test_a_rotation_is_a_sixth_clockwise() -> None:
    """The north side then faces north-east; six rotations change nothing."""
    assert turned((2, 1, 0, 0, 0, 0), 1) == (0, 2, 1, 0, 0, 0)
    assert turned((2, 1, 0, 0, 0, 0), 5) == (1, 0, 0, 0, 0, 2)
    assert turned((2, 1, 0, 0, 0, 0), 0) == turned((2, 1, 0, 0, 0, 0), 6) == (2, 1, 0, 0, 0, 0)


def test_equal_rotations_are_listed_once() -> None:
    """A volcano has one look, three single stones in alternation two, every other tile six."""
    looks = {tile.name: len(turns(tile.stones)) for tile in TILES}
    assert turns(TILE["volcano-b1"].stones) == (0,)
    assert turns(TILE["clearing-d1"].stones) == (0, 1)
    assert Counter(looks.values()) == {6: 32, 2: 1, 1: 3}


def test_the_guide_lists_every_tile() -> None:
    """A player sees the tiles of each stack with their stones."""
    rows = registry.guide("tikal")
    for tile in TILES:
        stones = " ".join(f"{SIDES[side]}{n}" for side, n in enumerate(tile.stones) if n)
        number = f" {tile.number}" if tile.number else ""
        assert f"`{tile.name}`{number}" + (f" ({stones})" if stones else "") in rows
