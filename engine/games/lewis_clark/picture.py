"""The position as an SVG document: the route above, village and journal below it, then the players."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from engine.games.lewis_clark import picture_players, picture_route
from engine.games.lewis_clark.cards import CARDS, LINES
from engine.games.lewis_clark.components import GOODS, JOURNAL_FUR, VILLAGE, Place
from engine.games.lewis_clark.drawing import GOOD_FILLS, INK, PAPER, SAND, box, hexagon, indian, text
from engine.games.lewis_clark.state import NEWCOMERS, POW_WOW
from engine.games.lewis_clark.view import LewisClarkView

WIDTH, LEFT = 940, 32
MIDDLE = picture_route.HEIGHT + 8
PLAYERS = MIDDLE + 268
PLACE_WIDTH, PLACE_HEIGHT = 122, 84
JOURNAL = LEFT + 4 * PLACE_WIDTH + 16
BESIDES = {"farewell": "new journal", "shamanism": "a character", "upgrade": "a boat"}  # what no good can show


def picture(view: LewisClarkView) -> str:
    """An SVG document 940 units wide; its text alternative is the board."""
    bands = tuple(picture_players.bands(view, LEFT, PLAYERS, WIDTH - 2 * LEFT))
    height = bands[-1].bottom + 36
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}">',
            f'<g font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" fill="{INK}">',
            f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
            *_head(view),
            *picture_route.route([p.scout for p in view.players], [p.camp for p in view.players], view.mackenzie),
            *_village(view),
            *_journal(view),
            *(part for band in bands for part in band.drawn),
            *_key(height - 14),
            "</g>",
            "</svg>",
        )
    )


def _head(view: LewisClarkView) -> Iterator[str]:
    title = f"Turn {view.turns}: seat {view.seat + 1}"
    if view.over:
        title = "The game is over" if view.winner is None else f"Seat {view.winner + 1} has reached the Pacific"
    yield text(LEFT, 40, title, font_size=22, font_weight="bold")
    if not view.over:
        frames = [f"{LINES[frame.source].name}: {frame.left} left" for frame in view.frames]
        done = [word for word in ("acted", "camped", "recruited") if getattr(view, word)]
        yield text(WIDTH - LEFT, 40, ", then ".join(reversed(frames)) or ", ".join(done), text_anchor="end")


# --- the village ----------------------------------------------------------------------------------------------------


def _village(view: LewisClarkView) -> Iterator[str]:
    yield text(LEFT, MIDDLE + 14, "Village", font_size=15, font_weight="bold")
    for at, place in enumerate(VILLAGE):
        x, y = LEFT + PLACE_WIDTH * (at % 4), MIDDLE + 26 + (PLACE_HEIGHT + 6) * (at // 4)
        yield from _place(view, place, x, y)
    y = MIDDLE + 26 + 2 * (PLACE_HEIGHT + 6) + 22
    for at, (name, count) in enumerate(_elsewhere(view)):
        x = LEFT + 8 + 162 * at
        yield indian(x, y - 4) + text(x + 14, y, f"{count} {name}", font_size=12)
    boats = f"Boats left: {view.boats.count('goods')} for goods, {view.boats.count('indians')} for Indians"
    yield text(LEFT, y + 24, boats, font_size=12)


def _elsewhere(view: LewisClarkView) -> tuple[tuple[str, int], ...]:
    meeting, newcomers = view.village.count(POW_WOW), view.village.count(NEWCOMERS)
    return ("in the pow-wow", meeting), ("newcomers", newcomers), ("beside the board", view.stock)


def _place(view: LewisClarkView, place: Place, x: int, y: int) -> Iterator[str]:
    yield box(x, y, PLACE_WIDTH - 6, PLACE_HEIGHT, SAND)
    yield text(x + 8, y + 17, place.name, font_size=11, font_weight="bold")
    yield from _deal(place, x + 16, y + 35)
    there = view.village.count(place.name)
    if len(view.players) == 1:
        yield hexagon(x + PLACE_WIDTH - 19, y + 13, place.badge, 6)
    if not place.circles:
        yield indian(x + 16, y + 66, there=bool(there))
        yield text(x + 30, y + 70, f"{there}, always open" if there else "always open", font_size=10)
    for at in range(place.circles):
        yield indian(x + 16 + 20 * at, y + 66, there=at < there)


def _deal(place: Place, x: float, y: float) -> Iterator[str]:
    """What it takes, an arrow, and what it brings."""
    row: list[str] = [*place.pay, *["?"] * place.different]
    row += [">"] * bool(row)
    for at, gain in enumerate(place.gains):
        row += [*["/"] * bool(at), *gain]
    for sign in row:
        if sign not in {">", "/"}:
            yield hexagon(x, y, sign if sign in GOOD_FILLS else None, 7)
        if sign not in GOOD_FILLS:
            yield text(x, y + 4, sign, font_size=11, text_anchor="middle")
        x += 16
    yield text(x - 8, y + 4, BESIDES.get(place.name, ""), font_size=10)


# --- the journal ----------------------------------------------------------------------------------------------------


def _journal(view: LewisClarkView) -> Iterator[str]:
    yield text(JOURNAL, MIDDLE + 14, "Journal", font_size=15, font_weight="bold")
    rest = f"deck {view.deck}, discards {view.discards}"
    yield text(WIDTH - LEFT, MIDDLE + 14, rest, font_size=11, text_anchor="end")
    for slot, card in enumerate(view.journal):
        yield from _offer(slot, card, MIDDLE + 26 + 47 * (len(view.journal) - 1 - slot))


def _offer(slot: int, name: str, y: int) -> Iterator[str]:
    """A card of the journal: its price, its name, its badge and what it does."""
    card = CARDS[name]
    yield box(JOURNAL, y, WIDTH - LEFT - JOURNAL, 43, SAND)
    for at, (good, amount) in enumerate((("fur", JOURNAL_FUR[slot]), ("equipment", card.strength))):
        yield hexagon(JOURNAL + 18 + 26 * at, y + 21, good, 11)
        yield text(JOURNAL + 18 + 26 * at, y + 26, amount, text_anchor="middle", font_weight="bold")
    yield text(JOURNAL + 64, y + 14, card.name, font_size=11.5, font_weight="bold")
    yield hexagon(WIDTH - LEFT - 14, y + 11, card.badge, 7)
    for at, line in enumerate(wrap(card.text, 58)[:2]):
        yield text(JOURNAL + 64, y + 26 + 11 * at, line, font_size=9.5)


def _key(y: int) -> Iterator[str]:
    for at, good in enumerate(GOODS):
        yield hexagon(LEFT + 8 + 106 * at, y - 4, good, 7) + text(LEFT + 20 + 106 * at, y, good, font_size=11)
