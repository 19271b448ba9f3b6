"""The position as an SVG document: the turn, the route, below it village and journal, the players, what cards do."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.lewis_clark import picture_cards, picture_players, picture_route
from engine.games.lewis_clark.board_says import SEALED, doing, duty, ended, places
from engine.games.lewis_clark.components import GOODS
from engine.games.lewis_clark.drawing import INK, LEFT, PAPER, WIDTH, Part, hexagon, lines, text
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import cut

SHOWN = 640  # pixels, where nobody says another width
GAP = 12


def picture(view: LewisClarkView, names: tuple[str, ...]) -> str:
    """An SVG document 480 units wide; its text alternative is the board."""
    parts = [_head(view, names)]
    parts.append(picture_route.route(view, parts[-1].bottom))
    parts.append(picture_players.players(view, names, parts[-1].bottom + GAP))
    parts.append(_key(parts[-1].bottom + GAP))
    parts.append(picture_cards.village(view, parts[-1].bottom))
    parts.append(picture_cards.journal(view, names, parts[-1].bottom))
    parts.append(picture_cards.listed(view, parts[-1].bottom))
    height = parts[-1].bottom + GAP
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
    """Whose turn it is, what is owed and how it is typed; or how the game ended."""
    title, *sentences = _said(view, names)
    first = lines(LEFT, 30, title, 40, font_size=18, font_weight="bold")
    drawn, y = [*first.drawn], first.bottom + 4
    for sentence in sentences:
        part = lines(LEFT, y, sentence, 56)
        drawn += part.drawn
        y = part.bottom
    return Part(tuple(drawn), y - 6)


def _said(view: LewisClarkView, names: tuple[str, ...]) -> Iterator[str]:
    if view.over:
        yield f"{ended(view, names)}."
        yield from places(view, names)
        return
    yield f"Turn {view.turns} of at most {view.cap}: {cut(names[view.seat], 20)}"
    yield f"{cut(names[view.seat], 20)} {duty(view)}"
    yield from doing(view)
    if view.covered:
        yield SEALED


def _key(y: float) -> Part:
    """The goods by colour and letter."""
    drawn = []
    for at, good in enumerate(GOODS):
        x = LEFT + 10 + (0, 98, 156, 206, 270, 342)[at]
        drawn += [hexagon(x, y + 8, good, 8), text(x + 13, y + 13, good, font_size=13)]
    return Part(tuple(drawn), y + 24)
