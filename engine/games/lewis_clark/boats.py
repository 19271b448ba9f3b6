"""Stowing: boats are always loaded for the least delay at a camp; the state keeps only what is aboard.

The rulebook lets players rearrange their boats at any moment, so no other load makes sense, and no command loads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal

from engine.games.lewis_clark.components import BOARD, BOATS, Boat

Load = Literal["goods", "indians"]
RANK = {"none": 0, "once": 1, "each": 2}


@cache
def fleet(tiles: tuple[str, ...], load: Load) -> tuple[Boat, ...]:
    """Return the boats for a load in the order of filling: boats without delay first, then large ones."""
    boats = (boat for boat in (*BOARD, *(BOATS[tile] for tile in tiles)) if boat.holds == load)
    return tuple(sorted(boats, key=lambda boat: (RANK[boat.time], -(boat.room or 0))))


@cache
def room(tiles: tuple[str, ...]) -> int:
    """Return how many goods an expedition can carry. Indians always have room: the fifth boat takes any number."""
    return sum(boat.room or 0 for boat in fleet(tiles, "goods"))


def stow(tiles: tuple[str, ...], load: Load, amount: int) -> tuple[tuple[Boat, int], ...]:
    """Return what each boat holds for the least delay. Raises ValueError without enough room.

    A boat that costs 1 for its whole load saves at least as much as one that costs 1 for each piece, and a larger one
    saves more, so filling boats in the order of `fleet` is best.
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
    """Return the delay that these loads cause at a camp."""
    return sum(_time(boat, held) for boat, held in stowed)


def _time(boat: Boat, held: int) -> int:
    return {"none": 0, "once": min(held, 1), "each": held}[boat.time]


@lru_cache(maxsize=4096)
def load_time(tiles: tuple[str, ...], load: Load, amount: int) -> int:
    """Return the least delay that this load causes at a camp."""
    return time(stow(tiles, load, amount))


def camp_time(tiles: tuple[str, ...], goods: int, indians: int) -> int:
    """Return the least delay that the boats cause at a camp."""
    return load_time(tiles, "goods", goods) + load_time(tiles, "indians", indians)
