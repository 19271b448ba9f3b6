"""The river landscape: clearings above the Zambezi, the steamer, the falls, the dice on the near bank."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.livingstone.signs import coin, medal, tent
from engine.games.livingstone.view import LivingstoneView
from engine.kit import WIDE, box, circle, count, die, element, marked, moved, path, text, titled

LEFT, ACROSS, DOWN = 62, 70, 66  # where column 1 begins; a clearing with its surroundings
SKY = 92  # the height of the hills, on which the columns' signs stand
END = LEFT + 10 * ACROSS
RIVER, BANK = 116, 84  # the heights of the river and of the near bank
SQUARE, TENTS, NO_TENT = "column {column}, row {row}: {tents}", "{tents} of seat {seat}", "no tent"
DIE = "a die showing {face}"
LIE = (2, -2, -5, -4, 0, 3, 5, 3, -1, -3)  # by column
PLACES = {  # by owners on a clearing: the places of their tents, and their size
    1: (((0, 3),), 1.0),
    2: (((-16, 3), (16, 3)), 0.7),
    3: (((-16, -9), (16, -9), (0, 16)), 0.66),
    4: (((-16, -9), (16, -9), (-16, 17), (16, 17)), 0.66),
    5: (((-22, -10), (0, -10), (22, -10), (-12, 17), (12, 17)), 0.66),
}


def height(view: LivingstoneView) -> float:
    return SKY + DOWN * view.rows + RIVER + BANK


def board(view: LivingstoneView) -> str:
    """The whole zone, 880 wide."""
    return "".join((*_ground(view), *_columns(view), *_rows(view), *_clearings(view), *_river(view), *_dice(view)))


# --- the land -------------------------------------------------------------------------------------------------------


def _ground(view: LivingstoneView) -> Iterator[str]:
    """Hills at the horizon, three bands of land, and what grows there."""
    low = SKY + DOWN * view.rows
    yield box(0, 0, WIDE, height(view), rx=16, fill="@sky")
    yield path(f"M0 70 Q90 8 190 52 T380 46 T560 54 T730 36 T880 62 V{low} H0 Z", fill="@hills")
    bands = (("land-3", SKY - 20), ("land-2", SKY + 2 * DOWN - 4), ("land-1", SKY + 4 * DOWN - 4))
    for role, y in bands:
        yield path(
            f"M0 {y + 6} Q110 {y - 14} 220 {y + 4} T440 {y} T660 {y + 6} T880 {y - 2} V{low + 20} H0 Z", fill=f"@{role}"
        )
    here = LEFT + ACROSS * (view.column - 1)
    if not view.over:
        yield path(f"M{here} {low + 8} V{SKY} q{ACROSS / 2:g} -14 {ACROSS} 0 V{low + 8} Z", fill="@path")
    for x, y in (
        (132, 160),
        (412, 295),
        (692, 230),
        (202, 360),
        (552, 430),
        (342, 160),
        (622, 362),
        (272, 428),
        (482, 228),
    ):
        yield _grass(x, y)
    for x, y, size in ((30, 50, 0.9), (846, 44, 1.0), (812, 58, 0.7)):
        yield moved(x, y, _acacia(), scale=size)


def _acacia() -> str:
    crown = element("ellipse", cx=0, cy=-22, rx=24, ry=8, fill="@leaf") + element(
        "ellipse", cx=9, cy=-29, rx=13, ry=6, fill="@leaf"
    )
    return path("M-2 6 Q0 -8 -9 -20 M-1 -6 Q5 -12 11 -22", fill="none", stroke="@trunk", stroke_width=3) + crown


def _grass(x: float, y: float) -> str:
    return path(
        f"M{x - 5} {y} q0 -7 -4 -10 M{x} {y} v-12 M{x + 5} {y} q0 -7 4 -10", fill="none", stroke="@leaf", stroke_width=2
    )


# --- signs at the edges ---------------------------------------------------------------------------------------------


def _columns(view: LivingstoneView) -> Iterator[str]:
    """A board on a pole for each column, with its number and the cost of a tent."""
    for column, cost in enumerate(view.costs, 1):
        x = LEFT + ACROSS * (column - 1) + ACROSS / 2
        pole = path(f"M{x:g} 60 V{SKY + 2}", stroke="@trunk", stroke_width=5)
        sign = box(x - 32, 6, 64, 60, rx=7, fill="@wood", stroke="@edge", stroke_width=1.5)
        number = text(x, 33, column, 28, bold=True, middle=True)
        said = f"column {column}, a tent costs {count(cost, 'coin')}"
        yield marked(f"column:{column}", said, pole, sign, number, coin(x - 13, 51, 11), text(x + 3, 61, cost, 28))


def _rows(view: LivingstoneView) -> Iterator[str]:
    """On the left the row's number; on the right what each tent and the most tents in it score."""
    for row in range(1, view.rows + 1):
        y = SKY + DOWN * (view.rows - row + 0.5)
        each, most = view.tent_points[row - 1], view.majorities[row - 1]
        said = f"row {row}: {count(each, 'point')} for each tent, {count(most, 'point')} at the end for the most tents"
        stone = box(1, y - 30, 60, 60, rx=14, fill="@wood", stroke="@edge", stroke_width=1.5)
        yield marked(f"row:{row}", said, stone, text(31, y + 11, row, 30, bold=True, middle=True))
        yield titled(
            said,
            tent(END + 21, y + 2, "wood", "", 0.62),
            text(END + 47, y + 11, each, 28, bold=True, middle=True),
            medal(END + 90, y, most),
        )


def _middle(view: LivingstoneView, column: int, row: int) -> tuple[float, float]:
    """The middle of a clearing: columns lie a little higher or lower, as the land does."""
    return LEFT + ACROSS * (column - 0.5), SKY + DOWN * (view.rows - row + 0.5) + LIE[column - 1]


# --- the clearings and their tents ----------------------------------------------------------------------------------


def _clearings(view: LivingstoneView) -> Iterator[str]:
    for row in range(view.rows, 0, -1):
        for column in range(1, view.columns + 1):
            yield _clearing(view, column, row)


def _clearing(view: LivingstoneView, column: int, row: int) -> str:
    x, y = _middle(view, column, row)
    held = [(seat, player.tents.count((column, row))) for seat, player in enumerate(view.players)]
    owners = [(seat, many) for seat, many in held if many]
    said = ", ".join(TENTS.format(tents=count(tents, "tent"), seat=seat + 1) for seat, tents in owners)
    lit = column == view.column and not view.over
    ground = element("ellipse", cx=x, cy=y, rx=32, ry=30, fill="@clear-lit" if lit else "@clearing")
    places, size = PLACES.get(len(owners), PLACES[5])
    tents = (
        _tents(x + across, y + down, seat, many, size)
        for (seat, many), (across, down) in zip(owners, places, strict=False)
    )
    title = SQUARE.format(column=column, row=row, tents=said or NO_TENT)
    return marked(f"column:{column} row:{row}", title, ground, *tents)


def _tents(x: float, y: float, seat: int, many: int, size: float) -> str:
    """The tents of one owner: one tent with the owner's number, and a dot below it for each further one."""
    first = x - 4.5 * (many - 2)
    dots = (circle(first + 9 * at, y + 23 * size + 3, 3.6, fill=f"@seat-{seat + 1}") for at in range(many - 1))
    return "".join(dots) + tent(x, y, f"seat-{seat + 1}", str(seat + 1), size)


# --- the river ------------------------------------------------------------------------------------------------------


def _river(view: LivingstoneView) -> Iterator[str]:
    top = SKY + DOWN * view.rows
    low = top + RIVER
    yield path(f"M0 {top + 12} q70 -14 150 -2 t160 0 t160 -2 t160 2 t172 -6 q40 2 78 -4 V{low} H0 Z", fill="@river")
    for across, down in (
        (40, 40),
        (150, 84),
        (250, 42),
        (370, 90),
        (470, 46),
        (580, 86),
        (680, 44),
        (110, 100),
        (700, 92),
    ):
        yield path(f"M{across} {top + down} q9 -8 18 0 t18 0", fill="none", stroke="@wave", stroke_width=2.5)
    yield from _falls(top, low)
    arrived = view.ended is not None and view.ended.reason == "waterfall"
    x = END + 20 if arrived else min(LEFT + ACROSS * (view.column - 0.5), END - 30)
    back = "" if view.over or view.column == view.true_column else f", and returns to column {view.true_column}"
    said = "the steamer has reached the falls" if arrived else f"the steamer is at column {view.column}{back}"
    if back:
        yield _buoy(LEFT + ACROSS * (view.true_column - 0.5), top + 66)
    yield titled(said, _steamer(x, top + 58))


def _falls(top: float, low: float) -> Iterator[str]:
    """The river ends at the falls: water that drops, and spray."""
    yield path(f"M{END + 36} {top + 10} Q{END + 50} {top + 30} {END + 48} {low} H{WIDE} V{top + 4} Z", fill="@wave")
    for at in range(4):
        x = END + 56 + 16 * at
        yield path(f"M{x} {top + 14} q5 30 2 {RIVER - 26}", fill="none", stroke="@river", stroke_width=5)
    for x, r in ((END + 46, 13), (END + 66, 16), (END + 90, 15), (END + 108, 12)):
        yield circle(x, low - 4, r, fill="@spray")


def _buoy(x: float, y: float) -> str:
    return path(
        f"M{x - 10:g} {y:g} h20 l-5 14 h-10 Z M{x:g} {y:g} v-16 l12 5 -12 5",
        fill="@mark",
        stroke="@edge",
        stroke_width=2,
    )


def _steamer(x: float, y: float) -> str:
    """A paddle steamer, about 84 wide, on its water line."""
    smoke = "".join(circle(a, b, r, fill="@spray") for a, b, r in ((-1, -50, 7), (-13, -60, 9), (-29, -66, 7)))
    hull = path("M-42 2 H38 Q44 2 40 14 L34 24 H-30 Q-40 20 -42 2 Z", fill="@hull", stroke="@edge", stroke_width=2)
    cabin = box(-26, -20, 50, 22, rx=3, fill="@cabin", stroke="@edge", stroke_width=2)
    windows = "".join(box(a, -14, 8, 9, rx=2, fill="@river") for a in (-20, -7, 6))
    funnel = path("M2 -20 V-44 H14 V-20 Z", fill="@funnel", stroke="@edge", stroke_width=2)
    wheel = circle(30, 10, 15, fill="@wood", stroke="@edge", stroke_width=2.5)
    spokes = path("M15 10 h30 M30 -5 v30 M20 0 l20 20 M40 0 l-20 20", fill="none", stroke="@edge", stroke_width=1.6)
    return moved(x, y, smoke, funnel, cabin, windows, hull, wheel, spokes)


# --- the near bank --------------------------------------------------------------------------------------------------


def _dice(view: LivingstoneView) -> Iterator[str]:
    """The dice that nobody has taken this round, on the sand of the near bank; none after the end."""
    dice = () if view.over else view.dice
    top = SKY + DOWN * view.rows + RIVER
    low = height(view)
    yield path(
        f"M0 {top + 4} q120 -12 240 -2 t240 2 t240 -4 t160 0 V{low - 16} q0 16 -16 16 H16 q-16 0 -16 -16 Z",
        fill="@clearing",
    )
    step = 70.0 if len(dice) < 12 else 840 / len(dice)
    first = (WIDE - step * (len(dice) - 1)) / 2 - 30
    for at, face in enumerate(dice):
        yield marked(f"die:{face}", DIE.format(face=face), die(first + step * at, top + 13, face, 60.0))
    if not dice:
        yield titled("no dice left", "")
