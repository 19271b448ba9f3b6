"""The position as an SVG document: what must be done next, the board above a tray, the players, the supply.

The tray shows the tile to be laid in each of its rotations, or the tiles on sale; without any, the action points that
are left and what actions cost; after the end the places.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.tikal.board import unfound
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
from engine.games.tikal.ink import ROLES, hexagon, middle
from engine.games.tikal.roads import placements
from engine.games.tikal.scenery import (
    APOTHEM,
    RADIUS,
    ground,
    laid,
    mask,
    pawn,
    pyramid,
    shape,
    sketch,
    tent_of,
    treasure,
    wild,
)
from engine.games.tikal.seats import seat_zone
from engine.games.tikal.state import Site
from engine.games.tikal.view import SeenSite, TikalView
from engine.kit import (
    COLUMN,
    WIDE,
    Palette,
    Zone,
    box,
    circle,
    count,
    document,
    legend,
    lines,
    marked,
    moved,
    text,
    titled,
)

STEP = 1.5 * RADIUS
HEIGHT = (2 * ROWS + 1) * APOTHEM + 20  # of the board with its rim
LEFT = (WIDE - STEP * (len(COLUMNS) - 1)) / 2  # the middle of column a
TRAY = 150
HEAD, LETTERS = 28, 50
LEGEND = (
    f"Action points: enter {ENTER}, level {LEVEL}, dig {DIG}, swap {SWAP}, camp {PITCH}, guard {GUARD}.",
    f"A walk costs the stones on both sides of each edge, and {HOP} from camp to camp.",
    "A shape counts a player's explorers; a hat on it is the leader. Triangle: a camp. Figure: a guard.",
    "A temple's number is in the shape of the player who would score it.",
    "Red dots: levels or treasures taken this turn. Tiles on sale are shown in rotation r0.",
)


def picture(view: TikalView, names: tuple[str, ...], palette: Palette = "light") -> str:
    """Return an SVG document; its text alternative is the board."""
    zones = (
        _head(view, names),
        Zone("board", WIDE, round(HEIGHT + TRAY), "".join((*_board(view), moved(0, HEIGHT + 12, *_tray(view))))),
        *(seat_zone(view, seat, names[seat]) for seat in range(len(view.players))),
        _supply(view),
        _legend(),
    )
    return document(zones, ROLES, palette)


# --- above the board ------------------------------------------------------------------------------------------------


def _head(view: TikalView, names: tuple[str, ...]) -> Zone:
    """Draw the sentences that the text board has there."""
    drawn, y = lines(8, 30, duty(view, names), HEAD, 46, bold=True)
    for sentence in (*details(view, names), *_in_hand(view)):
        more, y = lines(8, y, sentence, HEAD, LETTERS)
        drawn += more
    return Zone("head", WIDE, round(y - 14), "".join(drawn))


def _in_hand(view: TikalView) -> Iterator[str]:
    if view.tile and not view.over and view.to_do[0][0] == "turn":
        shown = ", shown in its rotations" if len(turns(view.tile.stones)) > 1 else ""
        yield f"The tile is {view.tile.name}{shown}. It fits on cells with a dashed rim."


# --- the board ------------------------------------------------------------------------------------------------------


def _board(view: TikalView) -> Iterator[str]:
    yield box(0, 0, WIDE, HEIGHT, rx=16, fill="@rim")
    sites = {seen.cell: seen for seen in view.sites}
    fits = _fits(view)
    for cell in CELLS:
        seen = sites.get(cell)
        worked = view.worked.count(cell)
        drawn = laid(seen, worked) if seen else wild(cell, cell in fits)
        yield moved(*_middle(cell), marked(f"cell:{cell}", _titled(cell, seen, worked), drawn))


def _titled(cell: str, seen: SeenSite | None, worked: int) -> str:
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
    said += [f"worked {count(worked, 'time')} this turn"] * bool(worked)
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
    return LEFT + STEP * column, 10 + APOTHEM * (2 * (ROWS - int(cell[1])) + 1 + column % 2)


# --- the tray -------------------------------------------------------------------------------------------------------


def _tray(view: TikalView) -> Iterator[str]:
    """Draw the tile in hand in each rotation that may be typed and those on sale, or the action points."""
    yield box(0.75, 0.75, WIDE - 1.5, TRAY - 13.5, rx=12, fill="@panel", stroke="@line", stroke_width=1.5)
    if view.over:
        yield from _places(view)
        return
    waiting: list[str] = []
    crowded = bool(view.tile) and len(view.open) > 0
    if view.tile:
        owed = view.to_do[0][0] == "turn"
        for turn in turns(view.tile.stones) if owed else (0,):
            label, word = (f"r{turn}", f"rotation:r{turn}") if owed else (view.tile.name, f"tile:{view.tile.name}")
            waiting.append(_waiting(view.tile, turned(view.tile.stones, turn), label, word, in_hand=True))
    waiting += [
        _waiting(tile, tile.stones, tile.name[-2:] if crowded else tile.name, f"tile:{tile.name}") for tile in view.open
    ]
    step = min(170.0, (WIDE - 120) / max(1, len(waiting) - 1))
    first = (WIDE - step * (len(waiting) - 1)) / 2
    yield from (moved(first + step * at, 54, one) for at, one in enumerate(waiting))
    if not waiting:
        yield from _points(view)


def _waiting(tile: Tile, stones: Stones, label: str, word: str, *, in_hand: bool = False) -> str:
    found = moved(0, 0, sketch(tile.kind, tile.number), scale=0.74 if tile.kind == "volcano" else 1.0)
    drawn = moved(0, 0, ground(tile.kind, stones), scale=0.74) + found
    rim = hexagon(RADIUS * 0.74 + 2, fill="none", stroke="@mark", stroke_width=4) if in_hand else ""
    name = middle(0, 79, label, 28, bold=in_hand)
    said = f"{tile.name} in rotation {label}" if label[0] == "r" and label[1:].isdigit() else tile.name
    return marked(word, said, drawn, rim, name)


def _points(view: TikalView) -> Iterator[str]:
    """Draw the action points that are left, and below them each action with its cost."""
    counts = view.to_do[0][0] in ("turn", "scoring")
    left = view.points if counts else 0
    yield titled(
        f"{left} of {ACTION_POINTS} action points",
        *(
            circle(36 + 48 * at, 38, 18, fill="@good" if at < left else "@card", stroke="@line", stroke_width=2)
            for at in range(ACTION_POINTS)
        ),
        text(528, 48, f"{left} of {ACTION_POINTS}" if counts else "", 28, bold=True),
    )
    seat = view.to_do[0][1] if counts else 0
    signs = (
        (ENTER, shape(seat, "+", 15)),
        (LEVEL, moved(0, 3, pyramid(3), scale=0.55)),
        (DIG, mask(1.7)),
        (SWAP, moved(-9, 0, treasure("ring", 1.3)) + moved(11, 0, treasure("bowl", 1.3))),
        (PITCH, tent_of(seat, "", 0.75)),
        (GUARD, pawn(seat, 1.4)),
    )
    for at, (cost, sign) in enumerate(signs):
        yield moved(46 + 140 * at, 98, sign, text(30, 9, cost, 28))


def _places(view: TikalView) -> Iterator[str]:
    """Draw the players in the order of their places, each with its shape and its points."""
    places = view.ended.places if view.ended and view.ended.won else ()
    ranked = [(1 + sum(map(len, places[:at])), seat) for at, seats in enumerate(places) for seat in seats]
    for at, (place, seat) in enumerate(ranked):
        x, points = 50 + 210 * at, view.players[seat].points
        said = f"place {place}: player {seat + 1} with {count(points, 'point')}"
        parts = (text(-20, 10, f"{place}.", 28), moved(48, 0, shape(seat, "", 24)), text(84, 10, points, 28, bold=True))
        yield moved(x, 68, titled(said, *parts))


# --- the supply -----------------------------------------------------------------------------------------------------


def _supply(view: TikalView) -> Zone:
    """Draw tiles by stack, treasures and levels that are left; and tiles that fitted nowhere."""
    aside = f"Set aside because they fitted nowhere: {', '.join(view.aside)}." if view.aside else ""
    words, below = lines(14, 208, aside, 14, 50)
    height = round(below) if aside else 196
    frame = box(0.75, 0.75, COLUMN - 1.5, height - 1.5, rx=10, fill="@panel", stroke="@line", stroke_width=1.5)
    stacks = ", ".join(f"{letter} {left}" for letter, left in view.stacks) or "none"
    parts = (
        frame,
        titled(f"tiles not yet drawn, by stack: {stacks}", *_stacks(view)),
        titled("not yet found: " + ", ".join(f"{n} {name}" for name, n in unfound(view)), *_unfound(view)),
        titled(f"levels left: {' '.join(map(str, view.levels))}", *_levels(view)),
        titled(aside, *words) if aside else "",
    )
    return Zone("supply", COLUMN, height, "".join(parts))


def _stacks(view: TikalView) -> Iterator[str]:
    yield text(14, 40, "tiles" if view.stacks else "no tiles left", 14, fill="@faint")
    for at, (letter, left) in enumerate(view.stacks):
        x = 76 + 51 * at
        tile = moved(x, 34, hexagon(RADIUS, fill="@jungle", stroke="@rim", stroke_width=4), scale=0.22)
        yield tile + middle(x, 40, letter, 17, bold=True, fill="@name")
        yield text(x + 17, 40, left, 16)


def _unfound(view: TikalView) -> Iterator[str]:
    for at, (name, left) in enumerate(unfound(view)):
        yield moved(28 + 51 * at, 86, treasure(name, 1.35), text(16, 6, left, 16))


def _levels(view: TikalView) -> Iterator[str]:
    for at, ((number, _), left) in enumerate(zip(LEVELS, view.levels, strict=True)):
        x = 30 + 46.5 * at
        yield box(x - 17, 122, 34, 28, rx=4, fill="@step" if left else "@card", stroke="@shade")
        yield middle(x, 143, number, 19, bold=True, fill="@tile-ink" if left else "@faint")
        yield middle(x, 174, f"x{left}", 16, fill="@ink" if left else "@faint")


def _legend() -> Zone:
    """Draw what the signs mean and what actions cost."""
    return legend(LEGEND)
