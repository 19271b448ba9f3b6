"""Which exploration actions cross a road, and how: the road is a route's icons from the bottom, or those of two cards.

An action is what it gives (`cards.Exploration.gives`). It crosses one stretch of the road, as a block: the stretch is
what is left of its icons when some are struck out. So its order stands, it is not divided, and what it does not use is
lost. An action that prolongs another one, or changes an icon, goes with that one action.

What more actions cross is never less, and starting further up never leads less far. So it is enough to know for each
set of actions how far up it leads at most: its last action starts where the rest of the set has led.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain, combinations, product

from engine.game import Value
from engine.games.discoveries.cards import MOUNTAIN, RIVER, Discovery


class Leg(Value, frozen=True):
    """A stretch, and the actions (their places in the list) that cross it together: the first one moves."""

    actions: tuple[int, ...]
    icons: str


class Crossing(Value, frozen=True):
    """The route taken on each card (its place on the card), and the legs from the bottom to the top."""

    routes: tuple[int, ...]
    legs: tuple[Leg, ...]


def can_write(written: Sequence[str], others: Sequence[str], dice: int, discoveries: Sequence[Discovery]) -> bool:
    """Is one of these discoveries crossed by all written actions and some of the others, as many as `dice` at most?"""
    actions, first = (*written, *others), (1 << len(written)) - 1
    return any(
        first & ~subset == 0 and far == len(route)
        for discovery in discoveries
        for route in discovery.routes
        for subset, far in reach(actions, route, len(written) + dice).items()
    )


def crossing(actions: Sequence[str], discoveries: Sequence[Discovery]) -> Crossing | None:
    """How these actions cross the discoveries one after another, with the fewest actions; None if they do not."""
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
    """The cards follow one another, so the last block on the first may go on over the second."""
    return "".join(discovery.routes[route] for discovery, route in zip(discoveries, routes, strict=True))


@lru_cache(maxsize=2048)
def reach(actions: tuple[str, ...], road: str, most: int) -> Mapping[int, int]:
    """How many icons of the road each set of at most `most` actions crosses; a set is a number with a bit for each."""
    far = {0: 0}
    blocks = tuple(_blocks(actions))
    for subset in _subsets(len(actions), most):
        far[subset] = max(
            (_end(road, far[subset ^ used], moves, changes) for used, moves, changes in blocks if not used & ~subset),
            default=0,
        )
    return far


def _subsets(count: int, most: int) -> Iterator[int]:
    """All sets but the empty one, small ones first."""
    places = [1 << place for place in range(count)]
    sizes = range(1, min(count, most) + 1)
    return (sum(chosen) for chosen in chain.from_iterable(combinations(places, size) for size in sizes))


Block = tuple[int, tuple[str, ...], int]  # the actions it uses, the moves of which it is one, icons it may change


def _blocks(actions: tuple[str, ...]) -> Iterator[Block]:
    """Every action that moves, with every choice of those that help."""
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
    """Those moves that have the terrain of every prolongation, prolonged there."""
    more = [gives[1:] for gives in helping if gives != "~"]
    for move in moves:
        if all(icons[0] in move for icons in more):
            yield reduce(lambda longer, icons: longer.replace(icons[0], icons[0] + icons, 1), more, move)


def _end(road: str, start: int, moves: tuple[str, ...], changes: int) -> int:
    """How far the best of the moves leads from there."""
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
    """The legs by which the set crosses the road, found from the top and told from the bottom."""
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
    """The places of a set's actions, the one that moves first."""
    members = [place for place in range(len(actions)) if used >> place & 1]
    return tuple(sorted(members, key=lambda place: (actions[place][0] in "+~", place)))
