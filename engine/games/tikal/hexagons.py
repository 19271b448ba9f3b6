r"""The board's hexagons as lines of text: each is 12 wide and 7 high, and shares its edges with its neighbours.

      ___2__
     /  c3  \          the cell
    / held 1 1         the player who holds it, or the owner of a guard or camp
   / temple 5 \        the kind of tile, with the number of a temple or the treasures left
   \ 1:3L 2:1 /        the pieces by seat
    \  4:1   /         and more of them; if there are too many, they are listed below the board
     \______/

A number on an edge adds up the stones of both tiles. Edges between free cells are dotted.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.tikal.components import CALLED
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
LINES = 10, 8  # columns for pieces
STROKES = "_\\/_\\/"

Canvas = list[list[str]]


def hexagons(view: TikalView) -> Iterator[str]:
    """Yield 34 lines, 75 wide."""
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
    """Return the line and column of the upper left corner of the hexagon."""
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
    """Write the stones in the middle of an edge, or elsewhere on it if a number of pieces would touch it there."""
    top, left = _corner(cell)
    for side, there in AROUND[PLACE[cell]]:
        stones = _stones(view, PLACE[cell], side, there)
        if stones:
            edge = [(top + line, left + column) for line, column in EDGES[side]]
            middle = edge[len(edge) // 2]
            line, column = next((at for at in (middle, *edge) if _stands_alone(canvas, *at)), middle)
            canvas[line][column] = str(stones)


def _stands_alone(canvas: Canvas, line: int, column: int) -> bool:
    """Return whether there is no letter or digit to the left or right."""
    return not any(sign.isalnum() for sign in (canvas[line][column - 1], *canvas[line][column + 1 : column + 2]))


def _stones(view: TikalView, here: int, side: int, there: int) -> int:
    """Return the stones on an edge: of one tile if the other cell is free, none towards a volcano."""
    ours, theirs = view.land[here], view.land[there]
    if any(land != FREE and not passable(land) for land in (ours, theirs)):
        return 0
    return (ours[side] if ours else 0) + (theirs[opposite(side)] if theirs else 0)


def _write(canvas: Canvas, cell: str, line: int, text: str) -> None:
    """Write a text in the middle of a line of the hexagon."""
    top, left = _corner(cell)
    start = left + (ACROSS + SLANT - len(text)) // 2
    canvas[top + line][start : start + len(text)] = text


# --- inside ---------------------------------------------------------------------------------------------------------


def _texts(cell: str, seen: SeenSite | None) -> tuple[str, ...]:
    """Return five lines, at most 6, 8, 10, 10 and 8 wide."""
    if seen is None:
        return "", "", cell
    pieces = _pieces(seen)
    return cell, _owner(seen), _what(seen), *pieces


def _owner(seen: SeenSite) -> str:
    site = seen.site
    if site.guard is not None:
        return f"guard{site.guard + 1}"
    if site.tent is not None:
        return f"camp {site.tent + 1}"
    return "" if seen.holder is None else f"held {seen.holder + 1}"


def _what(seen: SeenSite) -> str:
    site = seen.site
    number = site.value if site.kind == "temple" else site.treasures
    return f"{site.kind} {number}" if site.kind in ("temple", "ruins") else CALLED.get(site.kind, site.kind)


def _pieces(seen: SeenSite) -> tuple[str, str]:
    """Return the pieces in two lines; if they do not fit, the board lists them below."""
    return _in_two(_tokens(seen)) or ("pieces", "below")


def crowds(view: TikalView) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the cells whose pieces do not fit into their hexagon, with these pieces."""
    for seen in view.sites:
        tokens = _tokens(seen)
        if _in_two(tokens) is None:
            yield seen.cell, tokens


def _tokens(seen: SeenSite) -> tuple[str, ...]:
    site = seen.site
    return tuple(
        f"{seat + 1}:{number or ''}{'L' if seat in site.leaders else ''}"
        for seat, number in enumerate(site.explorers)
        if site.pieces(seat)
    )


def _in_two(tokens: tuple[str, ...]) -> tuple[str, str] | None:
    """Return two lines, the first as full as possible; None if they are too long."""
    first = max(n for n in range(len(tokens) + 1) if len(" ".join(tokens[:n])) <= LINES[0])
    lines = " ".join(tokens[:first]), " ".join(tokens[first:])
    return lines if len(lines[1]) <= LINES[1] else None
