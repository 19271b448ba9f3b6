"""Parts of every board and picture: the table of the seats, and a legend."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from engine.kit.letters import pad
from engine.kit.strokes import lines
from engine.kit.zones import COLUMN, Zone

Column = tuple[str, Sequence[object]]  # a heading, and a value for each seat
GAP = 2


def seats_table(names: Sequence[str], columns: Iterable[Column], acting: Collection[int] = ()) -> list[str]:
    """The lines of a board's table: an arrow for a seat to move, its number, its name, and the columns.

                    points  cards
        -> 1 Ada         2      3
           2 Ben         0      4

    `acting` is () once the game is over. A terminal colours the names by seat.
    """
    cells = [_cells(heading, values) for heading, values in columns]
    room = 78 - len("-> 9 ") - sum(len(column[0]) for column in cells)
    wide = min(max(10, *map(len, names)), room)
    heads = " " * (len("-> 9 ") + wide) + "".join(column[0] for column in cells)
    rows = (
        f"{'->' if seat - 1 in acting else '  '} {seat} {pad(name, wide)}" + "".join(column[seat] for column in cells)
        for seat, name in enumerate(names, 1)
    )
    return [line.rstrip() for line in (heads, *rows)]


def _cells(heading: str, values: Sequence[object]) -> list[str]:
    shown = [heading, *map(str, values)]
    wide = max(map(len, shown)) + GAP
    return [f"{text:>{wide}}" for text in shown]


def legend(sentences: Iterable[str], size: float = 14, columns: int = 54, top: float = 20.0) -> Zone:
    """The zone of a picture that explains its signs; a page leaves it out where it explains them itself."""
    drawn: tuple[str, ...] = ()
    y = top
    for sentence in sentences:
        more, y = lines(8, y, sentence, size, columns, fill="@faint")
        drawn += more
    return Zone("legend", COLUMN, round(y), "".join(drawn))
