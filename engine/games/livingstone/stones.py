"""Drawing from the bag, which is public: by the mine, and by the cave card."""

from __future__ import annotations

from engine.game import Turn
from engine.games.livingstone.events import BagRefilled, StonesDrawn


def draw_stones(turn: Turn, seat: int, count: int) -> None:
    """All at once; the white stone is dealt with after the last. A bag with fewer stones gives what it has."""
    bag = turn.state.bag
    stones = turn.chance.sample(bag, min(count, bag.total))
    turn.emit(StonesDrawn(seat, stones))
    if "white" in stones:
        turn.emit(BagRefilled())
