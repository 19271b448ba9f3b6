"""The position as an SVG document: what must be done next, the tiles to be laid, the board, the seats, the supply.

It can be read on a page 640 pixels wide and on a telephone: parts are below each other, each as high as it needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.games.tikal.board import status, unfound
from engine.games.tikal.components import (
    ACTION_POINTS,
    CALLED,
    DIG,
    ENTER,
    GUARD,
    HOP,
    LEVEL,
    LEVELS,
    PITCH,
    SWAP,
    Tile,
)
from engine.games.tikal.headline import details, duty
from engine.games.tikal.hexes import CELLS, COLUMNS, ROWS, Stones, turned, turns
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
    ground,
    laid,
    leader,
    pawn,
    shape,
    sketch,
    tent_of,
    treasure,
    wild,
)
from engine.games.tikal.state import Site
from engine.games.tikal.view import SeenPlayer, SeenSite, TikalView
from engine.kit import count, cut, escape, fitting, marked, width

WIDTH, MARGIN = 880, 20
STEP = 1.5 * RADIUS
HEIGHT = (2 * ROWS + 1) * APOTHEM  # of the board
LEFT = (WIDTH - STEP * (len(COLUMNS) - 1)) / 2  # the middle of column a
LINE = 24  # from one line of words to the next
LETTERS = 88  # columns in a line of small words
TITLE, FINE = 58, 100  # of the title, and of the legend
CARD = 186  # height of a seat's card
LEGEND = (
    f"Action points: enter {ENTER}, level {LEVEL}, dig {DIG}, swap {SWAP}, camp {PITCH}, guard {GUARD}.",
    f"A walk costs the stones on both sides of each edge, and {HOP} from camp to camp.",
    "A shape counts a player's explorers; a hat on it is the leader. Triangle: a camp. Figure: a guard.",
    "A temple's number is in the shape of the player who would score it.",
    "Red dots: levels or treasures taken this turn. Tiles on sale are shown in rotation r0.",
)

Part = tuple[float, tuple[str, ...]]  # its height, and the elements drawn from its upper left corner on


def picture(view: TikalView, names: tuple[str, ...]) -> str:
    """Return an SVG document; its text alternative is the board."""
    parts = (_head(view, names), _strip(view), _board_part(view), _seats(view, names), _left(view), _legend())
    drawn, top = [], 14.0
    for height, inside in parts:
        drawn.append(moved(0, top, *inside))
        top += height
    page = box(0, 0, WIDTH, top + 10, fill=PAPER) + "\n".join(drawn)
    group = element("g", page, font_family="DejaVu Sans, Verdana, sans-serif", font_size=16, fill=INK)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top + 10:.4g}" width="{WIDTH}">{group}</svg>'


# --- above the board ------------------------------------------------------------------------------------------------


def _head(view: TikalView, names: tuple[str, ...]) -> Part:
    """Draw the sentences that the text board has there, and the action points."""
    title = tuple(_folded(duty(view, names), TITLE))
    said = (*details(view, names), *_in_hand(view))
    lines = tuple(line for sentence in said for line in _folded(sentence, LETTERS))
    bold: dict[str, object] = {"font_size": 24, "font_weight": "bold"}
    drawn = [text(MARGIN, 24 + 32 * at, escape(line), **bold) for at, line in enumerate(title)]
    below = 32 * len(title)
    drawn += [text(MARGIN, below + 18 + LINE * at, escape(line)) for at, line in enumerate(lines)]
    below += LINE * len(lines)
    if view.to_do and view.to_do[0][0] in ("turn", "scoring") and not view.over:
        drawn += _points(view.points, below + 20)
        below += 34
    return below + 16, tuple(drawn)


def _in_hand(view: TikalView) -> Iterator[str]:
    if view.tile and not view.over and view.to_do[0][0] == "turn":
        shown = ", shown in its rotations" if len(turns(view.tile.stones)) > 1 else ""
        yield f"The tile is {view.tile.name}{shown}. It fits on cells with a dashed rim."


def _folded(sentence: str, columns: int) -> Iterator[str]:
    line = ""
    for word in sentence.split(" "):
        if line and width(line) + 1 + width(word) > columns:
            yield line
            line = ""
        line = f"{line} {word}".lstrip()
    yield line


def _points(points: int, y: float) -> Iterator[str]:
    for at in range(ACTION_POINTS):
        yield circle(MARGIN + 10 + 24 * at, y, 9, fill="#3f8f4f" if at < points else SAND, stroke=INK)
    yield text(MARGIN + 24 * ACTION_POINTS + 10, y + 6, f"{points} of {ACTION_POINTS} action points")


def _strip(view: TikalView) -> Part:
    """Draw the tiles to be laid: the one in hand in each rotation that may be typed, those on sale in rotation 0."""
    waiting: list[str] = []
    if view.tile and not view.over:
        owed = view.to_do[0][0] == "turn"
        for turn in turns(view.tile.stones) if owed else (0,):
            label, word = (f"r{turn}", f"rotation:r{turn}") if owed else (view.tile.name, f"tile:{view.tile.name}")
            waiting.append(_waiting(view.tile, turned(view.tile.stones, turn), label, word, in_hand=True))
    waiting += [_waiting(tile, tile.stones, tile.name, f"tile:{tile.name}", in_hand=False) for tile in view.open]
    step = 94.0 if len(waiting) > 4 else 130.0
    return (132.0 if waiting else 0.0), tuple(moved(MARGIN + 46 + step * at, 46, one) for at, one in enumerate(waiting))


def _waiting(tile: Tile, stones: Stones, label: str, word: str, *, in_hand: bool) -> str:
    drawn = element("g", ground(tile.kind, stones) + sketch(tile.kind, tile.number), transform="scale(0.68)")
    rim = hexagon(RADIUS * 0.68 + 2, fill="none", stroke=GOLD, stroke_width=3) if in_hand else ""
    name = middle(0, 58, label, font_size=14, font_weight="bold" if in_hand else "normal")
    return marked(
        word, f"{tile.name} in rotation {label}" if in_hand and label != tile.name else tile.name, drawn, rim, name
    )


# --- the board ------------------------------------------------------------------------------------------------------


def _board(view: TikalView) -> Iterator[str]:
    yield box(MARGIN / 2, -8, WIDTH - MARGIN, HEIGHT + 16, rx=14, fill=RIM)
    sites = {seen.cell: seen for seen in view.sites}
    fits = _fits(view)
    for cell in CELLS:
        seen = sites.get(cell)
        drawn = laid(seen, view.worked.count(cell)) if seen else wild(cell, cell in fits)
        yield moved(*_middle(cell), marked(f"cell:{cell}", _titled(cell, seen), drawn))


def _titled(cell: str, seen: SeenSite | None) -> str:
    """Return a cell as it is read aloud: `b3: temple 5, guard of player 2, player 1: 3 explorers and the leader`."""
    if seen is None:
        return f"{cell}: no tile yet"
    site = seen.site
    said = [f"{site.kind} {site.value}" if site.kind == "temple" else CALLED.get(site.kind, site.kind)]
    if site.treasures:
        said.append(count(site.treasures, "treasure"))
    owners = (("guard of player {}", site.guard), ("camp of player {}", site.tent), ("held by player {}", seen.holder))
    said += [label.format(seat + 1) for label, seat in owners if seat is not None]
    said += [_pieces(site, seat) for seat in range(len(site.explorers)) if site.pieces(seat)]
    return f"{cell}: {', '.join(said)}"


def _pieces(site: Site, seat: int) -> str:
    explorers = count(site.explorers[seat], "explorer")
    if seat not in site.leaders:
        return f"player {seat + 1}: {explorers}"
    return (
        f"player {seat + 1}: {explorers} and the leader" if site.explorers[seat] else f"player {seat + 1}: the leader"
    )


def _fits(view: TikalView) -> tuple[str, ...]:
    """Return the cells where the tile that is to be laid now fits."""
    if view.over or view.tile is None or not view.to_do or view.to_do[0][0] != "turn":
        return ()
    return tuple(cell for cell, _ in placements(view.land, view.tile.stones))


def _middle(cell: str) -> tuple[float, float]:
    column = COLUMNS.index(cell[0])
    return LEFT + STEP * column, APOTHEM * (2 * (ROWS - int(cell[1])) + 1 + column % 2)


# --- the seats ------------------------------------------------------------------------------------------------------


def _board_part(view: TikalView) -> Part:
    return HEIGHT + 30, tuple(_board(view))


def _seats(view: TikalView, names: tuple[str, ...]) -> Part:
    """Draw two cards in a row."""
    wide = (WIDTH - 3 * MARGIN) / 2
    cards = tuple(
        moved(
            MARGIN + (wide + MARGIN) * (seat % 2),
            (CARD + 14) * (seat // 2),
            marked(f"seat:{seat + 1}", names[seat], *_card(view, seat, seen, wide, names[seat])),
        )
        for seat, seen in enumerate(view.players)
    )
    return (CARD + 14) * ((len(view.players) + 1) // 2) + 10, cards


def _card(view: TikalView, seat: int, seen: SeenPlayer, wide: float, name: str) -> Iterator[str]:
    here = not view.over and seat in view.acting
    yield box(0, 0, wide, CARD, rx=8, fill=PALE[seat], stroke=COLOURS[seat], stroke_width=5 if here else 1.5)
    yield path(f"M0 8 q0 -8 8 -8 h{wide - 16:.4g} q8 0 8 8 v30 h-{wide:.4g} Z", fill=COLOURS[seat])
    yield moved(22, 19, shape(seat, seat + 1, 13))
    shown = cut(name, 22)
    size = fitting(shown, wide - 44 - 66, 20, bold=True)
    yield text(44, 26, escape(shown), fill="#fff", font_size=size, font_weight="bold")
    yield text(wide - 12, 27, seen.points, fill="#fff", font_size=24, font_weight="bold", text_anchor="end")
    yield text(12, 60, _score(view, seen), font_size=15)
    yield text(12, 81, status(view, seen), font_size=15, font_weight="bold")
    yield from _stock(seat, seen, 106)
    yield from _treasures(seat, seen, wide)


def _score(view: TikalView, seen: SeenPlayer) -> str:
    player = seen.player
    if view.variant == "auction":
        return f"temples {player.temples}, treasures {player.finds}, auction {player.purse}"
    return f"temples {player.temples}, treasures {player.finds}"


def _stock(seat: int, seen: SeenPlayer, y: float) -> Iterator[str]:
    """Draw the pieces that are not on the board yet."""
    player = seen.player
    yield text(12, y + 5, "beside the board", font_size=14)
    tokens = [shape(seat, player.explorers, 12)]
    tokens += [moved(0, 3, leader(seat))] * player.leader
    tokens += [tent_of(seat, 0.7)] * player.tents
    tokens += [pawn(seat)] * player.guards
    yield from (moved(160 + 34 * at, y, token) for at, token in enumerate(tokens))


def _treasures(seat: int, seen: SeenPlayer, wide: float) -> Iterator[str]:
    for at, (name, n) in enumerate(sorted(Counter(seen.player.treasures).items())):
        x, y = 20 + (wide - 20) / 4 * (at % 4), 138 + 28 * (at // 4)
        drawn = treasure(name) + text(13, 5, f"{n} {name}", font_size=14)
        yield moved(x, y, marked(f"treasure:{name}", f"{n} {name}", drawn, seat=seat))


# --- below the seats ------------------------------------------------------------------------------------------------


def _left(view: TikalView) -> Part:
    """Draw the supply: tiles by stack, treasures, levels; and tiles that fitted nowhere."""
    stacks = ", ".join(f"{letter} {count}" for letter, count in view.stacks) or "none"
    tiles = f"Tiles not yet drawn: {stacks}."
    if view.aside:
        tiles = f"{tiles} Set aside because they fitted nowhere: {', '.join(view.aside)}."
    drawn = [text(MARGIN, 16, tiles), text(MARGIN, 46, "Not yet found:")]
    for at, (name, n) in enumerate(unfound(view)):
        drawn.append(moved(160 + 88 * at, 40, treasure(name), text(12, 5, f"{n} {name}", font_size=13)))
    drawn.append(text(MARGIN, 80, "Levels left:"))
    for at, ((number, _), left) in enumerate(zip(LEVELS, view.levels, strict=True)):
        frame = box(-13, -13, 26, 24, rx=3, fill="#c9bfa8", stroke="#7d725c", opacity=1 if left else 0.4)
        level = middle(0, 5, number, font_size=16, font_weight="bold")
        drawn.append(moved(160 + 78 * at, 75, frame, level, text(17, 5, f"x{left}", font_size=15)))
    return 104, tuple(drawn)


def _legend() -> Part:
    """Draw what the signs mean and what actions cost."""
    lines = [line for sentence in LEGEND for line in _folded(sentence, FINE)]
    return LINE * len(lines), tuple(text(MARGIN, 14 + LINE * at, line, font_size=15) for at, line in enumerate(lines))
