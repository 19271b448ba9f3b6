"""The command `use`: for each effect its possible choices, the check of a choice, and the resulting events.

A player may always take less than an action brings. An effect that brings a number of one thing (goods, spaces) is
*measured*: the command gives a number only for less than everything. An effect that brings goods of several kinds is
*picked*: the command names the goods; `only 0` takes nothing. Goods without room on the boats are not taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from typing import Any

from engine.errors import Refused
from engine.game import Turn
from engine.games.lewis_clark import boats, route
from engine.games.lewis_clark.cards import HELPERS, helper
from engine.games.lewis_clark.components import PRIMARY, UPGRADE_GOODS, UPGRADE_INDIANS
from engine.games.lewis_clark.counts import count
from engine.games.lewis_clark.effects import (
    Bundle,
    Choose,
    Cost,
    Effect,
    Farewell,
    Lengthens,
    Move,
    Skips,
    Take,
    Tile,
    Way,
)
from engine.games.lewis_clark.events import BoatTaken, Gained, MoveLengthened, ScoutMoved
from engine.games.lewis_clark.journal import renew
from engine.games.lewis_clark.payments import check_order
from engine.games.lewis_clark.state import INDIAN, LewisClarkState, counted

Choice = tuple[tuple[str, ...] | None, int | None]  # goods named, number named


# --- choices --------------------------------------------------------------------------------------------------------


def choices(state: LewisClarkState, seat: int, cost: Cost, effect: Effect) -> Iterator[Choice]:
    """Yield every allowed choice, the whole first."""
    most = measure(state, seat, cost, effect)
    if most is not None:
        yield None, None
        yield from ((None, n) for n in reversed(range(most)))
        return
    if _whole_fits(state, seat, cost, effect):
        yield None, None
    yield from ((goods, None) for goods in _picks(state, seat, cost, effect))
    yield None, 0


def check_choice(
    state: LewisClarkState, seat: int, cost: Cost, effect: Effect, take: tuple[str, ...] | None, only: int | None
) -> None:
    """Refuse a choice that is not one of `choices`."""
    _check_tile(state, effect)
    most = measure(state, seat, cost, effect)
    if take is not None and (most is not None or only is not None):
        raise Refused("nothing-to-name", found="+".join(take))
    if take is not None:
        _check_pick(state, seat, cost, effect, take)
    elif only is not None and only >= (1 if most is None else most):
        raise Refused("not-less", found=only, most=1 if most is None else most)
    elif only is None and most is None and not _whole_fits(state, seat, cost, effect):
        raise Refused("goods-unnamed", **_facts(state, seat, cost, effect))


def _check_tile(state: LewisClarkState, effect: Effect) -> None:
    if isinstance(effect, Tile) and not state.boats.count(effect.holds):
        raise Refused("no-tile-left", holds=effect.holds)


def _check_pick(state: LewisClarkState, seat: int, cost: Cost, effect: Effect, take: tuple[str, ...]) -> None:
    check_order(take)
    if take not in set(_picks(state, seat, cost, effect)):
        raise Refused("not-offered", found="+".join(take), **_facts(state, seat, cost, effect))


def _facts(state: LewisClarkState, seat: int, cost: Cost, effect: Effect) -> dict[str, Any]:
    """Return what may be named here: the goods, how many, with or without repeats, and the room for them."""
    kinds, most, alone = _offer(state, seat, cost, effect)
    how = "each once" if alone else "in any number"
    return {"expected": kinds, "most": most, "how": how, "room": room(state, seat, cost, effect)}


def as_meant(state: LewisClarkState, seat: int, way: Way, take: tuple[str, ...] | None, only: int | None) -> Choice:
    """Return the choice in its one spelling: nothing for the whole, a number for goods of one kind."""
    if take and isinstance(way.effect, Take) and set(take) == {way.effect.kind} and only is None:
        only, take = len(take), None
    if take and isinstance(way.effect, Bundle) and sorted(take) == sorted(way.effect.goods):
        take = None
    return take, None if only == measure(state, seat, way.cost, way.effect) else only


def measure(state: LewisClarkState, seat: int, cost: Cost, effect: Effect) -> int | None:
    """Return the most of a measured effect, or None for a picked one."""
    match effect:
        case Take():
            return min(_amount(state, seat, effect), room(state, seat, cost, effect))
        case Move():
            return _reach(state, seat, effect)
        case Tile() if effect.holds == "indians":
            return min(UPGRADE_INDIANS, state.stock)
        case Farewell():
            return 0
        case _:
            return None


def room(state: LewisClarkState, seat: int, cost: Cost, effect: Effect) -> int:
    """Return how many goods the boats can take once the cost is paid."""
    player = state.players[seat]
    paid = sum(name != INDIAN for name in cost.fixed) + cost.chosen
    tiles = (*player.tiles, effect.tile) if isinstance(effect, Tile) else player.tiles
    return boats.room(tiles) - player.goods.total + paid


def _amount(state: LewisClarkState, seat: int, effect: Take | Choose) -> int:
    kind = effect.kind if isinstance(effect, Take) else ""
    return effect.amount * count(state, seat, effect.per, kind)


def _whole_fits(state: LewisClarkState, seat: int, cost: Cost, effect: Effect) -> bool:
    """Of picked effects only a bundle has one fixed whole."""
    return isinstance(effect, Bundle) and len(effect.goods) <= room(state, seat, cost, effect)


def _picks(state: LewisClarkState, seat: int, cost: Cost, effect: Effect) -> Iterator[tuple[str, ...]]:
    """Yield the goods that may be named; of a bundle, less than all of it."""
    kinds, most, alone = _offer(state, seat, cost, effect)
    choose = combinations if alone else combinations_with_replacement
    for n in range(most, 0, -1):
        yield from choose(kinds, n)


def _offer(state: LewisClarkState, seat: int, cost: Cost, effect: Effect) -> tuple[tuple[str, ...], int, bool]:
    """Return the kinds of goods that may be named, how many at most, and whether each only once."""
    free = room(state, seat, cost, effect)
    match effect:
        case Bundle():
            return effect.goods, min(len(effect.goods) - 1, free), True
        case Choose():
            return PRIMARY, min(_amount(state, seat, effect), effect.most, free), effect.differing
        case Tile():
            return PRIMARY, min(UPGRADE_GOODS, free), False
        case _:
            return (), 0, True


# --- moving ---------------------------------------------------------------------------------------------------------

LENGTHENS = {name: help_ for name, help_ in HELPERS.items() if isinstance(help_, Lengthens)}


def _reach(state: LewisClarkState, seat: int, effect: Move) -> int:
    """Return how many spaces the scout can really go, with a card that lengthens the move."""
    spaces = _spaces(state, seat, effect)
    reached = _go(state, seat, effect, spaces)
    _, longer = _lengthening(state, seat, effect)
    if reached and longer:
        reached = _go(state, seat, effect, spaces + longer)
    return reached


def _spaces(state: LewisClarkState, seat: int, effect: Move) -> int:
    return effect.spaces * count(state, seat, effect.per, effect.kind)


def _lengthening(state: LewisClarkState, seat: int, effect: Move) -> tuple[str, int]:
    """Return the character face up that makes a move of this action longer, and by how much; or "" and 0."""
    for played in state.players[seat].table:
        help_ = LENGTHENS.get(played.card)
        if help_ is not None and help_.terrain == effect.terrain and played.card not in state.bonus:
            return played.card, help_.spaces
    return "", 0


def _go(state: LewisClarkState, seat: int, effect: Move, most: int) -> int:
    """Return how many spaces the scout can enter, up to `most`."""
    player = state.players[seat]
    return route.reach(player.scout, most, effect.terrain, _not_counted(state, seat))


def _land(state: LewisClarkState, seat: int, effect: Move, spaces: int) -> int:
    """Return where a move of this many spaces leads."""
    return route.walk(state.players[seat].scout, spaces, effect.terrain, _not_counted(state, seat))


def _not_counted(state: LewisClarkState, seat: int) -> tuple[int, ...]:
    """Return the spaces that a move does not count: occupied ones, if a character face up skips them."""
    return state.scouts(without=seat) if helper(state.players[seat].face_up, Skips) else ()


# --- effects --------------------------------------------------------------------------------------------------------


def perform(turn: Turn, seat: int, effect: Effect, take: tuple[str, ...] | None, only: int | None) -> None:
    """Carry out an effect; the cost is paid and the choice checked."""
    state: LewisClarkState = turn.state
    most = measure(state, seat, Cost(), effect)
    number = only if only is not None else most
    match effect:
        case Take():
            _gain(turn, seat, (effect.kind,) * (number or 0))
        case Bundle():
            _gain(turn, seat, take or (() if only == 0 else effect.goods))
        case Choose():
            _gain(turn, seat, take or ())
        case Move():
            _move(turn, seat, effect, number or 0)
        case Tile():
            turn.emit(BoatTaken(seat, effect.tile, effect.holds))
            _gain(turn, seat, take or (INDIAN,) * (number or 0))
        case Farewell():
            renew(turn)


def _gain(turn: Turn, seat: int, names: tuple[str, ...]) -> None:
    if names:
        turn.emit(Gained(seat, counted(names)))


def _move(turn: Turn, seat: int, effect: Move, spaces: int) -> None:
    """Move the scout; the spaces of a card that lengthens moves count as used only if the move needs them."""
    state: LewisClarkState = turn.state
    if not spaces:
        return
    longer = spaces > _spaces(state, seat, effect)
    card, _ = _lengthening(state, seat, effect)
    turn.emit(ScoutMoved(seat, _land(state, seat, effect, spaces)))
    if longer:
        turn.emit(MoveLengthened(card))
