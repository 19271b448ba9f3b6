"""One tile of the picture: its ground, its stones, what was found there, and the pieces on it."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from engine.games.tikal.components import Kind
from engine.games.tikal.hexes import Stones
from engine.games.tikal.ink import COLOURS, hexagon, middle
from engine.games.tikal.view import SeenSite
from engine.kit import box, circle, element, moved, path

RADIUS = 69.0
APOTHEM = RADIUS * sqrt(3) / 2
MOST = 3  # stones on a side, which reach as far as the cell's name
WORDS = 28.0  # the size of every number and name on the board


def wild(cell: str, fits: bool) -> str:
    """Draw a cell without a tile: leaves and its name, with a dashed rim if the tile to be laid fits there."""
    leaves = ((-32, -26, 20), (28, -30, 70), (-28, 32, -40), (34, 28, 130), (0, -44, 15), (6, 44, -10))
    drawn = (
        path("M-11 0 q11 -9 22 0 q-11 9 -22 0 Z", fill="@leaf", transform=f"translate({x} {y}) rotate({turn})")
        for x, y, turn in leaves
    )
    name = middle(0, 9, cell, WORDS, fill="@name")
    lit = hexagon(RADIUS - 6, fill="none", stroke="@gold", stroke_width=4, stroke_dasharray="9 7") if fits else ""
    return hexagon(RADIUS - 1, fill="@jungle", stroke="@rim", stroke_width=2) + "".join(drawn) + lit + name


def laid(seen: SeenSite, worked: int = 0) -> str:
    """Draw a tile on the board with everything on it, and a dot for each level or treasure taken there this turn."""
    site = seen.site
    parts = (ground(site.kind, seen.stones), _found(seen), *_pieces(seen))
    y = 9 + 8 * (seen.stones[5] == MOST) - 8 * (seen.stones[4] == MOST)
    name = middle(-44, y, seen.cell, WORDS, fill="@plate" if site.kind == "volcano" else "@tile-ink")
    dots = (circle(-52 + 13 * at, y + 11, 5, fill="@lava", stroke="@plate") for at in range(worked))
    return "".join((*parts, name, *dots))


def ground(kind: Kind, stones: Stones) -> str:
    """Draw a bare tile: its ground, and the stones along its sides."""
    drawn = hexagon(RADIUS - 1.5, fill=f"@{kind}", stroke="@border", stroke_width=3, stroke_linejoin="round")
    return drawn + "".join(_stones(side, count) for side, count in enumerate(stones) if count)


def _stones(side: int, count: int) -> str:
    """Draw stones in a row along a side: drawn for the north, then rotated."""
    first = -8.5 * (count - 1)
    pebbles = (
        element(
            "ellipse",
            cx=first + 17 * at,
            cy=10 - APOTHEM,
            rx=7.4,
            ry=5.6,
            fill="@stone",
            stroke="@shade",
            stroke_width=1.2,
        )
        + path(f"M{first + 17 * at - 3.5:g} {8.4 - APOTHEM:.4g} q3 -2.4 6 -0.6", fill="none", stroke="@shine")
        for at in range(count)
    )
    return element("g", "".join(pebbles), transform=f"rotate({60 * side})")


# --- what was found -------------------------------------------------------------------------------------------------


def _found(seen: SeenSite) -> str:
    site = seen.site
    if site.kind == "temple":
        return _temple(seen)
    if site.kind == "ruins":
        return _ruins(site.treasures, site.tent)
    if site.kind == "clearing":
        return _clearing(site.tent)
    return sketch(site.kind, 0)


def sketch(kind: Kind, number: int) -> str:
    """Draw a tile as it looks before anybody has been there."""
    if kind == "temple":
        return moved(4, -2, pyramid(number), moved(0, -5, _plate(number)))
    if kind == "ruins":
        return _ruins(number, None)
    if kind == "clearing":
        return _clearing(None)
    return moved(0, -2, _volcano()) if kind == "volcano" else moved(-4, -9, _camp())


def _temple(seen: SeenSite) -> str:
    """Draw a temple with its number in the shape and colour of its holder; a guard is beside it."""
    site = seen.site
    number = _plate(site.value) if seen.holder is None else shape(seen.holder, site.value, 17)
    if site.guard is None:
        return moved(14, -5, pyramid(site.value), moved(0, -5, number))
    return moved(14, -5, pyramid(site.value), moved(-14, -5, number), moved(19, 4, pawn(site.guard, 1.2)))


BASE = 13.0  # the bottom of the lowest level of a pyramid


def pyramid(levels: int) -> str:
    """Draw a pyramid with this many levels, each narrower than the one below."""
    step = 12 / levels + 3.4
    drawn = (
        box(-width / 2, BASE - step * (at + 1), width, step, fill="@step", stroke="@shade")
        for at, width in enumerate(72 - 5.8 * at for at in range(levels))
    )
    return "".join(drawn)


def _plate(number: int) -> str:
    """Draw the number of a temple that nobody holds."""
    wide = 32 if number < 10 else 42
    plate = box(-wide / 2, -15, wide, 28, rx=5, fill="@plate", stroke="@shade", stroke_width=1.5)
    return plate + middle(0, 9, number, WORDS, bold=True, fill="@tile-ink")


def _ruins(treasures: int, tent: int | None) -> str:
    """Draw broken walls, and a mask for each treasure that is still there, or the camp."""
    walls = path(
        "M-22 12 v-22 h7 v8 h8 v-15 h9 v29 Z M34 12 v-26 h-8 v9 h-7 v-5 h-8 v22 Z", fill="@step", stroke="@shade"
    )
    if tent is not None:
        return walls + moved(8, -10, tent_of(tent))
    first = 11 - 8.5 * (treasures - 1)
    return walls + "".join(moved(first + 17 * at, -14, mask()) for at in range(treasures))


def mask(size: float = 1.0) -> str:
    """Draw a golden mask."""
    return element(
        "g",
        path("M-8 -8 h16 v9 q0 8 -8 8 q-8 0 -8 -8 Z", fill="@gold", stroke="@bronze")
        + path("M-5 -3 h3 M2 -3 h3 M-3 4 h6 M0 -3 v4", fill="none", stroke="@bronze", stroke_width=1.4),
        transform=f"scale({size:g})",
    )


def _clearing(tent: int | None) -> str:
    tufts = "".join(
        path(
            "M-5 0 q0 -6 -3 -8 M0 0 v-10 M5 0 q0 -6 3 -8",
            fill="none",
            stroke="@grass",
            transform=f"translate({x} {y})",
        )
        for x, y in ((-26, -8), (24, -14), (-6, -24), (12, 4), (-16, 10))
    )
    return tufts + ("" if tent is None else moved(8, -10, tent_of(tent)))


def _volcano() -> str:
    return (
        path("M-44 30 L-14 -24 H14 L44 30 Z", fill="@rock", stroke="@edge", stroke_width=2)
        + path("M-14 -24 q14 10 28 0 l4 12 q-5 8 -7 0 q-3 14 -8 2 q-4 20 -9 0 q-4 8 -12 -2 Z", fill="@lava")
        + path("M-6 -32 q-8 -8 0 -14 M4 -32 q8 -6 2 -16", fill="none", stroke="@stone", stroke_width=3)
    )


def _camp() -> str:
    small = path("M-20 8 L-6 -16 L8 8 Z", fill="@step", stroke="@tile-ink")
    return small + path("M-6 10 L12 -22 L30 10 Z M8 10 L12 -6 L17 10", fill="@cloth", stroke="@tile-ink")


# --- pieces ---------------------------------------------------------------------------------------------------------


def tent_of(seat: int, words: object = "", size: float = 1.0) -> str:
    """Draw a camp in the colour of the seat, with its shape or some words."""
    drawn = path("M-26 19 L0 -25 L26 19 Z", fill=COLOURS[seat], stroke="@plate", stroke_width=1.5)
    sign = _sign(seat, 0, 6, 8) if words == "" else middle(0, 17, words, WORDS, bold=True, fill="@on-seat")
    return moved(0, 0, drawn, sign, scale=size)


def pawn(seat: int, size: float = 1.0) -> str:
    """Draw a guard with the shape of its seat, 24 high."""
    drawn = path(
        "M-9 12 q0 -9 5 -12 a6.500 6.500 0 1 1 8 0 q5 3 5 12 Z", fill=COLOURS[seat], stroke="@plate", stroke_width=1.4
    )
    return moved(0, 0, drawn, _sign(seat, 0, 6, 4), scale=size)


def _sign(seat: int, x: float, y: float, size: float) -> str:
    return path(SHAPES[seat], fill="@on-seat", transform=f"translate({x} {y}) scale({size})")


SHAPES = (  # by seat, around 0 0 and 2 wide, to be told apart without colour
    "M-1 0 a1 1 0 1 1 2 0 a1 1 0 1 1 -2 0 Z",
    "M-.9 -.9 H.9 V.9 H-.9 Z",
    "M0 -1.2 L1.2 0 L0 1.2 L-1.2 0 Z",
    "M-.95 -.9 H.95 V.25 L0 1.15 L-.95 .25 Z",
)


def shape(seat: int, words: object, size: float = 15.0) -> str:
    """Draw the shape of a seat in its colour, with something written on it; wider for two digits."""
    wide = size * (1.35 if len(str(words)) > 1 else 1.0)
    outline = path(
        SHAPES[seat], fill=COLOURS[seat], stroke="@plate", stroke_width=f"{1.5 / size:.3f}",
        transform=f"scale({wide:g} {size:g})",
    )  # fmt: skip
    return outline + (middle(0, 9.5, words, WORDS, bold=True, fill="@on-seat") if words != "" else "")


def leader(seat: int) -> str:
    """Draw the hat of the leader."""
    style = {"fill": COLOURS[seat], "stroke": "@plate", "stroke_width": 1.4}
    brim = element("ellipse", cx=0, cy=0, rx=14, ry=4, **style)
    return brim + path("M-8 -1 q0 -10 8 -10 q8 0 8 10 q-8 4 -16 0 Z", **style)


# By owners: size and height. One or two leave the stones of all sides free; three and four those of the south.
ROOM = (0, 0), (16, 27), (16, 27), (14.5, 29.5), (12.4, 31)


def _pieces(seen: SeenSite) -> Iterator[str]:
    """Draw a row with one token for each seat: the number of its explorers, and the hat of the leader."""
    site = seen.site
    seats = [seat for seat in range(len(site.explorers)) if site.pieces(seat)]
    size, y = ROOM[len(seats)]
    step = 2 * size + 0.7
    for at, seat in enumerate(seats):
        hat = moved(0, 1 - size, leader(seat)) if seat in site.leaders else ""
        yield moved(step * (at - (len(seats) - 1) / 2), y, shape(seat, site.explorers[seat] or "L", size), hat)


# --- treasures ------------------------------------------------------------------------------------------------------

SIGNS: dict[str, str] = {  # within 16 by 16 around 0 0
    "bowl": "M-8 -3 H8 q0 9 -5 9 H-3 q-5 0 -5 -9 Z",
    "drum": "M-6 -7 H6 V7 H-6 Z M-6 -3 L6 3 M6 -3 L-6 3",
    "flute": "M-8 5 L5 -8 L8 -5 L-5 8 Z M-1 1 l.1 .1 M3 -3 l.1 .1 M-4 4 l.1 .1",
    "jaguar": "M-7 -8 l4 4 h6 l4 -4 v9 l-4 3 h-6 l-4 -3 Z M-3 -1 h1 M2 -1 h1 M-2 4 h4",
    "knife": "M-8 8 L-3 3 M-5 1 L-1 5 M-4 1 Q2 -8 8 -8 Q8 -2 -1 4 Z",
    "mask": "M-7 -8 H7 v8 q0 8 -7 8 q-7 0 -7 -8 Z M-4 -3 h2 M2 -3 h2 M-2 4 h4",
    "ring": "M-7 1 a7 7 0 1 0 14 0 a7 7 0 1 0 -14 0 Z M-3.5 1 a3.5 3.5 0 1 1 7 0 a3.5 3.5 0 1 1 -7 0 Z M-3 -8 H3",
    "serpent": "M-8 6 q4 -8 7 -3 t5 -2 t-1 -7 l5 -1 q3 6 -2 10 t-7 3 t-7 0 Z",
}


def treasure(kind: str, size: float = 1.0) -> str:
    """Draw the sign of a kind of treasure."""
    drawn = path(
        SIGNS[kind], fill="@gold", stroke="@bronze", stroke_width=1.3, stroke_linecap="round", fill_rule="evenodd"
    )
    return element("g", drawn, transform=f"scale({size:g})")
