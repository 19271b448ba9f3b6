"""The route as SVG: a ribbon in three bends from below Saint Louis to the coast, with scouts on it and camps beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.lewis_clark.drawing import INK, SEAT_FILLS, text
from engine.games.lewis_clark.route import FORT, LAST, LOWEST, START, terrain

IN_A_ROW, STEP, BEND = 19, 46, 84
LEFT, TOP = 56, 104
RADIUS = 17
FILLS = {"river": "#a9d3e6", "mountain": "#d8bd92", "mixed": "#a9d3e6"}
NAMES = {START: "Saint Louis", FORT: "Fort Clatsop"}
HEIGHT = TOP + 2 * BEND + 34


def place(space: int) -> tuple[int, int]:
    """The middle of a space: rows run to the right, to the left and to the right again."""
    row, at = divmod(space - LOWEST, IN_A_ROW)
    return LEFT + STEP * (at if row % 2 == 0 else IN_A_ROW - 1 - at), TOP + BEND * row


def route(scouts: Sequence[int], camps: Sequence[int], mackenzie: int | None) -> Iterator[str]:
    """The ribbon, its spaces, and on them the scouts and camps by seat."""
    for fill, width in (("#7fb3cc", 30), ("#c4e2ee", 22)):
        yield f'<path d="{_ribbon()}" fill="none" stroke="{fill}" stroke-width="{width}" stroke-linejoin="round"/>'
    for space in range(LOWEST, LAST + 1):
        yield from _space(space)
        yield from _camps(space, [seat for seat, camp in enumerate(camps) if camp == space])
        here = [seat for seat, scout in enumerate(scouts) if scout == space]
        yield from _scouts(space, here + [len(SEAT_FILLS)] * (mackenzie == space))


def _ribbon() -> str:
    """Through the middle of every space; a bend goes out beyond the end of its row."""
    parts = ["M{} {}".format(*place(LOWEST))]
    for space in range(LOWEST + 1, LAST + 1):
        x, y = place(space)
        before = place(space - 1)
        if y != before[1]:
            out = x + (STEP if x > LEFT else -STEP) * 0.9
            parts.append(f"C{out:g} {before[1]} {out:g} {y} {x} {y}")
        else:
            parts.append(f"L{x} {y}")
    return " ".join(parts)


def _space(space: int) -> Iterator[str]:
    x, y = place(space)
    kind = terrain(space)
    goal = space >= FORT
    line, width = ("#b3342b", 2.5) if space in NAMES else (INK, 1)
    fill = "#d5ecd9" if goal else FILLS[kind]
    yield f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="{line}" stroke-width="{width}"/>'
    if kind == "mixed":
        yield f'<path d="M{x - RADIUS} {y} a{RADIUS} {RADIUS} 0 0 0 {2 * RADIUS} 0 Z" fill="{FILLS["mountain"]}"/>'
    if kind != "river":
        yield f'<path d="M{x - 11} {y + 9} l7 -12 l5 7 l3 -4 l7 9 Z" fill="#8d6b42" opacity="0.75"/>'
    yield text(x, y - 5 if kind != "river" else y + 4, space, font_size=10, text_anchor="middle", fill="#4c5a61")
    if space in NAMES:
        yield text(x, y + RADIUS + 14, NAMES[space], font_size=11, font_weight="bold", text_anchor="middle")


def _camps(space: int, seats: Sequence[int]) -> Iterator[str]:
    """Small tents above the space, side by side."""
    x, y = place(space)
    for at, seat in enumerate(seats):
        left = x - 5.5 * (len(seats) - 1) + 11 * at
        tent = f"M{left - 7:g} {y - RADIUS - 3} l7 -13 l7 13 Z"
        yield f'<path d="{tent}" fill="{SEAT_FILLS[seat]}" stroke="{INK}"/>'


def _scouts(space: int, seats: Sequence[int]) -> Iterator[str]:
    """One scout fills its space; several stand in rows of three at most."""
    x, y = place(space)
    if len(seats) == 1:
        yield scout(x, y, seats[0], 12)
        return
    rows = [seats[at : at + 3] for at in range(0, len(seats), 3)]
    for down, row in enumerate(rows):
        for at, seat in enumerate(row):
            yield scout(x + 13 * at - 6.5 * (len(row) - 1), y + 13 * down - 6.5 * (len(rows) - 1), seat, 7)


def scout(x: float, y: float, seat: int, size: float) -> str:
    """A scout as a disc with the number of its seat; Mackenzie's is black."""
    mine = seat < len(SEAT_FILLS)
    fill, label = (SEAT_FILLS[seat], str(seat + 1)) if mine else ("#222", "M")
    disc = f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" fill="{fill}" stroke="#fff" stroke-width="1.5"/>'
    return disc + text(
        x, y + size * 0.4, label, font_size=size * 1.2, font_weight="bold", text_anchor="middle", fill="#fff"
    )
