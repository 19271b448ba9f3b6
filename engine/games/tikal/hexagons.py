r"""The board's hexagons as lines of text: each is 12 wide and 7 high, and shares its edges with its neighbours.

      ___2__
     /  c3  \          the cell
    / held 1 1         who holds it; or whose guard or tent stands there
   / temple 5 \        what it is, with a temple's value or the treasures left
   \ 1:3L 2:1 /        the pieces by seat
    \  4:1   /         and more of them; if they are too many, they are named below the board
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
LINES = 10, 8  # columns for pieces
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


def _pieces(seen: SeenSite) -> tuple[str, str]:
    """In two lines; if they do not fit, the board names them below."""
    return _in_two(_tokens(seen)) or ("pieces", "below")


def crowds(view: TikalView) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The cells whose pieces do not fit into their hexagon, with these pieces."""
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
    """Two lines, parted by blanks, as many in the first as go there; None if they are too long."""
    first = max(n for n in range(len(tokens) + 1) if len(" ".join(tokens[:n])) <= LINES[0])
    lines = " ".join(tokens[:first]), " ".join(tokens[first:])
    return lines if len(lines[1]) <= LINES[1] else None
