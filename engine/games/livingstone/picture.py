"""The position as an SVG document: what is possible, the river landscape, players with their cards, the supply.

Elements that a command can name hold `data-word`: `die:3`, `column:4 row:6`, `card:steamer`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.livingstone import hands, landscape, says
from engine.games.livingstone.cards import KINDS
from engine.games.livingstone.components import GEMS
from engine.games.livingstone.signs import ROLES, arrow, back, bag, coin, gem, pebble, star
from engine.games.livingstone.view import LivingstoneView
from engine.kit import COLUMN, WIDE, Palette, Supply, Zone, box, document, legend, lines, text, titled

HEAD, LINE = 28, 46  # the size of letters in the head, and how many of them fit
EVERY = (*GEMS, "black", "white")


def picture(view: LivingstoneView, names: tuple[str, ...], palette: Palette = "light") -> str:
    """Draw the position; its text alternative is the board."""
    zones = (
        _head(view, names),
        Zone("board", WIDE, landscape.height(view), landscape.board(view)),
        *(hands.zone(view, seat, names[seat]) for seat in range(len(view.players))),
        _supply(view),
        _legend(view),
    )
    return document(zones, ROLES, palette)


def _head(view: LivingstoneView, names: tuple[str, ...]) -> Zone:
    title, *others = says.headline(view, names)
    drawn, y = lines(8, 30, title, HEAD, LINE, bold=True)
    for said in others:
        if not view.dice or said != says.dice(view):
            more, y = lines(8, y, said, HEAD, 50)
            drawn += more
    return Zone("head", WIDE, round(y - 14), "".join(drawn))


# --- the supply -----------------------------------------------------------------------------------------------------


def _supply(view: LivingstoneView) -> Zone:
    """Prices of gems, the bag, the stones beside the board, the deck and the cards that were played."""
    played = ", ".join(f"{number} {KINDS[card].name}" for card, number in view.spent.rest) or "none"
    rows, below = lines(80, 216, f"Played: {played}.", 13.8, 46)
    height = max(258, round(below))
    frame = box(0.75, 0.75, COLUMN - 1.5, height - 1.5, rx=10, fill="@panel", stroke="@line", stroke_width=1.5)
    cards = titled(f"{view.deck} cards in the deck, played: {played}", *_deck(view), *rows)
    return Zone("supply", COLUMN, height, "".join((frame, *_prices(view), *_stones(view), cards)))


def _prices(view: LivingstoneView) -> Iterator[str]:
    """The worth of each gem: at the bank, with the market card, unsold at the end."""
    for y, label in ((32, "bank"), (68, "market"), (104, "unsold")):
        yield text(12, y, label, 14, fill="@faint")
    for at, kind in enumerate(GEMS):
        x = 82 + 113 * at
        for y in (26, 62, 98):
            yield gem(kind, x, y) + arrow(x + 25, y)
        yield coin(x + 48, 26, 15, view.prices[at]) + coin(x + 48, 62, 15, view.market_coins[at])
        yield star(x + 79, 61, view.market_points[at]) + star(x + 48, 97, view.gem_points)


def _stones(view: LivingstoneView) -> Iterator[str]:
    yield from _pile(view.bag, 142, "in the bag", bag(26, 138))
    yield from _pile(view.sold, 178, "beside the board", text(12, 183, "out", 14, fill="@faint"))


def _pile(stones: Supply, y: float, where: str, sign: str) -> Iterator[str]:
    counts = [(kind, stones.count(kind)) for kind in EVERY]
    said = ", ".join(f"{number} {kind}" for kind, number in counts if number) or "no stones"
    drawn = "".join(
        (gem if kind in GEMS else pebble)(kind, 78 + 72 * at, y - 2) + text(97 + 72 * at, y + 5, number, 18)
        for at, (kind, number) in enumerate(counts)
    )
    yield titled(f"{said} {where}", sign, drawn)


def _deck(view: LivingstoneView) -> Iterator[str]:
    yield back(12, 200, 28, 40)
    yield text(47, 226, view.deck, 17, bold=True)


def _legend(view: LivingstoneView) -> Zone:
    """The legend of the signs on the right of the board, with the source of its figures."""
    return legend(says.legend(view), top=22.0)
