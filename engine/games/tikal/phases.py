"""The seats to act, the commands possible now, forced commands, and default moves.

turn, its tile not laid    place
turn, scoring turn         done level dig guard camp enter swap walk
sale                       bid (sealed), offer or pass (open)
choice                     choose
"""

from __future__ import annotations

from engine.game import Command
from engine.games.tikal import sale
from engine.games.tikal.bids import Bid, Choose, Offer, Pass
from engine.games.tikal.commands import ROTATIONS, Camp, Dig, Done, Enter, Guard, Level, Place, Swap, Walk
from engine.games.tikal.components import TILE
from engine.games.tikal.roads import placements
from engine.games.tikal.state import TikalState

ACTIONS: tuple[type[Command], ...] = (Done, Level, Dig, Guard, Camp, Enter, Swap, Walk)
BIDS: dict[str, tuple[type[Command], ...]] = {"sealed": (Bid,), "open": (Pass, Offer)}


def active(state: TikalState) -> tuple[int, ...]:
    if state.over:
        return ()
    top = state.frames[0]
    if top.doing != "sale":
        return (top.seat,)
    return sale.unsealed(state) if state.bidding == "sealed" else (state.bidder,)


def phase(state: TikalState, seat: int) -> tuple[type[Command], ...]:  # noqa: ARG001 - the same for every seat
    doing = state.frames[0].doing
    if doing == "turn":
        return (Place,) if state.tile else ACTIONS
    if doing == "scoring":
        return ACTIONS
    return BIDS[state.bidding] if doing == "sale" else (Choose,)


def forced(state: TikalState, seat: int) -> Command | None:
    """End a turn without action points, and pass for a bidder whose points, which everybody can see, allow no bid."""
    doing = state.frames[0].doing
    if doing == "sale":
        return _forced_pass(state, seat)
    if state.points or doing == "choice" or state.owes_tile:
        return None
    return Done()


def _forced_pass(state: TikalState, seat: int) -> Command | None:
    have = state.players[seat].total
    if state.bidding == "sealed":
        return None if have else Bid(0)
    return None if have > max(state.bids) else Pass()


def default(state: TikalState, seat: int) -> Command:  # noqa: ARG001 - the same for every seat
    """Lay the tile on the first cell where it fits, move nothing, bid nothing, take the first tile on sale."""
    if state.owes_tile:
        cell, turn = placements(state.land, TILE[state.tile].stones)[0]
        return Place(cell, ROTATIONS[turn])
    if state.doing == "sale":
        return Bid(0) if state.bidding == "sealed" else Pass()
    return Choose(state.open[0]) if state.doing == "choice" else Done()
