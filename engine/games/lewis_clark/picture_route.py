"""The route as SVG: a winding ribbon from below Saint Louis to the coast, with scouts and camps on its spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.games.lewis_clark.drawing import INK, LEFT, MACKENZIE, Part, both, camp, heading, scout, text
from engine.games.lewis_clark.route import FORT, LAST, LOWEST, START, terrain
from engine.games.lewis_clark.view import LewisClarkView

IN_A_ROW, ACROSS, DOWN = 11, 58, 53
SPACE, TALL = 54, 46  # a space
STRIP = 17  # its upper part, kept free of figures so that number and terrain stay in sight
FILLS = {"river": "#a9d3e6", "mountain": "#d8bd92", "mixed": "#a9d3e6"}
Figure = Callable[[float, float, int, float], str]
NAMES = {START: "L", FORT: "F"}  # after the number, as on the board

FIGURES: tuple[tuple[Figure, str], ...] = ((scout, "scout"), (camp, "camp"), (both, "both"))


def place(space: int, top: float) -> tuple[float, float]:
    """Return the upper left corner of a space: rows run to the right, then to the left, and so on."""
    row, at = divmod(space - LOWEST, IN_A_ROW)
    across = at if row % 2 == 0 else IN_A_ROW - 1 - at
    return LEFT + ACROSS * across, top + DOWN * row


def route(view: LewisClarkView, y: float) -> Part:
    """Draw the heading with its key, the ribbon, the spaces, and the figures on them."""
    top = y + 46
    drawn = [heading(LEFT, LEFT, y + 18, "Route"), *_legend(y + 18)]
    for fill, width in (("#7fb3cc", 20), ("#c4e2ee", 13)):
        drawn.append(f'<path d="{_ribbon(top)}" fill="none" stroke="{fill}" stroke-width="{width}"/>')
    for space in range(LOWEST, LAST + 1):
        drawn += _space(space, *place(space, top))
        drawn += _figures(view, space, *place(space, top))
    return Part(tuple(drawn), place(LAST, top)[1] + TALL + 10)


def _legend(y: float) -> Iterator[str]:
    """Draw the key of figures and spaces."""
    for at, (figure, words) in enumerate(FIGURES):
        yield figure(LEFT + 100 + 68 * at, y - 4, 0, 9) + text(LEFT + 113 + 68 * at, y, words)
    for at, kind in enumerate(("river", "mountain", "mixed")):
        x = LEFT + 330 + (0, 70, 168)[at]
        yield from _land(kind, x, y - 15, 20, 20)
        yield text(x + 25, y, "both" if kind == "mixed" else kind)
    yield text(LEFT, y + 19, "Red edge: L is Saint Louis, the start; F is Fort Clatsop, the goal.")


def _ribbon(top: float) -> str:
    """Return the path through the middle of every space; bends go straight down at the end of a row."""
    middles = ((x + SPACE / 2, y + TALL / 2) for x, y in (place(space, top) for space in range(LOWEST, LAST + 1)))
    return "M" + " L".join(f"{x:g} {y:g}" for x, y in middles)


def _land(kind: str, x: float, y: float, width: float, height: float) -> Iterator[str]:
    """Draw the ground of a space: water, rock or both, each with its sign."""
    yield f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5" fill="{FILLS[kind]}"/>'
    if kind == "mixed":
        yield f'<path d="M{x:g} {y + height:g} L{x + width:g} {y:g} V{y + height:g} Z" fill="{FILLS["mountain"]}"/>'
    peak, wave = f"M{x + width - 17:g} {y + 14:g} l5 -9 l4 5 l2 -3 l4 7 Z", f"M{x + width - 17:g} {y + 8:g}"
    if kind != "river":
        yield f'<path d="{peak}" fill="#8d6b42"/>'
    else:
        yield f'<path d="{wave} q3.5 -4 7 0 t7 0" fill="none" stroke="#2f7ea6" stroke-width="1.6"/>'


def _space(space: int, x: float, y: float) -> Iterator[str]:
    yield from _land(terrain(space), x, y, SPACE, TALL)
    line, width = ("#b3342b", 3) if space in NAMES else (INK, 1)
    yield (
        f'<rect x="{x:g}" y="{y:g}" width="{SPACE}" height="{TALL}" rx="5" fill="none" stroke="{line}"'
        f' stroke-width="{width}"/>'
    )
    yield text(x + 4, y + 13, f"{space}{NAMES.get(space, '')}", font_size=12.5, fill="#222")


def _figures(view: LewisClarkView, space: int, x: float, y: float) -> Iterator[str]:
    """Draw up to three figures in one large row, more in two rows."""
    here = list(_standing(view, space))
    size, rows = (9.0, [here]) if len(here) <= 3 else (8.0, [here[:3], here[3:]])
    free = TALL - STRIP
    for down, row in enumerate(rows):
        for at, (figure, seat) in enumerate(row):
            across = SPACE / 2 + (SPACE - 4) / 3 * (at - (len(row) - 1) / 2)
            yield figure(x + across, y + STRIP + free * (down + 0.5) / len(rows) + (len(rows) == 1), seat, size)


def _standing(view: LewisClarkView, space: int) -> Iterator[tuple[Figure, int]]:
    for seat, player in enumerate(view.players):
        if space in (player.scout, player.camp):
            yield both if player.scout == player.camp else scout if player.scout == space else camp, seat
    if view.mackenzie == space:
        yield scout, MACKENZIE
