r"""The board's hexagons as lines of text: each is 12 wide and 7 high, and shares its edges with its neighbours.

      ___2__
     /  c3  \          the cell
    / held 1 1         who holds it; or whose guard or tent stands there
   / temple 5 \        what it is, with a temple's value or the treasures left
   \ 1:3L 2:1 /        the pieces of two seats
    \  4:1   /         and of two more
     \______/

A number on an edge counts the stones of both tiles. Edges between free cells are dotted.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.tikal.hexes import AROUND, CELLS, COLUMNS, PLACE, ROWS, opposite
from engine.games.tikal.roads import FREE, passable
from engine.games.tikal.view import SeenSite, TikalView

ACROSS, DOWN = 9, 6  # from a hexagon to the next
SLANT = DOWN // 2
FLAT = ACROSS - SLANT
EDGES = (  # by side: the characters of an edge as (line, column) from the upper left corner
    tuple((0, SLANT + at) for at in range(FLAT)),
    tuple((1 + at, ACROSS + at) for at in range(SLANT)),
    tuple((1 + SLANT + at, ACROSS + SLANT - 1 - at) for at in range(SLANT)),
    tuple((DOWN, SLANT + at) for at in range(FLAT)),
    tuple((1 + SLANT + at, at) for at in range(SLANT)),
    tuple((1 + at, SLANT - 1 - at) for at in range(SLANT)),
)
STROKES = "_\\/_\\/"

Canvas = list[list[str]]


def hexagons(view: TikalView) -> Iterator[str]:
    """34 lines, 75 wide."""
    canvas = [[" "] * (ACROSS * len(COLUMNS) + SLANT) for _ in range(DOWN * ROWS + SLANT + 1)]
    sites = {seen.cell: seen for seen in view.sites}
    for cell in CELLS:
        _outline(canvas, view, cell)
    for cell in CELLS:
        for line, text in enumerate(_texts(cell, sites.get(cell)), 1):
            _write(canvas, cell, line, text)
    for cell in CELLS:
        _numbers(canvas, view, cell)
    return ("".join(line).rstrip() for line in canvas)


def _corner(cell: str) -> tuple[int, int]:
    """Line and column of the upper left corner of its box."""
    column = COLUMNS.index(cell[0])
    return DOWN * (ROWS - int(cell[1])) + SLANT * (column % 2), ACROSS * column


def _outline(canvas: Canvas, view: TikalView, cell: str) -> None:
    top, left = _corner(cell)
    near = dict(AROUND[PLACE[cell]])
    for side, edge in enumerate(EDGES):
        wild = all(view.land[at] == FREE for at in (PLACE[cell], near.get(side)) if at is not None)
        for line, column in edge:
            canvas[top + line][left + column] = "." if wild else STROKES[side]


def _numbers(canvas: Canvas, view: TikalView, cell: str) -> None:
    """In the middle of an edge, or elsewhere on it if a piece's number would touch it there."""
    top, left = _corner(cell)
    for side, there in AROUND[PLACE[cell]]:
        stones = _stones(view, PLACE[cell], side, there)
        if stones:
            edge = [(top + line, left + column) for line, column in EDGES[side]]
            middle = edge[len(edge) // 2]
            line, column = next((at for at in (middle, *edge) if _stands_alone(canvas, *at)), middle)
            canvas[line][column] = str(stones)


def _stands_alone(canvas: Canvas, line: int, column: int) -> bool:
    """Is there no letter or digit to the left or right of it?"""
    return not any(sign.isalnum() for sign in (canvas[line][column - 1], *canvas[line][column + 1 : column + 2]))


def _stones(view: TikalView, here: int, side: int, there: int) -> int:
    """Stones on an edge, of one tile as long as the other is free; none towards a volcano."""
    ours, theirs = view.land[here], view.land[there]
    if any(land != FREE and not passable(land) for land in (ours, theirs)):
        return 0
    return (ours[side] if ours else 0) + (theirs[opposite(side)] if theirs else 0)


def _write(canvas: Canvas, cell: str, line: int, text: str) -> None:
    """Centred in a line of the hexagon."""
    top, left = _corner(cell)
    start = left + (ACROSS + SLANT - len(text)) // 2
    canvas[top + line][start : start + len(text)] = text


# --- inside ---------------------------------------------------------------------------------------------------------


def _texts(cell: str, seen: SeenSite | None) -> tuple[str, ...]:
    """Five lines, at most 6, 8, 10, 10 and 8 wide."""
    if seen is None:
        return "", "", cell
    pieces = _pieces(seen)
    return cell, _owner(seen), _what(seen), *pieces


def _owner(seen: SeenSite) -> str:
    site = seen.site
    if site.guard is not None:
        return f"guard{site.guard + 1}"
    if site.tent is not None:
        return f"tent {site.tent + 1}"
    return "" if seen.holder is None else f"held {seen.holder + 1}"


def _what(seen: SeenSite) -> str:
    site = seen.site
    number = site.value if site.kind == "temple" else site.treasures
    return f"{site.kind} {number}" if site.kind in ("temple", "ruins") else site.kind


def _pieces(seen: SeenSite) -> tuple[str, ...]:
    """Two seats a line. More than fits hides a piece of the border, never a piece."""
    site = seen.site
    tokens = [
        f"{seat + 1}:{count or ''}{'L' if seat in site.leaders else ''}"
        for seat, count in enumerate(site.explorers)
        if site.pieces(seat)
    ]
    return _pair(tokens[:2], 10), _pair(tokens[2:], 8)


def _pair(tokens: list[str], width: int) -> str:
    spaced = " ".join(tokens)
    return spaced if len(spaced) <= width or not tokens[0].endswith("L") else "".join(tokens)
