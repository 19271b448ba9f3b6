"""Pictures in guides: a line `![Caption](golden/NAME.txt#N)` stands for a position of one of the game's golden games.

N counts moves, the lines that begin with `> Seat`; 0 is the position before the first. It is shown as a
spectator sees it: pages draw the game's picture, a terminal prints its board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from engine import golden, registry
from engine.errors import BadNotation
from engine.kit import names_of, view

LINE = re.compile(r"!\[([^\]\n]+)\]\(golden/([a-z0-9-]+)\.txt#([0-9]{1,4})\)")


class Picture(msgspec.Struct, frozen=True):
    """A position of a golden game, with the caption that the guide gives it."""

    caption: str
    golden: str
    moves: int


def picture(line: str) -> Picture | None:
    """The picture of a guide's line, or None if the line is something else."""
    found = LINE.fullmatch(line)
    return Picture(found[1], found[2], int(found[3])) if found else None


def parts(text: str) -> Iterator[str | Picture]:
    """A guide's pictures and the Markdown between them, in order."""
    words: list[str] = []
    for line in text.splitlines():
        shown = picture(line)
        if shown is None:
            words.append(line)
        else:
            yield "\n".join(words)
            yield shown
            words.clear()
    yield "\n".join(words)


def pictures(key: str) -> tuple[Picture, ...]:
    """The pictures of a game's guide, in order."""
    return tuple(part for part in parts(registry.guide(key)) if isinstance(part, Picture))


def svg(key: str, shown: Picture) -> str:
    """The position as the game draws it. BadNotation if there is no such position."""
    drawn: str = registry.find(key).picture(*_position(key, shown))
    return drawn


def board(key: str, shown: Picture) -> str:
    """The position as text. BadNotation if there is no such position."""
    text: str = registry.find(key).board(*_position(key, shown))
    return text


def _position(key: str, shown: Picture) -> tuple[Any, tuple[str, ...]]:
    script = golden.read(registry.read(key, f"golden/{shown.golden}.txt"))
    turn = next(islice(golden.play(script), shown.moves, None), None)
    if turn is None:
        raise BadNotation("bad-notation", found=shown.moves, expected=f"at most {len(script.moves)} moves")
    return view(registry.find(key), turn.state, None), names_of(script.seats)
