"""The position as an SVG document: the route, below it village and journal, the players, and what all cards do."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.lewis_clark import picture_cards, picture_players, picture_route
from engine.games.lewis_clark.board import ended
from engine.games.lewis_clark.cards import LINES
from engine.games.lewis_clark.components import GOODS, VILLAGE, Place
from engine.games.lewis_clark.drawing import GOOD_FILLS, INK, PAPER, RED, SAND, box, hexagon, indian, text
from engine.games.lewis_clark.state import NEWCOMERS, POW_WOW
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import cut

WIDTH, LEFT = 940, 32
MIDDLE = picture_route.HEIGHT + 8
PLAYERS = MIDDLE + 268
PLACE_WIDTH, PLACE_HEIGHT = 122, 84
JOURNAL = LEFT + 4 * PLACE_WIDTH + 16
BESIDES = {"farewell": "new journal", "shamanism": "a character", "upgrade": "a boat"}  # what no good can show


def picture(view: LewisClarkView, names: tuple[str, ...]) -> str:
    """An SVG document 940 units wide; its text alternative is the board."""
    bands = tuple(picture_players.bands(view, LEFT, PLAYERS, WIDTH - 2 * LEFT))
    key = bands[-1].bottom + 22
    lines, bottom = picture_cards.listed(view, LEFT, key + 16, WIDTH - 2 * LEFT)
    height = bottom + 4
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}">',
            f'<g font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" fill="{INK}">',
            f'<rect width="{WIDTH}" height="{height:g}" fill="{PAPER}"/>',
            *_head(view, names),
            *picture_route.route([p.scout for p in view.players], [p.camp for p in view.players], view.mackenzie),
            *_village(view),
            *picture_cards.journal(view, JOURNAL, MIDDLE, WIDTH - LEFT),
            *(part for band in bands for part in band.drawn),
            *_key(key),
            *lines,
            "</g>",
            "</svg>",
        )
    )


def _head(view: LewisClarkView, names: tuple[str, ...]) -> Iterator[str]:
    title = f"Turn {view.turns}: {cut(names[view.seat], 12)}"
    if view.over:
        title = ended(view, names)
    yield text(LEFT, 40, title, font_size=22, font_weight="bold")
    if not view.over:
        frames = [f"{LINES[frame.source].name}: {frame.left} left" for frame in view.frames]
        done = [f"has {word}" for word in ("acted", "camped", "recruited") if getattr(view, word)]
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
    return (
        ("in the pow-wow", meeting),
        ("newcomer" if newcomers == 1 else "newcomers", newcomers),
        ("beside the board", view.stock),
    )


def _place(view: LewisClarkView, place: Place, x: int, y: int) -> Iterator[str]:
    yield box(x, y, PLACE_WIDTH - 6, PLACE_HEIGHT, SAND)
    yield text(x + 8, y + 17, place.name, font_size=11, font_weight="bold")
    yield from _deal(place, x + 16, y + 35)
    there = view.village.count(place.name)
    if len(view.players) == 1:
        yield hexagon(x + PLACE_WIDTH - 19, y + PLACE_HEIGHT - 13, place.badge, 6)
    if not place.circles:
        yield indian(x + 16, y + 66, there=bool(there))
        yield text(x + 30, y + 70, f"{there}, open" if there else "open", font_size=10)
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


def _key(y: int) -> Iterator[str]:
    for at, good in enumerate(GOODS):
        yield hexagon(LEFT + 8 + 92 * at, y - 4, good, 7) + text(LEFT + 20 + 92 * at, y, good, font_size=11)
    yield text(WIDTH - LEFT, y, "time: what a camp takes now", font_size=11, text_anchor="end", fill=RED)
