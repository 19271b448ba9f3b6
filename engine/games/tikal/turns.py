"""The order of turns, and the steps between them: tiles, volcanoes with their scoring turns, and the end.

A scoring round is a pile of frames: (scoring, p0) ... (scoring, p3), (turn, p0). The volcano stays in hand until the
turn at the bottom, in which it is laid. Only the last scoring round has no turn below it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Turn
from engine.games.tikal.components import ACTION_POINTS, TILE
from engine.games.tikal.events import (
    GameEnded,
    LastScoringBegun,
    SaleOpened,
    ScoringBegun,
    TileChosen,
    TileDrawn,
    TileSetAside,
    TilesShown,
    TurnEnded,
)
from engine.games.tikal.roads import placements
from engine.games.tikal.scoring import score
from engine.games.tikal.state import TikalState
from engine.kit import EMPTY, Supply


def next_turn(turn: Turn, seat: int) -> None:
    """Play what happens until a seat has to act; `seat` has the next turn, or is the first that may open a sale."""
    state: TikalState = turn.state
    if state.totems:
        _next_sale(turn, seat)
    elif not state.stack.rest:
        turn.emit(LastScoringBegun(seat, ACTION_POINTS))
    elif state.variant == "auction":
        turn.emit(TilesShown(_draw(turn, state.seats)))
        _next_sale(turn, seat)
    else:
        turn.emit(TileDrawn(seat, _draw(turn, 1)[0], ACTION_POINTS))
        _begin(turn, seat)


def _draw(turn: Turn, count: int) -> tuple[str, ...]:
    """Draw this many tiles from the top of the stack, sorted."""
    names: list[str] = []
    for _ in range(count):
        names.append(turn.chance.pick(top(turn.state.stack, names)))
    return tuple(sorted(names))


def top(stack: Supply, drawn: Sequence[str] = ()) -> Supply:
    """Return the tiles of the letter on top without those drawn; any of them may be the next."""
    there = dict(stack.rest)
    for names in STACKS:
        found = tuple([(name, 1) for name in names if name in there and name not in drawn])
        if found:
            return Supply(found)
    return EMPTY


# The names of the tiles of each letter, in the order in which they are drawn. Each tile exists once.
STACKS = tuple(
    tuple(sorted(name for name, tile in TILE.items() if tile.stack == letter))
    for letter in sorted({tile.stack for tile in TILE.values()})
)


def _next_sale(turn: Turn, seat: int) -> None:
    """Let the first seat from this one on that still has its totem open; the last of a round just takes its tile."""
    opener = min(turn.state.totems, key=lambda other: (other - seat) % turn.state.seats)
    if len(turn.state.totems) == 1:
        choose(turn, opener, turn.state.open[0])
    else:
        turn.emit(SaleOpened(opener))


def choose(turn: Turn, seat: int, tile: str) -> None:
    turn.emit(TileChosen(seat, tile, ACTION_POINTS))
    _begin(turn, seat)


def _begin(turn: Turn, seat: int) -> None:
    """Go on with a tile in hand: a volcano starts a scoring round."""
    if TILE[turn.state.tile].kind == "volcano":
        turn.emit(ScoringBegun(seat, ACTION_POINTS))
    else:
        _set_aside_if_stuck(turn, seat)


def _set_aside_if_stuck(turn: Turn, seat: int) -> None:
    state: TikalState = turn.state
    if state.owes_tile and not placements(state.land, TILE[state.tile].stones):
        turn.emit(TileSetAside(seat, state.tile))


def end_turn(turn: Turn, seat: int) -> None:
    doing, unused = turn.state.doing, turn.state.points
    if doing == "scoring":
        score(turn, seat)
    turn.emit(TurnEnded(seat, unused, ACTION_POINTS))
    if turn.state.frames:
        _set_aside_if_stuck(turn, turn.state.seat)
    elif doing == "scoring":
        turn.emit(GameEnded("explored"))
    else:
        next_turn(turn, (seat + 1) % turn.state.seats)
