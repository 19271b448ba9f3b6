"""The position as an SVG document: the turn, the river, the players, village and journal side by side, the supply.

Every card and every place shows its action in signs (`icons.py`); their sentences are titles.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.lewis_clark import picture_cards, picture_players, picture_route
from engine.games.lewis_clark.board_says import doing, duty, ended, places, sealed
from engine.games.lewis_clark.drawing import ROLES
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import WIDE, Palette, Zone, document, legend, lines

HEAD, LETTERS = 28, 50
LEGEND = (
    "Red rings: Saint Louis (0), the start, and Fort Clatsop (39), the goal. A disc is a scout, a tent a camp.",
    "Left of an arrow is the price of one use, right of it what it brings. ?: any good. An eye: works while face up.",
    "A cross and a disc: for each such badge in sight. Red numbers: how far a camp sends the scout back.",
)


def picture(view: LewisClarkView, names: tuple[str, ...], palette: Palette = "light") -> str:
    """Return an SVG document; its text alternative is the board."""
    zones = (
        _head(view, names),
        picture_route.zone(view),
        *(picture_players.zone(view, seat, names[seat]) for seat in range(len(view.players))),
        picture_cards.village(view),
        picture_cards.journal(view),
        picture_cards.supply(view, names),
        legend(LEGEND, 14, 54),
    )
    return document(zones, ROLES, palette)


def _head(view: LewisClarkView, names: tuple[str, ...]) -> Zone:
    """Draw whose turn it is and what they may do, or how the game ended."""
    title, *sentences = _said(view, names)
    drawn, y = lines(8, 30, title, HEAD, 46, bold=True)
    for sentence in sentences:
        more, y = lines(8, y, sentence, HEAD, LETTERS)
        drawn += more
    return Zone("head", WIDE, round(y - 14), "".join(drawn))


def _said(view: LewisClarkView, names: tuple[str, ...]) -> Iterator[str]:
    if view.over:
        yield ended(view, names)
        yield from places(view, names)
        return
    yield f"Turn {view.turns} of at most {view.cap}."
    yield duty(view, names)
    yield from doing(view)
    yield from sealed(view)
