"""The position as an SVG document: the river and its squares above, the players below."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.livingstone.components import GEMS
from engine.games.livingstone.view import LivingstoneView, SeenPlayer
from engine.kit import cut, escape

LEFT, TOP, CELL = 56, 92, 72
LINE = 34
COLOURS = ("#c0392b", "#2e6da4", "#b97d10", "#3f8f4f", "#7b4f9d")
GEM_FILLS = {"clear": "#f4fbff", "blue": "#3f7fd0", "red": "#d0384a"}
INK, PAPER, SAND, SHORE, RIVER, GRASS = "#3b2f23", "#fbf6ea", "#efe2c0", "#cdb98a", "#8fc3dc", ("#e8dcb4", "#dfe3b6")


def picture(view: LivingstoneView, names: tuple[str, ...]) -> str:
    """An SVG document as wide as 860 units; its text alternative is the board."""
    width, grid = 860, TOP + CELL * view.rows
    height = grid + 100 + LINE * (len(view.players) + len(_holdings(view))) + 44
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">',
            f'<g font-family="DejaVu Sans, Verdana, sans-serif" font-size="14" fill="{INK}">',
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
            *_head(view),
            *_squares(view),
            *_river(view, grid),
            *_players(view, names, grid + 100),
            *_foot(view, height - 18),
            "</g>",
            "</svg>",
        )
    )


def _text(x: float, y: float, text: object, **style: object) -> str:
    given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<text x="{x:g}" y="{y:g}"{given}>{text}</text>'


# --- above the river ------------------------------------------------------------------------------------------------


def _head(view: LivingstoneView) -> Iterator[str]:
    title = "The game is over" if view.over else f"Round {view.round}"
    yield _text(LEFT, 34, title, font_size=22, font_weight="bold")
    if not view.over:
        yield _text(800, 33, "Dice left" if view.dice else "No dice left", text_anchor="end", font_size=13)
        yield from _dice_row(view)


def _dice_row(view: LivingstoneView) -> Iterator[str]:
    start = 800 - 72 - 30 * len(view.dice)
    for at, face in enumerate(view.dice):
        yield from _die(start + 30 * at, 16, face)


PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


def _die(x: float, y: float, face: int) -> Iterator[str]:
    yield f'<rect x="{x:g}" y="{y:g}" width="24" height="24" rx="5" fill="#fff" stroke="{INK}"/>'
    for across, down in PIPS[face]:
        yield f'<circle cx="{x + 6 + 6 * across:g}" cy="{y + 6 + 6 * down:g}" r="2.4"/>'


def _squares(view: LivingstoneView) -> Iterator[str]:
    for column in range(1, view.columns + 1):
        x = LEFT + CELL * (column - 1)
        yield _text(x + CELL / 2, 66, column, text_anchor="middle", font_weight="bold")
        yield _text(x + CELL / 2, 84, f"cost {view.costs[column - 1]}", text_anchor="middle", font_size=12)
        yield from (_square(view, column, row) for row in range(1, view.rows + 1))
    end = LEFT + CELL * view.columns
    yield _text(end + 12, 84, "most", font_size=12)
    for row in range(1, view.rows + 1):
        y = _row_top(view, row) + CELL / 2 + 6
        yield _text(LEFT - 14, y, row, text_anchor="end", font_size=18, font_weight="bold")
        yield _text(end + 16, y, view.majorities[row - 1], font_size=18)


def _row_top(view: LivingstoneView, row: int) -> int:
    return TOP + CELL * (view.rows - row)


def _square(view: LivingstoneView, column: int, row: int) -> str:
    x, y = LEFT + CELL * (column - 1), _row_top(view, row)
    here = column == view.column and not view.over
    fill = "#fff3c4" if here else GRASS[(row + column) % 2]
    frame = f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{SHORE}"/>'
    held = [(seat, player.tents.count((column, row))) for seat, player in enumerate(view.players)]
    tents = (_tent(x, y, at, seat, count) for at, (seat, count) in enumerate((s, c) for s, c in held if c))
    return frame + "".join(tents)


def _tent(left: int, top: int, at: int, seat: int, count: int) -> str:
    """A seat's tents on a square: one tent, and how many if several."""
    x, y = left + 14 + 22 * (at % 3), top + 24 + 30 * (at // 3)
    tent = f'<path d="M{x - 11} {y + 9} L{x} {y - 12} L{x + 11} {y + 9} Z" fill="{COLOURS[seat]}" stroke="{INK}"/>'
    tent += _text(x, y + 7, seat + 1, font_size=10, font_weight="bold", text_anchor="middle", fill="#fff")
    return tent + (_text(x, y + 20, f"x{count}", font_size=10, text_anchor="middle") if count > 1 else "")


def _river(view: LivingstoneView, top: int) -> Iterator[str]:
    end = LEFT + CELL * view.columns
    yield f'<rect x="{LEFT}" y="{top}" width="{end - LEFT}" height="58" fill="{RIVER}" stroke="{SHORE}"/>'
    for wave in range(LEFT + 12, end - 24, 36):
        yield f'<path d="M{wave} {top + 48} q6 -6 12 0 t12 0" fill="none" stroke="#fff" opacity="0.7"/>'
    for fall in range(5):
        yield f'<path d="M{end + 6 + 9 * fall} {top} v58" stroke="{RIVER}" stroke-width="5"/>'
    if not view.over:
        yield _steamer(LEFT + CELL * (view.column - 1) + 8, top + 8)


def _steamer(x: int, y: int) -> str:
    return (
        f'<g transform="translate({x} {y})" stroke="{INK}">'
        '<path d="M0 26 h56 l-8 16 h-40 Z" fill="#fff"/><rect x="10" y="12" width="32" height="14" fill="#f0d9a8"/>'
        '<rect x="20" y="-2" width="9" height="14" fill="#c0392b"/><circle cx="50" cy="32" r="9" fill="#a8763e"/>'
        '<path d="M41 32 h18 M50 23 v18" fill="none"/></g>'
    )


# --- the players ----------------------------------------------------------------------------------------------------

COLUMN_X = (LEFT + 86, LEFT + 176, LEFT + 276, LEFT + 480, LEFT + 560, LEFT + 660)
HEADINGS = ("points", "coins + chest", "gems", "cards", "tents left", "last die")


def _players(view: LivingstoneView, names: tuple[str, ...], top: int) -> Iterator[str]:
    for x, heading in zip(COLUMN_X, HEADINGS, strict=True):
        yield _text(x, top - 14, heading, font_size=12)
    for seat, player in enumerate(view.players):
        yield from _player(view, seat, player, escape(cut(names[seat], 12)), top + LINE * seat)
    for at, line in enumerate(_holdings(view)):
        yield _text(LEFT, top + LINE * (len(view.players) + at) + 22, line)


def _player(view: LivingstoneView, seat: int, player: SeenPlayer, name: str, y: int) -> Iterator[str]:
    if seat == view.seat and not view.over:
        yield f'<rect x="{LEFT - 14}" y="{y}" width="780" height="{LINE - 4}" rx="6" fill="{SAND}"/>'
    middle = y + 20
    yield _tent(LEFT - 14, y - 8, 0, seat, 1)
    fate = "resigned" if player.gone else "out" if player.out else ""
    yield _text(LEFT + 18, middle, fate or name, font_weight="normal" if fate else "bold")
    values = (player.points, player.wealth, "", player.cards, player.tents_left, player.last or "-")
    for x, value in zip(COLUMN_X, values, strict=True):
        yield _text(x, middle, value)
    yield from _gems(player, COLUMN_X[2], middle)


def _gems(player: SeenPlayer, left: int, y: int) -> Iterator[str]:
    for gem, count in player.gems:
        x = left + 62 * GEMS.index(gem)
        shape = f"M{x} {y - 6} l7 -7 l7 7 l-7 9 Z"
        yield f'<path d="{shape}" fill="{GEM_FILLS[gem]}" stroke="{INK}"/>' + _text(x + 20, y, count)


def _holdings(view: LivingstoneView) -> list[str]:
    return [
        f"Seat {seat} holds: purse {player.coins}, chest {player.chest}, cards: {', '.join(player.hand) or 'none'}"
        for seat, player in enumerate(view.players, 1)
        if player.hand is not None
    ]


def _foot(view: LivingstoneView, y: int) -> Iterator[str]:
    text = f"Bag: {view.bag.total} stones. Beside the board: {view.sold.total}. Deck: {view.deck} cards."
    yield _text(LEFT, y, text, font_size=12)
