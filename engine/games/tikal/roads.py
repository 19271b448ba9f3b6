"""Roads over the laid tiles: where a tile may go, and what a walk costs.

A `Land` holds for each cell, in the order of `CELLS`, the stones on its six sides: () is a free cell, and stones on no
side mark a volcano. All functions are pure, so their results are cached.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from heapq import heappop, heappush

from engine.games.tikal.components import CAMP, HOP
from engine.games.tikal.hexes import AROUND, CELLS, PLACE, Stones, opposite, turned, turns

Land = tuple[Stones, ...]
FREE: Stones = ()
NO_WAY = 99


def passable(stones: Stones) -> bool:
    """Return whether this is a laid tile other than a volcano: every such tile has a stone."""
    return any(stones)


@lru_cache(maxsize=256)
def roads(land: Land) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return by cell (neighbour, stones of both tiles on the edge between), where there is at least one."""
    return tuple(tuple(_roads(land, here)) for here in range(len(land)))


def _roads(land: Land, here: int) -> Iterable[tuple[int, int]]:
    if passable(land[here]):
        for side, there in AROUND[here]:
            if passable(land[there]) and (cost := land[here][side] + land[there][opposite(side)]):
                yield there, cost


# --- laying a tile --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def placements(land: Land, stones: Stones) -> tuple[tuple[str, int], ...]:
    """Return every (cell, rotation) in which a tile with these stones may be laid, equal looks once.

    The tile touches a laid tile and has a road to one that is not a volcano. A volcano needs no road.
    """
    looks = tuple((turn, turned(stones, turn)) for turn in turns(stones))
    fits = _touches if not any(stones) else _joins
    free = (place for place, laid in enumerate(land) if laid == FREE)
    return tuple((CELLS[place], turn) for place in free for turn, look in looks if fits(land, place, look))


def _touches(land: Land, place: int, _: Stones) -> bool:
    return any(land[there] != FREE for _, there in AROUND[place])


def _joins(land: Land, place: int, look: Stones) -> bool:
    return any(passable(land[there]) and (look[side] or land[there][opposite(side)]) for side, there in AROUND[place])


# --- walking --------------------------------------------------------------------------------------------------------

Costs = tuple[int, ...]  # by cell, NO_WAY if there is none
_Found = dict[tuple[tuple[str, ...], str], Costs]  # by tents and start
_latest: list[tuple[Land, _Found]] = [((), {})]  # one item, replaced as a whole: threads share it


def cost(land: Land, tents: tuple[str, ...], start: str, goal: str) -> int:
    """Return the action points of the cheapest walk, or NO_WAY."""
    return costs(land, tents, start)[PLACE[goal]]


def costs(land: Land, tents: tuple[str, ...], start: str) -> Costs:
    """Return by cell the cost of the cheapest walk from `start` for a seat with these tents, or NO_WAY.

    Positions between two tiles share one `land`, so the latest is known by its identity: to hash its 40 tuples
    each time, as `lru_cache` does, takes longer than the rest of a look-up.
    """
    latest, known = _latest[0]
    if latest is not land:
        known = _found_on(land)
        _latest[0] = land, known
    found = known.get((tents, start))
    if found is None:
        found = known[tents, start] = _costs(land, tents, start)
    return found


@lru_cache(maxsize=256)
def _found_on(land: Land) -> _Found:  # noqa: ARG001 - one for each land
    """Return what `costs` has found on this land, to be added to."""
    return {}


def _costs(land: Land, tents: tuple[str, ...], start: str) -> Costs:
    ways, camps = roads(land), (PLACE[CAMP], *(PLACE[tent] for tent in tents))
    found = [NO_WAY] * len(land)
    heap = [(0, PLACE[start])]
    while heap:
        cost, here = heappop(heap)
        if cost >= found[here]:
            continue
        found[here] = cost
        for there, stones in ways[here]:
            heappush(heap, (cost + stones, there))
        if here in camps:
            for camp in camps:
                heappush(heap, (cost + HOP, camp))
    return tuple(found)


@lru_cache(maxsize=4096)
def walks(land: Land, tents: tuple[str, ...], start: str, points: int) -> tuple[str, ...]:
    """Return the cells in reach of `start` for at most these points, without `start`, in board order."""
    found = zip(CELLS, costs(land, tents, start), strict=True)
    return tuple(cell for cell, cost in found if cell != start and cost <= points)
