"""A picture is made of zones, each drawn from its own origin, so that it can be arranged for any width.

    document((Zone("board", 880, 600, drawn), Zone("seat-1", 432, 200, drawn)), ROLES, palette)

A zone is wide (880 units) or narrow (at most 440, one column). Every position of a game has the same zones in the same
order. Each is one line of the document, with its box in its own units:

    <g data-zone="board" data-box="0 0 880 600" transform="translate(8 8)">...</g>

A page moves the zones by setting `transform`, and leaves out `head` and `legend`, which repeat what it says itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from engine.kit.palette import Palette, Roles, painted

COLUMN, WIDE, GAP, MARGIN = 432.0, 880.0, 16.0, 8.0
FONT = 'font-family="DejaVu Sans, Verdana, sans-serif"'
_LINE = re.compile(r'<g data-zone="([a-z0-9-]+)" data-box="0 0 ([\d.]+) ([\d.]+)" transform="[^"]*">(.*)</g>')
BESIDE = 3  # zones of players that have room beside a board


class Zone(msgspec.Struct, frozen=True):
    """A part of a picture, drawn from its upper left corner on."""

    name: str
    width: float
    height: float
    drawn: str


def document(zones: Sequence[Zone], roles: Roles, palette: Palette, *, columns: int = 2) -> str:
    """The zones as one SVG document, in the colours of a palette."""
    whole = _packed(zones, columns, f'<g {FONT} font-size="16" fill="@ink">')
    return painted(whole, roles, palette)


def arranged(picture: str, columns: int = 2, without: Sequence[str] = ()) -> str:
    """The same picture in one to three columns, without the zones that are named."""
    zones = [
        Zone(found[1], float(found[2]), float(found[3]), found[4])
        for found in map(_LINE.fullmatch, picture.splitlines())
        if found and found[1] not in without
    ]
    if not zones:
        return picture
    _, paper, group, *_ = picture.splitlines()
    return _packed(zones, columns, group, paper.rpartition(" ")[2])


def board_of(picture: str) -> str:
    """The zone below the head alone: the board, for a small preview."""
    names = [found[1] for found in map(_LINE.fullmatch, picture.splitlines()) if found]
    board = next((name for name in names if name != "head"), "")
    return arranged(picture, 1, [name for name in names if name != board])


def _packed(zones: Sequence[Zone], columns: int, group: str, fill: str = 'fill="@paper"/>') -> str:
    width, height, places = _places(zones, columns)
    size = f'width="{width:g}" height="{height:g}"'
    lines = (_line(zone, place) for zone, place in zip(zones, places, strict=True))
    root = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}">'
    return "\n".join((root, f'<rect x="0" y="0" {size} {fill}', group, *lines, "</g>", "</svg>"))


def _line(zone: Zone, place: tuple[float, float, float]) -> str:
    x, y, scale = place
    larger = f" scale({scale:.4g})" if scale != 1 else ""
    inside = zone.drawn.replace("\n", " ")
    box = f"0 0 {zone.width:g} {zone.height:g}"
    return f'<g data-zone="{zone.name}" data-box="{box}" transform="translate({x:g} {y:g}){larger}">{inside}</g>'


# --- packing --------------------------------------------------------------------------------------------------------


def _places(zones: Sequence[Zone], columns: int) -> tuple[float, float, list[tuple[float, float, float]]]:
    """The width and height of the whole, and the place and scale of each zone. A zone keeps its column."""
    bottoms, places = [MARGIN] * columns, []
    for zone, column in zip(zones, _columns(zones, columns), strict=True):
        x = MARGIN + column * (COLUMN + GAP)
        is_wide = zone.width > COLUMN + GAP / 2
        span = min(2, columns - column) if is_wide else 1
        scale = (COLUMN * span + GAP * (span - 1)) / zone.width if is_wide else 1.0
        top = max(bottoms[column : column + span])
        places.append((x, top, scale))
        bottom = top + zone.height * scale + GAP if zone.height else top
        bottoms[column : column + span] = [bottom] * span
    across = columns * (COLUMN + GAP) - GAP + 2 * MARGIN
    return across, round(max(bottoms) - GAP + MARGIN), places


def _columns(zones: Sequence[Zone], columns: int) -> Iterator[int]:
    """The column of each zone: wide ones first, players beside them as far as there is room, the others below."""
    has_wide = any(zone.width > COLUMN + GAP / 2 and zone.name != "head" for zone in zones)
    beside, below = 0, 0
    for zone in zones:
        if zone.width > COLUMN + GAP / 2:
            yield 0
        elif columns == 3 and has_wide and zone.name.startswith("seat-") and beside < BESIDE:
            beside += 1
            yield 2
        else:
            yield below % (2 if columns == 3 and has_wide else columns)
            below += 1
