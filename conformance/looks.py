"""Checks of every board and picture, and the positions of a walk at which they run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.parsers import expat

import msgspec
from msgspec.structs import replace

from engine import guides, registry
from engine.errors import BadNotation
from engine.game import Game
from engine.kit import active, view, width
from engine.selfplay import Walked

SVG = "http://www.w3.org/2000/svg svg"
FORBIDDEN = (  # separate patterns: one that begins with a letter is found without trying every place
    re.compile(r"<(script|style|a|use|image|foreignObject)\b"),
    re.compile(r"\s(style|class|on\w+|(xlink:)?href)="),
    re.compile(r"url\("),
)
EVERY = 13  # most steps between two positions that are checked


class Unsightly(AssertionError):
    """A fault of a board or a picture."""


def strange(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Values that no view holds, such as floats and lists, each with its place."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from strange(getattr(value, name), f"{place}.{name}" if place else name)
    elif type(value) is tuple:
        for number, part in enumerate(value):
            yield from strange(part, f"{place}[{number}]")
    elif value is not None and type(value) not in (int, str, bool):
        yield place, f"{value!r}, a {type(value).__name__}"


def look_at(game: Game[Any], state: Any, names: tuple[str, ...]) -> None:
    """Check each different view of a position: it is JSON, and its board and picture are well-formed."""
    for seen in dict.fromkeys(view(game, state, watcher) for watcher in (None, *range(state.seats))):
        for place, found in strange(seen):
            raise Unsightly(f"`{place}` of the view is {found}: a view holds whole numbers, texts and tuples of them")
        if msgspec.json.decode(msgspec.json.encode(seen), type=type(seen)) != seen:
            raise Unsightly(f"a view comes back from JSON as another: {seen}")
        _look_at_board(game.board(seen, names))
        _look_at_picture(game.picture(seen, names))


def _look_at_picture(picture: str) -> None:
    """It is SVG, and holds nothing that a strict page would block (`pointing.py` checks fewer in more detail)."""
    if _outermost(picture) != SVG:
        raise Unsightly("a picture is not SVG")
    for pattern in FORBIDDEN:
        if found := pattern.search(picture):
            raise Unsightly(f"{found[0]!r} in a picture")


def look_at_the_guide(key: str) -> None:
    """Every image of a game's guide is a position of one of its golden games, and draws."""
    for line in registry.guide(key).splitlines():
        shown = guides.picture(line)
        if shown is None and "![" in line:
            raise Unsightly(f"not a picture of a golden game: {line}")
        if shown is not None:
            try:
                _look_at_picture(guides.svg(key, shown))
                _look_at_board(guides.board(key, shown))
            except BadNotation as no:
                raise Unsightly(f"no golden game has this position: {line}") from no


def _outermost(document: str) -> str:
    """The name of its first element, if all of it is XML: making a tree of it takes three times as long."""
    met: list[str] = []

    def first(name: str, _: object) -> None:
        met.append(name)
        parser.StartElementHandler = None

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = first
    parser.Parse(document, True)
    return met[0]


def _look_at_board(board: str) -> None:
    for line in board.splitlines() or [""]:
        if line != line.rstrip():
            raise Unsightly(f"a trailing blank in {line!r}")
        if width(line) > 78:
            raise Unsightly(f"{width(line)} columns in {line!r}")
    if not board.strip() or board != board.strip("\n"):
        raise Unsightly("a board is empty, or begins or ends with an empty line")


def look_at_the_end(game: Game[Any], state: Any, names: tuple[str, ...]) -> None:
    """A position where the game was broken off looks different from the same position in a running game."""
    for seen in dict.fromkeys(view(game, state, watcher) for watcher in (None, *range(state.seats))):
        if not seen.over:
            raise Unsightly("the view does not say that the game is over")
        for draw in (game.board, game.picture):
            if draw(seen, names) == draw(replace(seen, ended=None), names):
                raise Unsightly(f"the {draw.__name__} of an ended game is that of one that goes on")


def each_kind_of_choice(game: Game[Any], steps: Sequence[Walked], every: int = EVERY) -> Iterator[Any]:
    """The first state, the last, the first with each kind of choice, and one now and then."""
    met = set()
    for number, step in enumerate(steps):
        kinds = tuple(game.phase(step.after, seat) for seat in active(game, step.after))
        if number % every == 0 or step is steps[-1] or kinds not in met:
            yield step.after
        met.add(kinds)
