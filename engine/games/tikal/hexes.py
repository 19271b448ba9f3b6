"""The board's geometry: 40 hexagons in 8 columns of 5, columns b, d, f and h half a hexagon lower than the others.

A cell is named by its column's letter and its row's number, counted from below: the base camp, in the lower left
corner, is a1, its neighbour to the north is a2, to the north-east b2 and to the south-east b1.

The six sides run clockwise from north, and stones are written in that order. A tile in rotation 0 lies as `components`
lists it; each rotation more turns it clockwise by a sixth.
"""

from __future__ import annotations

from functools import cache

COLUMNS = "abcdefgh"
ROWS = 5
SIDES = ("n", "ne", "se", "s", "sw", "nw")
TURNS = len(SIDES)
CELLS = tuple(f"{column}{row}" for column in COLUMNS for row in range(1, ROWS + 1))
PLACE = {cell: place for place, cell in enumerate(CELLS)}

HIGH = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1))  # columns and rows to the neighbour at each side
LOW = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))

Stones = tuple[int, ...]  # on the six sides of a tile


def opposite(side: int) -> int:
    """Return the side of the neighbour at the same edge."""
    return (side + TURNS // 2) % TURNS


def turned(stones: Stones, turn: int) -> Stones:
    """Return the stones after this many sixths of a whole turn, clockwise."""
    return stones[-turn % TURNS :] + stones[: -turn % TURNS]


@cache
def turns(stones: Stones) -> tuple[int, ...]:
    """Return the rotations in which a tile looks different, each look once."""
    looks = [turned(stones, turn) for turn in range(TURNS)]
    return tuple(turn for turn, look in enumerate(looks) if look not in looks[:turn])


def _neighbour(cell: str, side: int) -> str:
    """Return the cell beyond a side, or "" at the rim of the board."""
    column = COLUMNS.index(cell[0])
    across, up = (LOW if column % 2 else HIGH)[side]
    there, row = column + across, int(cell[1]) + up
    return f"{COLUMNS[there]}{row}" if 0 <= there < len(COLUMNS) and 1 <= row <= ROWS else ""


def _around(cell: str) -> tuple[tuple[int, int], ...]:
    found = ((side, _neighbour(cell, side)) for side in range(TURNS))
    return tuple((side, PLACE[there]) for side, there in found if there)


AROUND = tuple(map(_around, CELLS))  # by place of the cell: (side, place of the neighbour)
