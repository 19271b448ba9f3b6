"""Draws from the bag, which are public: for the mine and for the cave card."""

from __future__ import annotations

from engine.game import Turn
from engine.games.livingstone.events import BagRefilled, StonesDrawn


def draw_stones(turn: Turn, seat: int, count: int) -> None:
    """Draw all stones at once, then apply the white stone if it is among them. A bag with fewer stones is emptied."""
    bag = turn.state.bag
    stones = turn.chance.sample(bag, min(count, bag.total))
    turn.emit(StonesDrawn(seat, stones))
    if "white" in stones:
        turn.emit(BagRefilled())
