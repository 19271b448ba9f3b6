"""The position as an SVG document: whose turn it is above, the board, and the seats below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.games.tikal.components import ACTION_POINTS, DIG, ENTER, GUARD, HOP, LEVEL, LEVELS, PITCH, SWAP, Tile
from engine.games.tikal.hexes import CELLS, COLUMNS, ROWS
from engine.games.tikal.ink import (
    COLOURS,
    GOLD,
    INK,
    PALE,
    PAPER,
    RIM,
    SAND,
    box,
    circle,
    element,
    hexagon,
    middle,
    moved,
    path,
    text,
)
from engine.games.tikal.roads import placements
from engine.games.tikal.scenery import (
    APOTHEM,
    RADIUS,
    explorers,
    ground,
    laid,
    leader,
    mask,
    pawn,
    sketch,
    tent_of,
    wild,
)
from engine.games.tikal.view import SeenPlayer, TikalView
from engine.kit import cut, escape

WIDTH, MARGIN, TOP = 880, 20, 104
STEP = 1.5 * RADIUS
HEIGHT = (2 * ROWS + 1) * APOTHEM  # of the board
LEFT = (WIDTH - STEP * (len(COLUMNS) - 1)) / 2  # the middle of column a
CARDS = 146  # height of the seats' cards
LEGEND = (
    f"Action points: enter {ENTER}, level {LEVEL}, dig {DIG}, swap {SWAP}, camp {PITCH}, guard {GUARD}.",
    f"A walk costs the stones on both sides of each edge, and {HOP} from camp to camp.",
    "A tile above the board lies in turn r0; r1 to r5 turn it clockwise, a sixth each.",
    "Disc: that many explorers. Hat: a leader. Triangle: a camp. Figure: a guard.",
    "A temple's number has the colour of whoever would score it.",
)


def picture(view: TikalView, names: tuple[str, ...]) -> str:
    """An SVG document; its text alternative is the board."""
    cards = TOP + HEIGHT + 28
    height = cards + CARDS + 108
    inside = (
        box(0, 0, WIDTH, height, fill=PAPER),
        *_head(view),
        *_board(view),
        *_seats(view, names, cards),
        *_left(view, cards + CARDS + 30),
        *_legend(cards + CARDS + 56),
    )
    drawn = element("g", "\n".join(inside), font_family="DejaVu Sans, Verdana, sans-serif", font_size=13, fill=INK)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.4g}" width="{WIDTH}">{drawn}</svg>'


# --- above the board ------------------------------------------------------------------------------------------------


def _head(view: TikalView) -> Iterator[str]:
    who = view.acting
    for at, seat in enumerate(who):
        yield moved(MARGIN + 14 + 30 * at, 36, circle(0, 0, 13, fill=COLOURS[seat]), _number(seat))
    yield text(
        MARGIN + (34 if who else 0) + 30 * max(0, len(who) - 1), 43, _duty(view), font_size=20, font_weight="bold"
    )
    if view.to_do and view.to_do[0][0] in ("turn", "scoring") and not view.over:
        yield from _points(view.points)
    waiting = (*((view.tile,) if view.tile else ()), *view.open)
    for at, tile in enumerate(reversed(waiting)):
        yield _waiting(WIDTH - MARGIN - 40 - 88 * at, tile, in_hand=tile is view.tile)


def _number(seat: int) -> str:
    return middle(0, 5, seat + 1, fill="#fff", font_size=14, font_weight="bold")


def _duty(view: TikalView) -> str:
    if view.over or not view.to_do:
        return "The game is over"
    doing = view.to_do[0][0]
    if doing == "turn":
        return "lays a tile" if view.tile else "explores"
    return {"scoring": "explores, then scores", "sale": "to bid for a tile", "choice": "chooses a tile"}[doing]


def _points(points: int) -> Iterator[str]:
    for at in range(ACTION_POINTS):
        yield circle(MARGIN + 10 + 22 * at, 74, 8, fill="#3f8f4f" if at < points else SAND, stroke=INK)
    yield text(MARGIN + 22 * ACTION_POINTS + 10, 79, f"{points} action points")


def _waiting(x: float, tile: Tile, in_hand: bool) -> str:
    """A tile that does not lie yet, in turn 0; the one in hand is told from those on sale."""
    drawn = element("g", ground(tile.kind, tile.stones) + sketch(tile.kind, tile.number), transform="scale(0.6)")
    rim = hexagon(RADIUS * 0.6 + 3, fill="none", stroke=GOLD, stroke_width=3) if in_hand else ""
    return moved(x, 42, drawn, rim, middle(0, 50, tile.name, font_size=11, font_weight="bold" if in_hand else "normal"))


# --- the board ------------------------------------------------------------------------------------------------------


def _board(view: TikalView) -> Iterator[str]:
    yield box(MARGIN / 2, TOP - 8, WIDTH - MARGIN, HEIGHT + 16, rx=14, fill=RIM)
    sites = {seen.cell: seen for seen in view.sites}
    fits = _fits(view)
    for cell in CELLS:
        seen = sites.get(cell)
        yield moved(*_middle(cell), laid(seen) if seen else wild(cell, cell in fits))


def _fits(view: TikalView) -> tuple[str, ...]:
    """Cells where the tile may lie that has to be laid now."""
    if view.over or view.tile is None or not view.to_do or view.to_do[0][0] != "turn":
        return ()
    return tuple(cell for cell, _ in placements(view.land, view.tile.stones))


def _middle(cell: str) -> tuple[float, float]:
    column = COLUMNS.index(cell[0])
    return LEFT + STEP * column, TOP + APOTHEM * (2 * (ROWS - int(cell[1])) + 1 + column % 2)


# --- the seats ------------------------------------------------------------------------------------------------------


def _seats(view: TikalView, names: tuple[str, ...], top: float) -> Iterator[str]:
    width = (WIDTH - MARGIN * (len(view.players) + 1)) / len(view.players)
    for seat, seen in enumerate(view.players):
        drawn = _card(view, seat, seen, width, escape(cut(names[seat], 14)))
        yield moved(MARGIN + (width + MARGIN) * seat, top, *drawn)


def _card(view: TikalView, seat: int, seen: SeenPlayer, width: float, name: str) -> Iterator[str]:
    here = seat in view.acting
    yield box(0, 0, width, CARDS, rx=8, fill=PALE[seat], stroke=COLOURS[seat], stroke_width=4 if here else 1.5)
    yield path(f"M0 8 q0 -8 8 -8 h{width - 16:.4g} q8 0 8 8 v24 h-{width:.4g} Z", fill=COLOURS[seat])
    yield text(10, 22, f"{seat + 1} {name}{_status(view, seen)}", fill="#fff", font_weight="bold")
    yield text(width - 10, 24, seen.points, fill="#fff", font_size=19, font_weight="bold", text_anchor="end")
    yield text(10, 50, _score(view, seen), font_size=10.5)
    yield from _stock(seat, seen, 72)
    yield from _treasures(seen, width)


def _status(view: TikalView, seen: SeenPlayer) -> str:
    if seen.gone:
        return ": resigned"
    if view.open and not seen.totem:
        return ": has had a turn"
    if seen.passed:
        return ": passed"
    return f": bids {seen.bid}" if seen.bid else ": has sealed" if seen.sealed else ""


def _score(view: TikalView, seen: SeenPlayer) -> str:
    player = seen.player
    auction = f", auction {player.purse}" if view.variant == "auction" else ""
    return f"temples {player.temples}, finds {player.finds}{auction}"


def _stock(seat: int, seen: SeenPlayer, y: float) -> Iterator[str]:
    """Pieces that are not on the board yet."""
    player = seen.player
    tokens = [explorers(seat, player.explorers)]
    tokens += [leader(seat)] * player.leader
    tokens += [tent_of(seat, 0.62)] * player.tents
    tokens += [pawn(seat, 0.85)] * player.guards
    yield from (moved(20 + 24 * at, y, token) for at, token in enumerate(tokens))


def _treasures(seen: SeenPlayer, width: float) -> Iterator[str]:
    for at, (name, count) in enumerate(sorted(Counter(seen.player.treasures).items())):
        x, y = 9 + (width - 14) / 3 * (at % 3), 101 + 17 * (at // 3)
        yield moved(x + 5, y - 4, mask(0.55)) + text(x + 13, y, f"{count} {name}", font_size=10)


def _left(view: TikalView, y: float) -> Iterator[str]:
    """What is still in the box: tiles by stack, and level tiles."""
    stacks = ", ".join(f"{letter} {count}" for letter, count in view.stacks) or "none"
    yield text(MARGIN, y, f"Tiles to come: {stacks}", font_size=12)
    yield text(380, y, "Levels left:", font_size=12)
    for at, ((number, _), left) in enumerate(zip(LEVELS, view.levels, strict=True)):
        frame = box(-10, -10, 20, 18, rx=2, fill="#c9bfa8", stroke="#7d725c", opacity=1 if left else 0.4)
        level = middle(0, 4, number, font_size=12, font_weight="bold")
        yield moved(478 + 44.5 * at, y - 4, frame, level, text(12, 4, f"x{left}", font_size=11))


def _legend(y: float) -> Iterator[str]:
    """What the signs mean and what may be done, in two columns."""
    for at, line in enumerate(LEGEND):
        yield text(MARGIN + WIDTH / 2 * (at // 3), y + 17 * (at % 3), line, font_size=10)
