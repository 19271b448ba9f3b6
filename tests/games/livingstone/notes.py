"""Facts about Livingstone that the conformance suite needs beyond the contract."""

from collections import Counter

from engine.games.livingstone.components import GEMS
from engine.games.livingstone.state import LivingstoneState
from engine.kit import count
from tests.games.livingstone.test_refusals import CASES


def pieces(state: LivingstoneState) -> object:
    """Count stones and cards by kind, and each seat's tents, wherever they are."""
    stones = Counter(dict(state.bag.rest)) + Counter(dict(state.sold.rest))
    cards = Counter(dict(state.deck.rest)) + Counter(dict(state.spent.rest))
    for player in state.players:
        stones += Counter(dict(zip(GEMS, player.gems, strict=True)))
        cards += Counter(player.hand)
    tents = [state.tents_left(seat) + len(player.tents) for seat, player in enumerate(state.players)]
    return sorted(stones.items()), sorted(cards.items()), tents


def paid(before: LivingstoneState, after: LivingstoneState, seat: int) -> str:
    """Return the coins that a command took, in words."""
    coins = before.players[seat].coins - after.players[seat].coins
    return count(coins, "coin") if coins else ""


def refused() -> set[str]:
    """Return the codes that random games seldom meet; `test_refusals` has a case for each."""
    return {case.code for case in CASES}
