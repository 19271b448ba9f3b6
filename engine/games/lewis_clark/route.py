"""The route from five spaces below Saint Louis to the Pacific, and how a scout moves on it.

Saint Louis is space 0, Fort Clatsop 39, the lowest space -5. A river move enters river and mixed spaces, a mountain
move mountain and mixed ones; where the next space does not fit, the rest of the move is lost. Spaces with other scouts
are counted in passing, but no two scouts stand on one: who would end there goes on, in the direction he moved, to the
next free space.

Readings (the rulebook's page on the route could not be read):

- Going on to a free space looks at no terrain: a scout must stand somewhere.
- Saint Louis is shared at the start of the game only; later it is a space like others.
- The lowest space and the last one beyond the fort are shared by any number: there is nowhere to go on to.
- Time on camp moves back over any terrain.
- Whoever does not enter a single space stays where he is, also if he shares it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

Terrain = Literal["river", "mountain", "mixed"]
Move = Literal["river", "mountain"]

LOWEST, START, FORT = -5, 0, 39
BEYOND = 10  # spaces of the coast beyond the fort
LAST = FORT + BEYOND
MIXED = (18, 26)
MOUNTAINS = (range(19, 26), range(32, 35))


def terrain(space: int) -> Terrain:
    """What is drawn on a space."""
    if space in MIXED:
        return "mixed"
    return "mountain" if any(space in range_ for range_ in MOUNTAINS) else "river"


_TERRAIN = tuple(map(terrain, range(LOWEST, LAST + 1)))


def fits(space: int, move: Move) -> bool:
    """May a move of this kind enter the space?"""
    return space <= LAST and _TERRAIN[space - LOWEST] in {move, "mixed"}


def walk(space: int, steps: int, move: Move, skipped: Collection[int] = ()) -> int:
    """Where a move forward leads before `settle`; spaces in `skipped` are not counted."""
    return _walk(space, steps, move, skipped)[0]


def reach(space: int, most: int, move: Move, skipped: Collection[int] = ()) -> int:
    """How many steps of at most `most` lead further than one less."""
    there, left = _walk(space, most, move, skipped)
    used = most - left
    return used + (left > 0 and walk(space, used, move, skipped) < there)  # one more passes spaces not counted


def _walk(space: int, steps: int, move: Move, skipped: Collection[int]) -> tuple[int, int]:
    """Where the walk ends, and the steps that are lost where the next space does not fit."""
    while steps and fits(space + 1, move):
        space += 1
        steps -= space not in skipped
    return space, steps


def settle(space: int, begun: int, others: Collection[int]) -> int:
    """The first free space from `space` on, in the direction in which the scout came from where it had `begun`."""
    if space == begun:
        return space
    direction = 1 if space > begun else -1
    while space in others and LOWEST < space < LAST:
        space += direction
    return space


def back(space: int, time: int, others: Collection[int]) -> int:
    """Where a scout stands after so much time on camp."""
    return settle(max(space - time, LOWEST), space, others)


def camp(camp_at: int, scout: int) -> int:
    """Where the camp stands after camping: it follows the scout, and never moves back."""
    return max(camp_at, scout)


def arrived(camp_at: int) -> bool:
    """Has this camp reached the Pacific?"""
    return camp_at >= FORT


def abreast_or_ahead(camp_at: int, scouts: Collection[int]) -> int:
    """Scouts that stand where this camp is, or further on."""
    return sum(scout >= camp_at for scout in scouts)
