"""Lands for tests of roads, written as tiles in cells."""

from __future__ import annotations

from collections.abc import Iterable

from engine.games.tikal.components import TILE
from engine.games.tikal.hexes import CELLS, PLACE, turned
from engine.games.tikal.roads import FREE, Land


def land(laid: Iterable[tuple[str, str, int]]) -> Land:
    """Return the land of these (cell, tile, rotation)."""
    cells = [FREE] * len(CELLS)
    for cell, tile, turn in laid:
        cells[PLACE[cell]] = turned(TILE[tile].stones, turn)
    return tuple(cells)
