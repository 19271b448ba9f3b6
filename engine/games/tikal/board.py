"""The position as text, at most 78 columns: the hexagons with the stones on their edges, then what each seat has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.games.tikal.components import DIG, ENTER, GUARD, HOP, LEVEL, LEVELS, PITCH, SWAP, Tile
from engine.games.tikal.hexagons import hexagons
from engine.games.tikal.hexes import SIDES, turned, turns
from engine.games.tikal.view import SeenPlayer, TikalView
from engine.kit import cut

WIDTH = 78


def board(view: TikalView, names: tuple[str, ...]) -> str:
    """The whole position: what is to be done, the board, the seats, what is left in the box."""
    parts = (*_headline(view, names), "", *hexagons(view), "", *_legend(view), "", *_seats(view), "", *_box(view))
    return "\n".join(line.rstrip() for line in parts)


def acting(view: TikalView) -> tuple[int, ...]:
    """Seats that owe something now."""
    if view.over or not view.to_do:
        return ()
    doing, seat = view.to_do[0]
    if doing != "sale":
        return (seat,)
    if view.bidder is not None:
        return (view.bidder,)
    return tuple(at for at, one in enumerate(view.players) if one.totem and not one.passed and not one.sealed)


# --- what is to be done ---------------------------------------------------------------------------------------------


def _headline(view: TikalView, names: tuple[str, ...]) -> Iterator[str]:
    if view.over or not view.to_do:
        yield "The game is over."
        return
    yield from _duty(view, names)
    yield from _waiting(view)
    if view.worked:
        times = ", ".join(f"{cell} {count} of 2" for cell, count in sorted(Counter(view.worked).items()))
        yield f"Levels or treasures taken in this turn: {times}."


def _duty(view: TikalView, names: tuple[str, ...]) -> Iterator[str]:
    doing, seat = view.to_do[0]
    name = cut(names[seat], 12)
    if doing == "sale":
        yield from _sale(view, seat + 1)
    elif doing == "choice":
        yield f"{name} is to choose a tile."
    elif doing == "scoring":
        yield f"A scoring turn: {name} has {view.points} action points left, then scores."
        yield from _wrap("After it:", [f"seat {other + 1} {_later(what)}" for what, other in view.to_do[1:]])
    elif view.tile:
        yield f"{name} is to lay a tile, and then has {view.points} action points."
    else:
        yield f"{name} has {view.points} action points left."


def _later(doing: str) -> str:
    return "scores" if doing == "scoring" else "lays the volcano"


def _sale(view: TikalView, opener: int) -> Iterator[str]:
    yield f"A sale, opened by seat {opener}."
    waiting = ", ".join(f"seat {seat + 1}" for seat in acting(view))
    if view.bidding == "open":
        yield f"To bid or to pass: {waiting}."
    else:
        yield f"To seal a ceiling: {waiting}."
        yield "The highest has the choice, for one more than the second; 0 is a pass."
    own = ((at, one.ceiling) for at, one in enumerate(view.players, 1))
    yield from (f"Seat {at} has sealed {ceiling}; nobody else sees this." for at, ceiling in own if ceiling is not None)


def _waiting(view: TikalView) -> Iterator[str]:
    """The tile in hand and those on sale; with their turns, if whoever acts may lay them in this move."""
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
    return f"{what}, {f'stones {stones}' if stones else 'no stones'}"


def _turned(tile: Tile) -> Iterator[str]:
    """Where its stones come to lie, for each turn that may be typed."""
    looks = ((turn, turned(tile.stones, turn)) for turn in turns(tile.stones))
    sides = [(f"r{turn}", *(f"{SIDES[at]}{n}" for at, n in enumerate(look) if n)) for turn, look in looks]
    if any(tile.stones):
        yield from _wrap("Turned:", [" ".join(words) for words in sides])


# --- below the board ------------------------------------------------------------------------------------------------


def _legend(view: TikalView) -> Iterator[str]:
    yield "The number on an edge is what crossing it costs; without one there is no way."
    yield "1:3L is three explorers and the leader of seat 1; held 1: seat 1 would score."
    if view.to_do and view.to_do[0][0] != "sale":
        yield f"Costs: enter CELL {ENTER}, level CELL {LEVEL}, dig CELL {DIG}, camp CELL {PITCH}, guard CELL {GUARD},"
        yield f"swap MINE SEAT THEIRS {SWAP}, walk CELL CELL its stones, {HOP} from camp to camp."
        yield "One move may be a whole turn, such as"
        yield "place c3 r2; enter a1 leader; walk a1 c3 leader; level c3; done"


def _seats(view: TikalView) -> Iterator[str]:
    purse = "  auction" if view.variant == "auction" else ""
    yield f"   seat  points  temples  finds{purse}  board  ready  leader  tents  guards"
    for seat, seen in enumerate(view.players):
        yield _seat(view, seat, seen)
        yield from _more(view, seen)


def _seat(view: TikalView, seat: int, seen: SeenPlayer) -> str:
    player = seen.player
    mark = "->" if seat in acting(view) else "  "
    purse = f"  {player.purse:>7}" if view.variant == "auction" else ""
    out = sum(one.site.explorers[seat] for one in view.sites)
    return (
        f"{mark} {seat + 1:>4}  {seen.points:>6}  {player.temples:>7}  {player.finds:>5}{purse}  {out:>5}"
        f"  {player.explorers:>5}  {_leader(view, seat, seen):>6}  {player.tents:>5}  {player.guards:>6}"
    )


def _leader(view: TikalView, seat: int, seen: SeenPlayer) -> str:
    if seen.player.leader:
        return "ready"
    return next((one.cell for one in view.sites if seat in one.site.leaders), "gone")


def _more(view: TikalView, seen: SeenPlayer) -> Iterator[str]:
    if seen.gone:
        yield "        has resigned"
    if view.open and not seen.totem:
        yield "        has had a turn in this round"
    if seen.passed:
        yield "        has passed"
    elif seen.bid:
        yield f"        bids {seen.bid}"
    if seen.player.treasures:
        yield from _wrap("        treasures:", _counted(seen.player.treasures))


def _box(view: TikalView) -> Iterator[str]:
    """What is still to come."""
    stacks = [f"{letter} {count}" for letter, count in view.stacks]
    yield from _wrap("Tiles not yet drawn, by stack:", stacks or ["none"])
    if view.aside:
        yield from _wrap("Set aside, for they fitted nowhere:", view.aside)
    yield "Levels" + "".join(f"{number:>4}" for number, _ in LEVELS)
    yield "left  " + "".join(f"{left:>4}" for left in view.levels)


def _counted(names: Sequence[str]) -> Sequence[str]:
    return [f"{count} {name}" for name, count in sorted(Counter(names).items())]


def _wrap(head: str, items: Sequence[str]) -> Iterator[str]:
    line = head
    for at, item in enumerate(items):
        word = item + ("," if at + 1 < len(items) else ".")
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = " " * len(head)
        line += f" {word}"
    yield line
