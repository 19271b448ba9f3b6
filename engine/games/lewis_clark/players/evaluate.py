"""The worth of a position to a seat, in spaces of river: how far its scout is, and how far its cards and goods lead.

The figures come from matches (`sealedmove arena lewis_clark`), not from the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import msgspec

from engine.games.lewis_clark.boats import camp_time
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.effects import Move
from engine.games.lewis_clark.route import FORT, LAST, LOWEST, terrain
from engine.games.lewis_clark.state import LewisClarkState, Player
from engine.players import Part

WON = 1000.0
SIGHT = 12  # spaces ahead that make goods worth having
KEEP = {"commander": 3.0, "interpreter": 2.0, "hunter": 1.0, "lumberjack": 0.7}  # never discarded
FALLING = (1.0, 1.0, 1.0, 0.5, 0.3, 0.1)  # the first of a kind is worth most
TRADE = (0.5, 0.45, 0.4, 0.2, 0.1, 0.05)
ABOARD_BEFORE_FORT = 4  # spaces past the fort up to which goods aboard keep some worth
HANDFUL = 8  # cards; more are a burden


class Mind(msgspec.Struct, frozen=True):
    """The worth of things to a player, in spaces of river, and how far it plans."""

    haste: float = 1.0  # a space
    mountain: float = 3.0  # a mountain space, which is harder to reach
    food: float = 0.5
    canoe: float = 1.8
    horse: float = 3.6
    higher: float = 0.6  # goods are worth this much more before mountains: they become horses
    ready: tuple[float, ...] = (0.2, 0.1, 0.7)  # a card in hand: any, by strength, one that moves the scout
    aboard: tuple[float, ...] = (1.2, 1.2, 1.0, 0.5, 0.2)  # Indians, the first to the fifth
    spent: float = 0.5  # an Indian on a card waits for the camp
    load: float = 0.8  # delay of a camp
    ahead: int = 1  # own turns that are planned
    kept: int = 5  # positions that are kept after each turn


def worth(state: LewisClarkState, seat: int, mind: Mind) -> float:
    """Return the worth of a position to a seat; with more haste, things kept for later count less."""
    if state.winner == seat:
        return WON
    player = state.players[seat]
    indians = player.indians + player.on_cards
    left = max(FORT + ABOARD_BEFORE_FORT - player.scout, 0) / FORT
    people = _sum(mind.aboard, indians) - mind.spent * player.on_cards
    return (
        mind.haste * way(player.scout, mind.mountain)
        + min(1.0, 4 * left) * (_goods(player, mind) + people)
        + left * _cards(player.cards)
        + _ready(player.hand, mind.ready)
        - mind.load * camp_time(player.tiles, player.goods.total, indians)
    )


def parts(state: LewisClarkState, seat: int, mind: Mind) -> tuple[Part, ...]:
    """Return the parts of `worth`."""
    if state.winner == seat:
        return (Part("wins the race", WON),)
    player = state.players[seat]
    indians = player.indians + player.on_cards
    left = max(FORT + ABOARD_BEFORE_FORT - player.scout, 0) / FORT
    people = _sum(mind.aboard, indians) - mind.spent * player.on_cards
    late = min(1.0, 4 * left)
    return (
        Part("moves the scout on, worth {amount}", mind.haste * way(player.scout, mind.mountain)),
        Part("gains goods worth about {amount}", late * _goods(player, mind)),
        Part("gains Indians worth about {amount}", late * people),
        Part("gains characters worth about {amount}", left * _cards(player.cards)),
        Part("leaves cards ready to play, worth about {amount}", _ready(player.hand, mind.ready)),
        Part(
            "loses less time at the next camp, worth about {amount}",
            -mind.load * camp_time(player.tiles, player.goods.total, indians),
        ),
    )


@cache
def way(space: int, mountain: float) -> float:
    """Return how far a space is on the way."""
    return sum(mountain if terrain(s) == "mountain" else 1.0 for s in range(LOWEST, space + 1))


@cache
def sight(space: int) -> tuple[float, int]:
    """Return the share of river in the next spaces, and the horses that their mountains take."""
    kinds = [terrain(s) for s in range(space + 1, min(space + SIGHT, LAST) + 1)]
    high = sum(kind == "mountain" for kind in kinds)
    return (len(kinds) - high) / SIGHT, (high + 1) // 2


def _goods(player: Player, mind: Mind) -> float:
    river, horses = sight(player.scout)
    goods = dict(player.goods.rest)
    useful = min(goods.get("horse", 0), horses)
    fuel = (("food", mind.food), ("canoe", mind.canoe))
    total = sum(river * each * _sum(FALLING, goods.get(good, 0)) for good, each in fuel)
    trade = sum(_sum(TRADE, goods.get(good, 0)) for good in ("fur", "equipment", "wood", "food"))
    return total + mind.horse * useful + (1 + mind.higher * (horses > 0)) * trade


def _sum(values: Sequence[float], n: int) -> float:
    return sum(values[:n]) + values[-1] * max(n - len(values), 0)


@lru_cache(maxsize=4096)
def _cards(cards: tuple[str, ...]) -> float:
    """Return the worth of the cards for the rest of the way."""
    each = (KEEP.get(card, CARDS[card].strength + 0.8 * moves(card) - 0.5) for card in cards)
    return sum(each) - 0.6 * max(len(cards) - HANDFUL, 0)


@lru_cache(maxsize=4096)
def _ready(hand: tuple[str, ...], ready: tuple[float, ...]) -> float:
    any_card, strength, mover = ready
    return sum(any_card + strength * CARDS[card].strength + mover * moves(card) for card in hand)


@cache
def moves(card: str) -> bool:
    """Return True if the action of a card moves the scout."""
    return any(isinstance(line.effect, Move) for line in CARDS[card].ways)
