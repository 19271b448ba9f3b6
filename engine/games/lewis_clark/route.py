"""The route from five spaces below Saint Louis to the Pacific, and how a scout moves on it.

Saint Louis is space 0, Fort Clatsop 39, the lowest space -5. A river move enters river and mixed spaces, a mountain
move mountain and mixed ones; where the next space does not fit, the rest of the move is lost. Spaces with other scouts
count in passing, but no two scouts share a space: a scout that would end there goes on in the same direction to the
next free space.

Readings (the rulebook's page on the route could not be read):

- A scout goes on to a free space over any terrain.
- Scouts share Saint Louis only at the start of the game; later it is a space like others.
- Any number of scouts share the lowest space and the last one beyond the fort: there is nowhere to go on to.
- The delay of a camp moves a scout back over any terrain.
- A scout that enters no space stays where it is, even if it shares that space.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Literal, get_args

Terrain = Literal["river", "mountain", "mixed"]
Move = Literal["river", "mountain"]

LOWEST, START, FORT = -5, 0, 39
BEYOND = 10  # spaces of the coast beyond the fort
LAST = FORT + BEYOND
MIXED = (18, 26)
MOUNTAINS = (range(19, 26), range(32, 35))


def terrain(space: int) -> Terrain:
    """Return the terrain of a space."""
    if space in MIXED:
        return "mixed"
    return "mountain" if any(space in range_ for range_ in MOUNTAINS) else "river"


# The spaces that a move of this kind may enter.
_ENTERED: dict[Move, frozenset[int]] = {
    move: frozenset(space for space in range(LOWEST, LAST + 1) if terrain(space) in (move, "mixed"))
    for move in get_args(Move)
}


def walk(space: int, steps: int, move: Move, skipped: Collection[int] = ()) -> int:
    """Return where a move forward leads before `settle`; spaces in `skipped` do not count."""
    return _walk(space, steps, move, skipped)[0]


@lru_cache(maxsize=1024)
def reach(space: int, most: int, move: Move, skipped: tuple[int, ...] = ()) -> int:
    """Return how many steps, at most `most`, each lead further than one less. A list of choices asks it for each."""
    there, left = _walk(space, most, move, skipped)
    used = most - left
    return used + (left > 0 and walk(space, used, move, skipped) < there)  # one more step passes skipped spaces


def _walk(space: int, steps: int, move: Move, skipped: Collection[int]) -> tuple[int, int]:
    """Return where the walk ends, and the steps lost because the next space does not fit."""
    entered = _ENTERED[move]
    while steps and space + 1 in entered:
        space += 1
        steps -= space not in skipped
    return space, steps


def settle(space: int, begun: int, others: Collection[int]) -> int:
    """Return the first free space from `space` on, in the direction from `begun` to `space`."""
    if space == begun:
        return space
    direction = 1 if space > begun else -1
    while space in others and LOWEST < space < LAST:
        space += direction
    return space


def back(space: int, time: int, others: Collection[int]) -> int:
    """Return where a scout stands after a camp with this delay."""
    return settle(max(space - time, LOWEST), space, others)


def camp(camp_at: int, scout: int) -> int:
    """Return where the camp token stands after a camp: it follows the scout and never moves back."""
    return max(camp_at, scout)


def arrived(camp_at: int) -> bool:
    """Return True if this camp has reached the Pacific."""
    return camp_at >= FORT


def abreast_or_ahead(camp_at: int, scouts: Collection[int]) -> int:
    """Return the number of scouts level with this camp or ahead of it."""
    return sum(scout >= camp_at for scout in scouts)
