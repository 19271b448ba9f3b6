"""Stowing: only what an expedition has is kept, and its boats are loaded so that the camp takes least time.

The rulebook lets a player rearrange at any moment, so nobody would ever load them otherwise, and no command does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

from engine.games.lewis_clark.components import BOARD, BOATS, Boat

Load = Literal["goods", "indians"]
RANK = {"none": 0, "once": 1, "each": 2}


@cache
def fleet(tiles: tuple[str, ...], load: Load) -> tuple[Boat, ...]:
    """The boats that hold such a load, in the order in which they are filled: free ones first, then large ones."""
    boats = (boat for boat in (*BOARD, *(BOATS[tile] for tile in tiles)) if boat.holds == load)
    return tuple(sorted(boats, key=lambda boat: (RANK[boat.time], -(boat.room or 0))))


@cache
def room(tiles: tuple[str, ...]) -> int:
    """How many goods an expedition can carry. Indians always find a place: the fifth boat takes any number."""
    return sum(boat.room or 0 for boat in fleet(tiles, "goods"))


def stow(tiles: tuple[str, ...], load: Load, amount: int) -> tuple[tuple[Boat, int], ...]:
    """What each boat holds when the time is least.

    A boat that costs one for its whole load saves at least as much as the boat that costs one for each, and the larger
    the more, so filling them in the order of `fleet` is best. ValueError if there is no room.
    """
    loads = []
    for boat in fleet(tiles, load):
        held = amount if boat.room is None else min(boat.room, amount)
        loads.append((boat, held))
        amount -= held
    if amount:
        raise ValueError(f"no room for {amount} of the {load}")
    return tuple(loads)


def time(stowed: Sequence[tuple[Boat, int]]) -> int:
    """What these loads cost on camp."""
    return sum(_time(boat, held) for boat, held in stowed)


def _time(boat: Boat, held: int) -> int:
    return {"none": 0, "once": min(held, 1), "each": held}[boat.time]


def camp_time(tiles: tuple[str, ...], goods: int, indians: int) -> int:
    """Time that the boats cost on camp, at best."""
    return time(stow(tiles, "goods", goods)) + time(stow(tiles, "indians", indians))
