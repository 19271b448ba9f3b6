"""The position as an SVG document: what is possible, the river and its squares, players, cards, prices.

It is 640 units wide with letters of 15 units, so that it can be read on a phone, and has a light background of its own.
Elements that a command can name hold `data-word`: `die:3`, `column:4 row:6`, `card:steamer`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.livingstone import says
from engine.games.livingstone.board import wrap
from engine.games.livingstone.cards import NAMES
from engine.games.livingstone.components import GEMS
from engine.games.livingstone.view import LivingstoneView, SeenPlayer
from engine.kit import count, cut, escape, fitting, marked

WIDTH, MARGIN, LEFT = 640, 12, 34
ACROSS, DOWN = 51, 56  # a square
LINE, LETTERS, BOLD = 22, 72, 62  # text: the height of a line, and how many letters fit
ROW = 34  # height of a player
COLOURS = ("#c0392b", "#2e6da4", "#8a5a00", "#2f7a3f", "#7b4f9d")
DICE_LEFT, DIE = "Dice left", "a die showing {face}"
SQUARE, TENTS, NO_TENT = "column {column}, row {row}: {tents}", "{tents} of seat {seat}", "no tent"
GEM_FILLS = {"clear": "#f4fbff", "blue": "#3f7fd0", "red": "#d0384a"}
INK, PAPER, SAND, SHORE, RIVER, GRASS = "#3b2f23", "#fbf6ea", "#efe2c0", "#cdb98a", "#8fc3dc", ("#e8dcb4", "#dfe3b6")


def picture(view: LivingstoneView, names: tuple[str, ...]) -> str:
    """Draw the position as SVG; its text alternative is the board."""
    page = _Page()
    _head(page, view, names)
    _squares(page, view)
    _players(page, view, names)
    _sheet(page, view)
    _hands(page, view, names)
    _foot(page, view)
    height = page.y + MARGIN
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}">',
            f'<g font-family="DejaVu Sans, Verdana, sans-serif" font-size="15" fill="{INK}">',
            f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
            *page.parts,
            "</g>",
            "</svg>",
        )
    )


class _Page:
    """The drawing so far, from the top; `y` is where the next part begins."""

    def __init__(self) -> None:
        self.y = MARGIN
        self.parts: list[str] = []

    def say(self, text: str, **style: object) -> None:
        """Add a sentence, in as many lines as it takes."""
        most = BOLD if style.get("font_weight") == "bold" else LETTERS
        for line in wrap(text, most, indent="   "):
            self.y += LINE
            self.parts.append(_text(MARGIN, self.y - 6, line, **style))


def _text(x: float, y: float, text: object, **style: object) -> str:
    given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<text x="{x:g}" y="{y:g}"{given} xml:space="preserve">{escape(str(text))}</text>'


# --- above the squares ----------------------------------------------------------------------------------------------


def _head(page: _Page, view: LivingstoneView, names: tuple[str, ...]) -> None:
    title, *others = says.headline(view, names)
    page.say(title, font_weight="bold")
    for text in others:
        if view.dice and text == says.dice(view):
            _dice(page, view)
        else:
            page.say(text)
    page.y += 6


def _dice(page: _Page, view: LivingstoneView) -> None:
    page.parts.append(_text(MARGIN, page.y + 22, DICE_LEFT))
    for at, face in enumerate(view.dice):
        page.parts.append(_die(MARGIN + 84 + 34 * at, page.y + 3, face))
    page.y += 34


PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


def _die(x: float, y: float, face: int) -> str:
    frame = f'<rect x="{x:g}" y="{y:g}" width="28" height="28" rx="5" fill="#fff" stroke="{INK}"/>'
    pips = (f'<circle cx="{x + 7 + 7 * across:g}" cy="{y + 7 + 7 * down:g}" r="2.8"/>' for across, down in PIPS[face])
    return marked(f"die:{face}", DIE.format(face=face), frame, *pips)


# --- the squares ----------------------------------------------------------------------------------------------------


def _squares(page: _Page, view: LivingstoneView) -> None:
    top = page.y + 44
    page.parts.append(_text(MARGIN, page.y + 36, "cost", font_size=13))
    for column in range(1, view.columns + 1):
        middle = LEFT + ACROSS * (column - 1) + ACROSS / 2
        number = _text(middle, page.y + 16, column, text_anchor="middle", font_weight="bold")
        page.parts.append(marked(f"column:{column}", f"column {column}", number))
        page.parts.append(_text(middle, page.y + 36, view.costs[column - 1], text_anchor="middle"))
        page.parts.extend(_square(view, column, row, top) for row in range(1, view.rows + 1))
    page.parts.extend(_margins(view, top))
    page.y = top + DOWN * view.rows
    page.parts.extend(_river(view, page.y))
    page.y += 62


def _margins(view: LivingstoneView, top: int) -> Iterator[str]:
    """Row numbers on the left; points for each tent and for the majority on the right."""
    end = LEFT + ACROSS * view.columns
    yield _text(end + 25, top - 8, "each", font_size=13, text_anchor="middle")
    yield _text(end + 68, top - 8, "most", font_size=13, text_anchor="middle")
    for row in range(1, view.rows + 1):
        y = _row_top(view, row, top) + DOWN / 2 + 6
        number = _text(LEFT - 8, y, row, text_anchor="end", font_size=18, font_weight="bold")
        yield marked(f"row:{row}", f"row {row}", number)
        yield _text(end + 25, y, view.tent_points[row - 1], font_size=18, text_anchor="middle")
        yield _text(end + 68, y, view.majorities[row - 1], font_size=18, text_anchor="middle")


def _row_top(view: LivingstoneView, row: int, top: int) -> int:
    return top + DOWN * (view.rows - row)


def _square(view: LivingstoneView, column: int, row: int, top: int) -> str:
    x, y = LEFT + ACROSS * (column - 1), _row_top(view, row, top)
    here = column == view.column and not view.over
    fill = "#fff3c4" if here else GRASS[(row + column) % 2]
    frame = f'<rect x="{x}" y="{y}" width="{ACROSS}" height="{DOWN}" fill="{fill}" stroke="{SHORE}"/>'
    held = [(seat, player.tents.count((column, row))) for seat, player in enumerate(view.players)]
    owners = [(seat, many) for seat, many in held if many]
    tents = (_tent(*_place(x, y, at, len(owners)), seat, many) for at, (seat, many) in enumerate(owners))
    said = ", ".join(TENTS.format(tents=count(tents, "tent"), seat=seat + 1) for seat, tents in owners)
    return marked(
        f"column:{column} row:{row}", SQUARE.format(column=column, row=row, tents=said or NO_TENT), frame, *tents
    )


def _place(x: int, y: int, at: int, owners: int) -> tuple[float, float, float]:
    """The place and size of an owner's tents: large for up to two owners, with room for five."""
    if owners <= 2:
        return x + ACROSS * (at + 0.5) / owners, y + 25, 1.15
    return x + 9.5 + 16 * (at % 3), y + 14 + 27 * (at // 3), 0.75


def _tent(x: float, y: float, size: float, seat: int, tents: int) -> str:
    """A seat's tents on a square: one tent, with their number if there are several."""
    w, up, down = 11 * size, 14 * size, 8 * size
    tent = (
        f'<path d="M{x - w:g} {y + down:g} L{x:g} {y - up:g} L{x + w:g} {y + down:g} Z" fill="{COLOURS[seat]}" '
        f'stroke="{INK}"/>'
    )
    number = {"font_weight": "bold", "text_anchor": "middle", "fill": "#fff"}
    tent += _text(x, y + 6.5 * size, seat + 1, font_size=f"{13 * size:g}", **number)
    many = _text(x, y + down + 10 * size, f"x{tents}", font_size=f"{max(11, 12 * size):g}", text_anchor="middle")
    return tent + (many if tents > 1 else "")


def _river(view: LivingstoneView, top: int) -> Iterator[str]:
    end = LEFT + ACROSS * view.columns
    yield f'<rect x="{LEFT}" y="{top}" width="{end - LEFT}" height="54" fill="{RIVER}" stroke="{SHORE}"/>'
    for wave in range(LEFT + 12, end - 24, 36):
        yield f'<path d="M{wave} {top + 46} q6 -6 12 0 t12 0" fill="none" stroke="#fff" opacity="0.7"/>'
    for fall in range(5):
        yield f'<path d="M{end + 6 + 9 * fall} {top} v54" stroke="{RIVER}" stroke-width="5"/>'
    if not view.over:
        yield _steamer(LEFT + ACROSS * (view.column - 1) - 3, top + 7)
        if view.true_column != view.column:
            middle = LEFT + ACROSS * view.true_column - ACROSS / 2
            yield _text(middle, top + 32, "next", font_size=14, text_anchor="middle")


def _steamer(x: int, y: int) -> str:
    return (
        f'<g transform="translate({x} {y})" stroke="{INK}">'
        '<path d="M0 26 h56 l-8 16 h-40 Z" fill="#fff"/><rect x="10" y="12" width="32" height="14" fill="#f0d9a8"/>'
        '<rect x="20" y="-2" width="9" height="14" fill="#c0392b"/><circle cx="50" cy="32" r="9" fill="#a8763e"/>'
        '<path d="M41 32 h18 M50 23 v18" fill="none"/></g>'
    )


# --- the players ----------------------------------------------------------------------------------------------------

NAME_X = MARGIN + 34
COLUMN_X = (220, 285, 345, 405, 460, 515, 568, 615)
NAME_ROOM = COLUMN_X[0] - 18 - NAME_X  # as far as points of three digits
HEADINGS = (
    ("", "points"),
    ("", "coins*"),
    ("gems", "clear"),
    ("", "blue"),
    ("", "red"),
    ("cards", "held"),
    ("tents", "left"),
    ("last", "die"),
)


def _players(page: _Page, view: LivingstoneView, names: tuple[str, ...]) -> None:
    for x, headings in zip(COLUMN_X, HEADINGS, strict=True):
        for at, heading in enumerate(headings):
            page.parts.append(_text(x, page.y + 14 + 17 * at, heading, font_size=13, text_anchor="middle"))
    page.y += 38
    for seat, player in enumerate(view.players):
        page.parts.append(marked(f"seat:{seat + 1}", names[seat], *_player(view, seat, player, names[seat], page.y)))
        page.y += ROW
        for fate in says.fates(player):
            page.parts.append(_text(NAME_X, page.y + 12, fate, font_size=14))
            page.y += LINE
    page.say("* purse and chest together", font_size=13)


def _player(view: LivingstoneView, seat: int, player: SeenPlayer, name: str, y: int) -> Iterator[str]:
    if seat == view.seat and not view.over:
        yield f'<rect x="4" y="{y}" width="{WIDTH - 8}" height="{ROW - 2}" rx="6" fill="{SAND}" stroke="{SHORE}"/>'
    yield _tent(MARGIN + 14, y + 20, 1, seat, 1)
    shown = cut(name, 15)
    yield _text(NAME_X, y + 22, shown, font_weight="bold", font_size=fitting(shown, NAME_ROOM, 15, bold=True))
    held = dict(player.gems)
    gems = tuple(held.get(gem, 0) or "-" for gem in GEMS)
    values = (player.points, player.wealth, *gems, player.cards, player.tents_left, player.last or "-")
    for x, value in zip(COLUMN_X, values, strict=True):
        yield _text(x, y + 22, value, text_anchor="middle", font_size=16)
    for gem, x in zip(GEMS, COLUMN_X[2:5], strict=True):
        if gem in held:
            yield marked(f"gem:{gem}", count(held[gem], f"{gem} gem"), _gem(gem, x - 26, y + 16), seat=seat)


def _gem(gem: str, x: int, y: int) -> str:
    return f'<path d="M{x} {y} l7 -7 l7 7 l-7 9 Z" fill="{GEM_FILLS[gem]}" stroke="{INK}"/>'


def _sheet(page: _Page, view: LivingstoneView) -> None:
    """At the end: where the points came from."""
    if not view.ended or not view.ended.sheet:
        return
    rows = (("points by seat", tuple(range(1, len(view.players) + 1))), *view.ended.sheet)
    for at, (heading, values) in enumerate(rows):
        page.y += LINE
        weight = "bold" if at in (0, len(rows) - 1) else "normal"
        page.parts.append(_text(MARGIN, page.y - 4, heading, font_weight=weight))
        for seat, value in enumerate(values):
            page.parts.append(_text(200 + 70 * seat, page.y - 4, value, text_anchor="end", font_weight=weight))


def _hands(page: _Page, view: LivingstoneView, names: tuple[str, ...]) -> None:
    page.y += 6
    for seat in range(len(view.players)):
        if view.players[seat].hand is not None:
            page.say(says.purse(view, names, seat), font_weight="bold")
        for card, text in says.hand(view, seat):
            begun = len(page.parts)
            page.say(text)
            page.parts[begun:] = [marked(f"card:{card}", NAMES[card], *page.parts[begun:], seat=seat)]


def _foot(page: _Page, view: LivingstoneView) -> None:
    page.y += 6
    for text in says.supplies(view):
        page.say(text)
