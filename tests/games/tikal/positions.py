"""Positions for tests of rules: a game just begun, changed as needed, with seat 1 (number 0) to act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine import replay
from engine.game import Turn
from engine.games.tikal import game
from engine.games.tikal.components import TILE
from engine.games.tikal.hexes import PLACE, turned
from engine.games.tikal.meta import TikalOptions
from engine.games.tikal.state import Frame, Site, TikalState
from engine.kit import decide, parse
from tests.kit.worlds import lanes, turn_at

AUCTION = TikalOptions(variant="auction")
OPEN = TikalOptions(variant="auction", bidding="open")


def begun(seats: int = 3, options: TikalOptions | None = None, word: str = "rules") -> TikalState:
    """Return a game just begun, with its draws made by this word."""
    state: TikalState = replay.start(game, seats, options or TikalOptions(), *lanes(word)).state
    return state


def position(
    seats: int = 3,
    laid: tuple[tuple[str, str, int], ...] = (),
    sites: Mapping[str, Mapping[str, Any]] | None = None,
    players: Mapping[int, Mapping[str, Any]] | None = None,
    **fields: Any,
) -> TikalState:
    """Return a position with ten points and no tile to lay; `laid` adds tiles, `sites` and `players` change others."""
    state = begun(seats)
    state = replace(state, tile="", stack=state.stack.add([state.tile]))
    for cell, tile, turn in laid:
        state = with_tile(state, cell, tile, turn)
    for cell, changes in (sites or {}).items():
        state = state.with_site(cell, replace(state.laid(cell), **changes))
    for owner in (site.tent for _, site in state.tiles() if site.tent is not None):
        state = state.with_player(owner, tents=state.players[owner].tents - 1)
    for seat, changes in (players or {}).items():
        state = state.with_player(seat, **changes)
    return replace(state, **fields)


def with_tile(state: TikalState, cell: str, tile: str, turn: int = 0) -> TikalState:
    """Return the position with this tile from the stack on a cell."""
    at, site = PLACE[cell], Site.of(TILE[tile], (0,) * state.seats)
    land = (*state.land[:at], turned(TILE[tile].stones, turn), *state.land[at + 1 :])
    return state.with_site(cell, site, land=land, stack=state.stack.take([tile]))


def holding(state: TikalState, tile: str) -> TikalState:
    """Return the position with this tile drawn by the seat to act."""
    return replace(state, tile=tile, stack=state.stack.take([tile]))


def scoring(state: TikalState, *seats: int) -> TikalState:
    """Return the position with scoring turns of these seats, and nothing after them."""
    return replace(state, frames=tuple(Frame("scoring", seat) for seat in seats))


def play(state: TikalState, text: str, word: str = "rules", seat: int | None = None) -> Turn:
    """Play these commands one by one, without forced steps, for a seat (None: the seat to act); return the turn."""
    turn = turn_at(state, word)
    for step in parse(game, text):
        acting = game.active(turn.state)[0] if seat is None else seat
        decide(game, turn, acting, step.command)
    return turn
