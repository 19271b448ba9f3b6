"""Crossing a road with exploration actions. A road is a route's icons from the bottom up, or those of two cards.

An action is what it gives (`cards.Exploration.gives`). It crosses one stretch of the road, as a block: the stretch is
what remains of its icons when some are struck out. So a block keeps its order and is not divided, and icons it does not
use are lost. An action that extends another one, or changes an icon, goes with that one action.

More actions never cross less, and starting further up never ends lower. So it is enough to know, for each set of
actions, how far up it can lead: its last action starts where the rest of the set has led.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain, combinations, product

from engine.game import Value
from engine.games.discoveries.cards import MOUNTAIN, RIVER, Discovery


class Leg(Value, frozen=True):
    """A stretch, and the indexes of the actions that cross it together; the first one moves."""

    actions: tuple[int, ...]
    icons: str


class Crossing(Value, frozen=True):
    """The index of the route taken on each card, and the legs from the bottom to the top."""

    routes: tuple[int, ...]
    legs: tuple[Leg, ...]


def can_write(written: Sequence[str], others: Sequence[str], dice: int, discoveries: Sequence[Discovery]) -> bool:
    """Do all completed actions and at most `dice` of the others cross one of these discoveries?"""
    actions, first = (*written, *others), (1 << len(written)) - 1
    return any(
        first & ~subset == 0 and far == len(route)
        for discovery in discoveries
        for route in discovery.routes
        for subset, far in reach(actions, route, len(written) + dice).items()
    )


def crossing(actions: Sequence[str], discoveries: Sequence[Discovery]) -> Crossing | None:
    """How these actions cross the discoveries one after another, using the fewest; None if they do not."""
    found = [
        (subset.bit_count(), subset, routes, road)
        for routes in product(*(range(len(discovery.routes)) for discovery in discoveries))
        for road in [_road(discoveries, routes)]
        for subset, far in reach(tuple(actions), road, len(actions)).items()
        if far == len(road)
    ]
    if not found:
        return None
    _, subset, routes, road = min(found, key=lambda way: way[:3])
    return Crossing(routes=routes, legs=tuple(_legs(tuple(actions), road, subset)))


def _road(discoveries: Sequence[Discovery], routes: Sequence[int]) -> str:
    """The routes joined, so that the last block of one card may run on over the next."""
    return "".join(discovery.routes[route] for discovery, route in zip(discoveries, routes, strict=True))


@lru_cache(maxsize=2048)
def reach(actions: tuple[str, ...], road: str, most: int) -> Mapping[int, int]:
    """The icons of the road that each set of at most `most` actions crosses; a set is a bit mask."""
    far = {0: 0}
    blocks = tuple(_blocks(actions))
    for subset in _subsets(len(actions), most):
        far[subset] = max(
            (_end(road, far[subset ^ used], moves, changes) for used, moves, changes in blocks if not used & ~subset),
            default=0,
        )
    return far


def _subsets(count: int, most: int) -> Iterator[int]:
    """All sets except the empty one, small ones first."""
    places = [1 << place for place in range(count)]
    sizes = range(1, min(count, most) + 1)
    return (sum(chosen) for chosen in chain.from_iterable(combinations(places, size) for size in sizes))


Block = tuple[int, tuple[str, ...], int]  # actions used (bit mask), moves to choose from, icons it may change


def _blocks(actions: tuple[str, ...]) -> Iterator[Block]:
    """Every action that moves, with every choice of helpers."""
    helpers = [place for place, gives in enumerate(actions) if gives[0] in "+~"]
    for place, gives in enumerate(actions):
        if place not in helpers:
            for helping in _choices(helpers):
                moves = tuple(_extended(gives.split("|"), [actions[helper] for helper in helping]))
                if moves:
                    used = sum(1 << one for one in (place, *helping))
                    yield used, moves, sum(actions[helper] == "~" for helper in helping)


def _choices(helpers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(helpers, size) for size in range(len(helpers) + 1))


def _extended(moves: Sequence[str], helping: Sequence[str]) -> Iterator[str]:
    """The moves that have the terrain of every extension, extended there."""
    more = [gives[1:] for gives in helping if gives != "~"]
    for move in moves:
        if all(icons[0] in move for icons in more):
            yield reduce(lambda longer, icons: longer.replace(icons[0], icons[0] + icons, 1), more, move)


def _end(road: str, start: int, moves: tuple[str, ...], changes: int) -> int:
    """The furthest end that one of the moves reaches from there."""
    return max(_advance(road, start, move, changes) for move in moves)


def _advance(road: str, start: int, move: str, changes: int) -> int:
    end = start
    for icon in move:
        end += road[end : end + 1] == icon
    if not changes:
        return end
    within = range(start, min(start + len(move), len(road)))
    return max((end, *(_advance(_changed(road, place), start, move, changes - 1) for place in within)))


def _changed(road: str, place: int) -> str:
    other = MOUNTAIN if road[place] == RIVER else RIVER
    return road[:place] + other + road[place + 1 :]


def _legs(actions: tuple[str, ...], road: str, subset: int) -> Iterator[Leg]:
    """The legs by which the set crosses the road: found from the top, yielded from the bottom."""
    if not subset:
        return
    far = reach(actions, road, len(actions))
    used = next(
        used
        for used, moves, changes in _blocks(actions)
        if not used & ~subset and _end(road, far[subset ^ used], moves, changes) == far[subset]
    )
    top, bottom = far[subset], far[subset ^ used]
    yield from _legs(actions, road, subset ^ used)
    yield Leg(actions=_members(used, actions), icons=road[bottom:top])


def _members(used: int, actions: tuple[str, ...]) -> tuple[int, ...]:
    """The indexes of a set's actions, the one that moves first."""
    members = [place for place in range(len(actions)) if used >> place & 1]
    return tuple(sorted(members, key=lambda place: (actions[place][0] in "+~", place)))
