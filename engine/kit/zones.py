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
MOST = 3  # columns
BESIDE = 3  # zones of players that have room beside a board
FEW = 2  # fewer other zones of one column than this leave room for all players


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
        span = min(2, columns - column) if _is_wide(zone) else 1
        scale = (COLUMN * span + GAP * (span - 1)) / zone.width if _is_wide(zone) else 1.0
        top = max(bottoms[column : column + span])
        places.append((x, top, scale))
        bottom = top + zone.height * scale + GAP if zone.height else top
        bottoms[column : column + span] = [bottom] * span
    across = columns * (COLUMN + GAP) - GAP + 2 * MARGIN
    return across, round(max(bottoms) - GAP + MARGIN), places


def _columns(zones: Sequence[Zone], columns: int) -> Iterator[int]:
    """The column of each zone, which no position changes: it depends on which zones a game has.

    With three columns, players are beside a board: all of them if little else needs room below it. Without a board
    they fill the second and third column in rows, so that their order is that of reading.
    """
    has_wide = any(_is_wide(zone) and zone.name != "head" for zone in zones)
    few = sum(not _is_wide(zone) and not _is_seat(zone) for zone in zones) < FEW
    beside, below = 0, 0
    for zone in zones:
        if _is_wide(zone):
            yield 0
        elif columns == MOST and _is_seat(zone) and (not has_wide or few or beside < BESIDE):
            yield 2 if has_wide else 1 + beside % 2
            beside += 1
        else:
            yield below % (columns if columns < MOST else 2 if has_wide else 1)
            below += 1


def _is_wide(zone: Zone) -> bool:
    return zone.width > COLUMN + GAP / 2


def _is_seat(zone: Zone) -> bool:
    return zone.name.startswith("seat-")
