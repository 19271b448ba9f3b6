"""The position as text, at most 78 columns: the hexagons with the stones on their edges, then each seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.games.tikal.components import (
    ALIKE,
    DIG,
    ENTER,
    GUARD,
    HOP,
    LEVEL,
    LEVELS,
    PITCH,
    SWAP,
    TREASURES,
    Tile,
)
from engine.games.tikal.headline import details, duty, to_type
from engine.games.tikal.hexagons import crowds, hexagons
from engine.games.tikal.hexes import SIDES, turned, turns
from engine.games.tikal.scoring import finds
from engine.games.tikal.view import SeenPlayer, TikalView
from engine.kit import count, pad, width

WIDTH = 78
NAME = 12  # columns of a name in the table
INKS = (  # colours for a terminal, see `kit.spans`
    (r"(?<!\S)(?P<seat>[1-4]):(?:\d+L?|L)(?!\S)", "seat"),
    (r"held (?P<seat>[1-4])(?!:)", "seat"),
    (r"guard(?P<seat>[1-4])", "seat"),
    (r"(?<=^(?:->|  ) )(?P<seat>[1-4])(?= )", "seat"),
    (r"\bvolcano\b", "red"),
    (r"(?<=\s)[a-h][1-8](?=\s)", "bold"),
)


def board(view: TikalView, names: tuple[str, ...]) -> str:
    """Return the whole position: what must be done next, the board, the seats, the supply."""
    said = (duty(view, names), to_type(view), *details(view, names))
    head = tuple(line for sentence in said if sentence for line in _folded(sentence))
    below = ("", *_legend(view), "", *_seats(view, names), "", *_box(view))
    parts = (*head, *_waiting(view), "", *hexagons(view), *_crowds(view), *below)
    return "\n".join(line.rstrip() for line in parts)


def _folded(sentence: str) -> Iterator[str]:
    """Fold a sentence into lines; the second and later ones are indented."""
    line = ""
    for word in sentence.split(" "):
        if line.strip() and width(line) + 1 + width(word) > WIDTH:
            yield line
            line = "   "
        line = f"{line} {word}" if line else word
    yield line


def _waiting(view: TikalView) -> Iterator[str]:
    """Yield the tile in hand and those on sale, with their rotations if they may be laid in this move."""
    if view.over:
        return
    if view.tile:
        yield f"Tile {view.tile.name}: {_what(view.tile)}."
    if view.tile and view.to_do[0][0] == "turn":
        yield from _turned(view.tile)
    for tile in view.open:
        yield f"Tile {tile.name}, on sale: {_what(tile)}."
        if view.to_do[0][0] == "choice":
            yield from _turned(tile)


def _what(tile: Tile) -> str:
    what = f"{tile.kind} {tile.number}" if tile.number else tile.kind
    stones = ", ".join(f"{SIDES[side]} {count}" for side, count in enumerate(tile.stones) if count)
    return f"{what}, stones {stones}" if stones else f"{what}, no stones"


def _turned(tile: Tile) -> Iterator[str]:
    """Yield where the stones are in each rotation that may be typed."""
    looks = ((turn, turned(tile.stones, turn)) for turn in turns(tile.stones))
    sides = [(f"r{turn}", *(f"{SIDES[at]}{n}" for at, n in enumerate(look) if n)) for turn, look in looks]
    if any(tile.stones):
        yield from _wrap("Rotations:", [" ".join(words) for words in sides])


# --- below the board ------------------------------------------------------------------------------------------------


def _crowds(view: TikalView) -> Iterator[str]:
    """Yield the pieces of tiles with more of them than their hexagon holds."""
    for cell, pieces in crowds(view):
        yield f"On {cell}: {', '.join(pieces)}."


def _legend(view: TikalView) -> Iterator[str]:
    yield from _folded("The number on an edge is the cost of crossing it. No number means no road.")
    yield from _folded("1:3L: 3 explorers and the leader of player 1. held 1: player 1 would score it.")
    if not view.over and view.to_do and view.to_do[0][0] != "sale":
        yield from _folded(
            f"Costs: enter CELL {ENTER}, level CELL {LEVEL}, dig CELL {DIG}, camp CELL {PITCH}, guard CELL {GUARD},"
        )
        yield from _folded(f"swap MINE SEAT THEIRS {SWAP}, walk CELL CELL the stones on the way, camp to camp {HOP}.")


Columns = tuple[tuple[str, int], ...]  # heading and width
POINTS: Columns = (("total", 6), ("temples", 8), ("finds", 6), ("auction", 8))
PIECES: Columns = (("placed", 7), ("ready", 6), ("leader", 7), ("camps", 6), ("guards", 7))
LEAD = len("-> 1 ") + NAME


def _seats(view: TikalView, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a row for each seat: its points by heading, then its pieces by place."""
    points = POINTS if view.variant == "auction" else POINTS[:-1]
    yield " " * LEAD + _over("points", points) + _over("pieces", PIECES)
    yield " " * LEAD + _cells(points, [head for head, _ in points]) + _cells(PIECES, [head for head, _ in PIECES])
    for seat, seen in enumerate(view.players):
        mark = "->" if not view.over and seat in view.acting else "  "
        own, out = seen.player, sum(one.site.explorers[seat] for one in view.sites)
        scores = (seen.points, own.temples, own.finds, own.purse)[: len(points)]
        pieces = (out, own.explorers, _leader(view, seat, seen), own.tents, own.guards)
        yield f"{mark} {seat + 1} {pad(names[seat], NAME)}" + _cells(points, scores) + _cells(PIECES, pieces)
        yield from _more(view, seen)


def _over(word: str, columns: Columns) -> str:
    return " " + f" {word} ".center(sum(wide for _, wide in columns) - 1, "-")


def _cells(columns: Columns, values: Sequence[object]) -> str:
    return "".join(f"{value!s:>{wide}}" for (_, wide), value in zip(columns, values, strict=True))


def _leader(view: TikalView, seat: int, seen: SeenPlayer) -> str:
    if seen.player.leader:
        return "ready"
    return next((one.cell for one in view.sites if seat in one.site.leaders), "gone")


def _more(view: TikalView, seen: SeenPlayer) -> Iterator[str]:
    notes = status(view, seen)
    if notes:
        yield f"     {notes}"
    if seen.player.treasures:
        yield from _wrap(f"     {_worth(seen)}:", _counted(seen.player.treasures))


def _worth(seen: SeenPlayer) -> str:
    treasures = seen.player.treasures
    return f"{count(len(treasures), 'treasure')}, worth {count(finds(treasures), 'point')} in each scoring"


def _box(view: TikalView) -> Iterator[str]:
    """Yield what is still in the supply."""
    stacks = [f"{letter} {left}" for letter, left in view.stacks]
    yield from _wrap("Tiles not yet drawn, by stack:", stacks or ["none"])
    if view.aside:
        yield from _wrap("Set aside because they fitted nowhere:", view.aside)
    left = unfound(view)
    yield from _wrap("Treasures not yet found:", [f"{n} {name}" for name, n in left] or ["none"])
    yield "Levels" + "".join(f"{number:>4}" for number, _ in LEVELS)
    yield "left  " + "".join(f"{left:>4}" for left in view.levels)


def unfound(view: TikalView) -> tuple[tuple[str, int], ...]:
    """Return the treasures that nobody has as (name, how many), without kinds that are all found."""
    found = Counter(name for one in view.players for name in one.player.treasures)
    return tuple((name, ALIKE - found[name]) for name in TREASURES if found[name] < ALIKE)


def status(view: TikalView, seen: SeenPlayer) -> str:
    """Return what else everybody may know about a seat now, or ""."""
    if seen.gone:
        return "has resigned"
    if view.over:
        return ""
    if view.open and not seen.totem:
        return "has had a turn this round"
    if seen.passed:
        return "has passed"
    return f"has offered {seen.bid}" if seen.bid else "has sealed a ceiling" if seen.sealed else ""


def _counted(names: Sequence[str]) -> Sequence[str]:
    return [f"{n} {name}" for name, n in sorted(Counter(names).items())]


def _wrap(head: str, items: Sequence[str]) -> Iterator[str]:
    line = head
    for at, item in enumerate(items):
        word = item + ("," if at + 1 < len(items) else ".")
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = " " * len(head)
        line += f" {word}"
    yield line
