"""The position as an SVG document: the turn, the route, the players, then village and journal side by side.

For four players it is twice as high as wide, so the effects of cards and places are not drawn: they are titles, shown
or read aloud where a pointer rests, and text in the guide and on the board.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.lewis_clark import picture_cards, picture_players, picture_route
from engine.games.lewis_clark.board_says import SEALED, doing, duty, ended, places
from engine.games.lewis_clark.components import GOODS
from engine.games.lewis_clark.drawing import INK, LEFT, PAPER, WIDTH, Part, hexagon, lines, text
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import cut, marked

SHOWN = 640  # pixels, without another width


def picture(view: LewisClarkView, names: tuple[str, ...]) -> str:
    """Return an SVG document 660 units wide; its text alternative is the board."""
    parts = [_head(view, names)]
    parts.append(picture_route.route(view, parts[-1].bottom))
    parts.append(_key(parts[-1].bottom))
    parts.append(picture_players.players(view, names, parts[-1].bottom))
    parts.append(picture_cards.village(view, parts[-1].bottom))
    parts.append(picture_cards.journal(view, names, parts[-2].bottom))
    parts.append(picture_cards.discarded(view, max(part.bottom for part in parts[-2:])))
    height = parts[-1].bottom
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{SHOWN}">',
            f'<g font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" fill="{INK}">',
            f'<rect width="{WIDTH}" height="{height:g}" fill="{PAPER}"/>',
            *(line for part in parts for line in part.drawn),
            "</g>",
            "</svg>",
        )
    )


def _head(view: LewisClarkView, names: tuple[str, ...]) -> Part:
    """Draw whose turn it is and what they may do, or how the game ended."""
    title, *sentences = _said(view, names)
    first = lines(LEFT, 28, title, 55, font_size=18, font_weight="bold")
    drawn, y = [*first.drawn], first.bottom + 2
    for sentence in sentences:
        part = lines(LEFT, y, sentence, 80)
        drawn += part.drawn
        y = part.bottom
    return Part(tuple(drawn), y - 8)


def _said(view: LewisClarkView, names: tuple[str, ...]) -> Iterator[str]:
    if view.over:
        yield ended(view, names)
        yield from places(view, names)
        return
    yield f"Turn {view.turns} of at most {view.cap}: {cut(names[view.seat], 20)}"
    yield duty(view, names)
    yield from doing(view)
    if view.covered:
        yield SEALED


def _key(y: float) -> Part:
    """Draw the key of goods: their colours and letters."""
    drawn = []
    for at, good in enumerate(GOODS):
        x = LEFT + 10 + (0, 120, 200, 270, 355, 445)[at]
        drawn.append(marked(f"good:{good}", good, hexagon(x, y + 8, good, 8), text(x + 13, y + 13, good)))
    return Part(tuple(drawn), y + 26)
