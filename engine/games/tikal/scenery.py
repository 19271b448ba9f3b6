"""One tile of the picture: its ground, its stones, what was found there, and the pieces on it."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from engine.games.tikal.components import Kind
from engine.games.tikal.hexes import Stones
from engine.games.tikal.ink import (
    BRONZE,
    COLOURS,
    GOLD,
    INK,
    JUNGLE,
    LEAF,
    PAPER,
    RIM,
    SHADE,
    STONE,
    box,
    circle,
    element,
    hexagon,
    middle,
    moved,
    path,
)
from engine.games.tikal.view import SeenSite

RADIUS = 64.0
APOTHEM = RADIUS * sqrt(3) / 2
MOST = 3  # stones on a side, which reach as far as the cell's name
GROUND: dict[Kind, tuple[str, str]] = {  # fill and rim
    "camp": ("#e9d8a6", "#b59a5b"),
    "temple": ("#dfd3b0", "#a8955f"),
    "ruins": ("#dccba4", "#a38a55"),
    "clearing": ("#bdd08f", "#7f9a55"),
    "volcano": ("#6b4a40", "#3f2a24"),
}


def wild(cell: str, fits: bool) -> str:
    """Draw a cell without a tile: leaves and its name, with a dashed rim if the tile to be laid fits there."""
    leaves = ((-30, -22, 20), (26, -26, 70), (-24, 28, -40), (30, 24, 130))
    drawn = (
        path("M-9 0 q9 -8 18 0 q-9 8 -18 0 Z", fill=LEAF, transform=f"translate({x} {y}) rotate({turn})")
        for x, y, turn in leaves
    )
    name = middle(0, 7, cell, fill="#cfe6c8", font_size=20)
    lit = hexagon(RADIUS - 6, fill="none", stroke=GOLD, stroke_width=2.0, stroke_dasharray="5 5") if fits else ""
    return hexagon(RADIUS - 1, fill=JUNGLE, stroke=RIM, stroke_width=2) + "".join(drawn) + lit + name


def laid(seen: SeenSite, worked: int = 0) -> str:
    """Draw a tile on the board with everything on it, and a dot for each level or treasure taken there this turn."""
    site = seen.site
    parts = (ground(site.kind, seen.stones), _found(seen), *_pieces(seen))
    y = 5 + 8 * (seen.stones[5] == MOST) - 8 * (seen.stones[4] == MOST)
    name = middle(-49, y, seen.cell, font_size=15, font_weight="bold", fill=PAPER if site.kind == "volcano" else INK)
    dots = (circle(-53 + 8 * at, y + 8, 3, fill="#b3261e", stroke=PAPER) for at in range(worked))
    return "".join((*parts, name, *dots))


def ground(kind: Kind, stones: Stones) -> str:
    """Draw a bare tile: its ground, and the stones along its sides."""
    fill, rim = GROUND[kind]
    drawn = hexagon(RADIUS - 1.5, fill=fill, stroke=rim, stroke_width=3, stroke_linejoin="round")
    return drawn + "".join(_stones(side, count) for side, count in enumerate(stones) if count)


def _stones(side: int, count: int) -> str:
    """Draw stones in a row along a side: drawn for the north, then rotated."""
    first = -8.5 * (count - 1)
    pebbles = (
        element(
            "ellipse", cx=first + 17 * at, cy=10 - APOTHEM, rx=7.4, ry=5.6, fill=STONE, stroke=SHADE, stroke_width=1.2
        )
        + path(f"M{first + 17 * at - 3.5:g} {8.4 - APOTHEM:.4g} q3 -2.4 6 -0.6", fill="none", stroke="#d3ccc0")
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
        return pyramid(number) + moved(0, 1, _plate(number))
    if kind == "ruins":
        return _ruins(number, None)
    if kind == "clearing":
        return _clearing(None)
    return moved(0, -2, _volcano()) if kind == "volcano" else moved(-4, -9, _camp())


def _temple(seen: SeenSite) -> str:
    """Draw a temple with its number in the shape and colour of its holder; a guard is beside it."""
    site = seen.site
    number = _plate(site.value) if seen.holder is None else shape(seen.holder, site.value, 13)
    if site.guard is None:
        return pyramid(site.value) + moved(0, 0, number)
    return pyramid(site.value) + moved(-13, 0, number) + moved(15, -2, pawn(site.guard, 1.25))


BASE = 13.0  # the bottom of the lowest level of a pyramid


def pyramid(levels: int) -> str:
    """Draw a pyramid with this many levels, each narrower than the one below."""
    step = 12 / levels + 3.4
    drawn = (
        box(-width / 2, BASE - step * (at + 1), width, step, fill="#c9bfa8", stroke="#7d725c")
        for at, width in enumerate(72 - 5.8 * at for at in range(levels))
    )
    return "".join(drawn)


def _plate(number: int) -> str:
    """Draw the number of a temple that nobody holds."""
    plate = box(-12, -12, 24, 22, rx=4, fill=PAPER, stroke=SHADE, stroke_width=1.5)
    return plate + middle(0, 6, number, font_size=18, font_weight="bold", fill=INK)


def _ruins(treasures: int, tent: int | None) -> str:
    """Draw broken walls, and a mask for each treasure that is still there, or the camp."""
    walls = path(
        "M-34 12 v-22 h7 v8 h8 v-15 h9 v29 Z M34 12 v-26 h-8 v9 h-7 v-5 h-8 v22 Z", fill="#c4b592", stroke="#8a7a55"
    )
    if tent is not None:
        return walls + moved(0, -10, tent_of(tent))
    first = -8.5 * (treasures - 1)
    return walls + "".join(moved(first + 17 * at, -14, mask()) for at in range(treasures))


def mask(size: float = 1.0) -> str:
    """Draw a golden mask."""
    return element(
        "g",
        path("M-8 -8 h16 v9 q0 8 -8 8 q-8 0 -8 -8 Z", fill=GOLD, stroke=BRONZE)
        + path("M-5 -3 h3 M2 -3 h3 M-3 4 h6 M0 -3 v4", fill="none", stroke="#6e5010", stroke_width=1.4),
        transform=f"scale({size:g})",
    )


def _clearing(tent: int | None) -> str:
    tufts = "".join(
        path(
            "M-5 0 q0 -6 -3 -8 M0 0 v-10 M5 0 q0 -6 3 -8",
            fill="none",
            stroke="#6b8a44",
            transform=f"translate({x} {y})",
        )
        for x, y in ((-26, -8), (24, -14), (-6, -24), (12, 4), (-16, 10))
    )
    return tufts + ("" if tent is None else moved(0, -10, tent_of(tent)))


def _volcano() -> str:
    return (
        path("M-44 30 L-14 -24 H14 L44 30 Z", fill="#4d332c", stroke="#2b1b17", stroke_width=2)
        + path("M-14 -24 q14 10 28 0 l4 12 q-5 8 -7 0 q-3 14 -8 2 q-4 20 -9 0 q-4 8 -12 -2 Z", fill="#e4572e")
        + path("M-6 -32 q-8 -8 0 -14 M4 -32 q8 -6 2 -16", fill="none", stroke="#b9a9a3", stroke_width=3)
    )


def _camp() -> str:
    small = path("M-20 8 L-6 -16 L8 8 Z", fill="#f7efd8", stroke=INK)
    return small + path("M-6 10 L12 -22 L30 10 Z M8 10 L12 -6 L17 10", fill="#fffaf0", stroke=INK)


# --- pieces ---------------------------------------------------------------------------------------------------------


def tent_of(seat: int, size: float = 1.0) -> str:
    """Draw a tent in the colour of the seat, with its number."""
    drawn = path("M-20 14 L0 -19 L20 14 Z", fill=COLOURS[seat], stroke=PAPER, stroke_width=1.5)
    number = middle(0, 10, seat + 1, fill="#fff", font_size=14, font_weight="bold")
    return element("g", drawn + number, transform=f"scale({size:g})")


def pawn(seat: int, size: float = 1.0) -> str:
    """Draw a guard with the number of its seat, 22 high."""
    drawn = path("M-8 11 q0 -9 5 -11 a6 6 0 1 1 6 0 q5 2 5 11 Z", fill=COLOURS[seat], stroke=PAPER, stroke_width=1.4)
    number = middle(0, 10, seat + 1, fill="#fff", font_size=10, font_weight="bold")
    return element("g", drawn + number, transform=f"scale({size:g})")


SHAPES = (  # by seat, around 0 0 and 2 wide, to be told apart without colour
    "M-1 0 a1 1 0 1 1 2 0 a1 1 0 1 1 -2 0 Z",
    "M-.9 -.9 H.9 V.9 H-.9 Z",
    "M0 -1.2 L1.2 0 L0 1.2 L-1.2 0 Z",
    "M-.95 -.9 H.95 V.25 L0 1.15 L-.95 .25 Z",
)


def shape(seat: int, words: object, size: float = 11.0) -> str:
    """Draw the shape of a seat in its colour, with something written on it."""
    drawn = path(
        SHAPES[seat], fill=COLOURS[seat], stroke=PAPER, stroke_width=f"{1.5 / size:.3f}", transform=f"scale({size:g})"
    )
    high = size * (1.35 if len(str(words)) == 1 else 1.1)
    return drawn + middle(0, high * 0.36, words, fill="#fff", font_size=round(high, 1), font_weight="bold")


def leader(seat: int) -> str:
    """Draw the hat of the leader."""
    style = {"fill": COLOURS[seat], "stroke": PAPER, "stroke_width": 1.4}
    brim = element("ellipse", cx=0, cy=0, rx=11, ry=3.4, **style)
    return brim + path("M-6 -1 q0 -8 6 -8 q6 0 6 8 q-6 3 -12 0 Z", **style)


ROOM = (0, 0), (11, 31), (11, 31), (10, 27), (9, 26)  # by owners on a tile: size and height that leave the stones free


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
        SIGNS[kind], fill=GOLD, stroke="#6e5010", stroke_width=1.3, stroke_linecap="round", fill_rule="evenodd"
    )
    return element("g", drawn, transform=f"scale({size:g})")
