"""The prospects of the laid tiles: temples and ruins that a seat can reach within a turn, from its pieces and camps.

A tile that nobody can reach is worth nothing to anybody; one beside my camp and far from yours is worth most to me. So
the place and the rotation of a tile decide, and a volcano shuts out whoever has to go round it.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from engine.games.tikal.components import ACTION_POINTS, ENTER
from engine.games.tikal.hexes import PLACE
from engine.games.tikal.players.evaluate import FIND, later
from engine.games.tikal.roads import Land, roads
from engine.games.tikal.scoring import holder
from engine.games.tikal.state import Site, TikalState

PROMISE = 0.3  # share of what a tile in reach will bring
GROWTH = 1.5  # levels that a temple is expected to gain
TAKEN_OVER = 0.4  # share of another player's temple that is in reach
RIVAL = 0.5  # share of the best rival's prospects that is subtracted
FAR = ACTION_POINTS


def prospects(state: TikalState, seat: int) -> float:
    """Return what the tiles promise the seat, less a share of what they promise the best rival."""
    near = {each: _nearness(state, each) for each in state.staying}
    promised = dict.fromkeys(state.staying, 0.0)
    for at, site in enumerate(state.sites):
        if site is not None and (worth := _worth(site)):
            total = sum(each[at] for each in near.values()) or 1.0
            held = holder(state, site)
            for each, nearness in near.items():
                share = nearness[at] ** 2 / total
                promised[each] += worth * share * (1.0 if held is None else TAKEN_OVER * (held != each))
    rival = max((points for each, points in promised.items() if each != seat), default=0.0)
    return PROMISE * later(state) * (promised.get(seat, 0.0) - RIVAL * rival)


def _worth(site: Site) -> float:
    """Return what the tile may bring at each scoring."""
    if site.kind == "temple":
        return 0.0 if site.guard is not None else site.value + GROWTH
    return FIND * site.treasures


def _nearness(state: TikalState, seat: int) -> tuple[float, ...]:
    """Return by cell: 1 where the seat stands, falling to 0 at a whole turn's walk."""
    pieces = tuple(at for at, site in enumerate(state.sites) if site is not None and site.pieces(seat))
    player = state.players[seat]
    camps = tuple(PLACE[cell] for cell in state.camps(seat)) if player.explorers or player.leader else ()
    return _near(state.land, pieces, camps)


@lru_cache(maxsize=2048)
def _near(land: Land, pieces: tuple[int, ...], camps: tuple[int, ...]) -> tuple[float, ...]:
    ways, found = roads(land), [FAR] * len(land)
    heap = [*((0, at) for at in pieces), *((ENTER, at) for at in camps)]
    heap.sort()
    while heap:
        cost, here = heappop(heap)
        if cost >= found[here]:
            continue
        found[here] = cost
        for there, stones in ways[here]:
            if cost + stones < found[there]:
                heappush(heap, (cost + stones, there))
    return tuple(1 - cost / FAR for cost in found)
