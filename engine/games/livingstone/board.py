"""The position as text in at most 78 columns. A square holds the number of a seat for each of its tents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.livingstone import says
from engine.games.livingstone.components import GEMS
from engine.games.livingstone.view import LivingstoneView
from engine.kit import pad, width

CELL = 5  # tents that fit on one line of a square
WIDTH = 78
NAME = 14
NO_GEMS = "-"
INKS = (  # what a terminal may colour, see `kit.spans`
    (r"(?<=[|1-5])(?P<seat>[1-5])(?=[1-5]* *\|)", "seat"),
    (r"(?<=^(?:->|  ) )(?P<seat>[1-5])(?= [^ ])", "seat"),
    (r"~+", "blue"),
    (r"<boat>", "bold"),
)


def board(view: LivingstoneView, names: tuple[str, ...]) -> str:
    """The whole position: what is possible, squares, players, what the viewer holds, supplies, prices."""
    parts = (
        *(line for text in _head(view, names) for line in wrap(text)),
        "",
        *_grid(view),
        "",
        *_players(view, names),
        *_sheet(view),
        *_own(view, names),
        "",
        *(line for text in says.supplies(view) for line in wrap(text)),
    )
    return "\n".join(line.rstrip() for line in parts)


def _head(view: LivingstoneView, names: tuple[str, ...]) -> Iterator[str]:
    yield from says.headline(view, names)
    yield from says.to_type(view)


def wrap(text: str, most: int = WIDTH, indent: str = "  ") -> Iterator[str]:
    """Break a sentence into lines of at most `most` columns; all but the first are indented."""
    first, *words = text.split()
    line = first
    for word in words:
        if width(line) + 1 + width(word) > most:
            yield line
            line = indent + word
        else:
            line = f"{line} {word}"
    yield line


# --- the squares ----------------------------------------------------------------------------------------------------


def _grid(view: LivingstoneView) -> Iterator[str]:
    line = "    " + "+-----" * view.columns + "+"
    yield "column" + "".join(f"{column:>5} " for column in range(1, view.columns + 1)).removeprefix(" ")
    yield "cost  " + "".join(f"{cost:>5} " for cost in view.costs).removeprefix(" ") + "  each most"
    for row in range(view.rows, 0, -1):
        yield line
        yield from _row(view, row)
    yield line
    river = ("<boat>" if column == view.column and not view.over else "~~~~~~" for column in range(1, view.columns + 1))
    yield "    " + "".join(river) + "~ to the falls"


def _row(view: LivingstoneView, row: int) -> Iterator[str]:
    cells = [_chunks(_tents(view, column, row)) for column in range(1, view.columns + 1)]
    points = f"{view.tent_points[row - 1]:>4} {view.majorities[row - 1]:>4}"
    for height in range(max(map(len, cells))):
        texts = (cell[height] if height < len(cell) else "" for cell in cells)
        margins = (f"{row:>2}", points) if not height else ("  ", "")
        yield f"{margins[0]}  |" + "|".join(text.ljust(CELL) for text in texts) + "|" + margins[1]


def _tents(view: LivingstoneView, column: int, row: int) -> str:
    return "".join(str(seat) * player.tents.count((column, row)) for seat, player in enumerate(view.players, 1))


def _chunks(text: str) -> Sequence[str]:
    return [text[at : at + CELL] for at in range(0, len(text), CELL)] or [""]


# --- the players ----------------------------------------------------------------------------------------------------


def _players(view: LivingstoneView, names: tuple[str, ...]) -> Iterator[str]:
    yield f"     {'':{NAME}}               gems, unsold            cards  tents  last"
    yield f"seat {'':{NAME}} points  coins  clear   blue    red      held   left   die"
    for seat, player in enumerate(view.players):
        mark = "->" if seat == view.seat and not view.over else "  "
        gems = "".join(f"{dict(player.gems).get(gem, 0) or NO_GEMS:>7}" for gem in GEMS)
        yield (
            f"{mark}{seat + 1:>2} {pad(names[seat], NAME)} {player.points:>6} {player.wealth:>6}{gems}"
            f"    {player.cards:>6} {player.tents_left:>6} {player.last or '-':>5}"
        )
        yield from (f"      {fate}" for fate in says.fates(player))
    yield from wrap("coins: purse and chest together; last die: the last one taken this round")


def _sheet(view: LivingstoneView) -> Iterator[str]:
    """At the end: where the points came from."""
    if view.ended and view.ended.sheet:
        yield ""
        yield f"{'points by seat':<14}" + "".join(f"{seat:>6}" for seat in range(1, len(view.players) + 1))
        yield from (f"{name:<14}" + "".join(f"{n:>6}" for n in points) for name, points in view.ended.sheet)


def _own(view: LivingstoneView, names: tuple[str, ...]) -> Iterator[str]:
    holding = [text for seat in range(len(view.players)) for text in _holding(view, names, seat)]
    if holding:
        yield ""
    yield from (line for text in holding for line in wrap(text, indent="    "))


def _holding(view: LivingstoneView, names: tuple[str, ...], seat: int) -> Iterator[str]:
    """A seat's coins and its cards, each with its command; nothing if they are hidden from the viewer."""
    if view.players[seat].hand is not None:
        yield says.purse(view, names, seat)
        yield from (f"{text} {says.typed(card)}" for card, text in says.hand(view, seat))
