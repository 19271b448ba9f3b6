"""What the conformance suite knows of Livingstone beyond the contract."""

from collections import Counter

from engine.games.livingstone.components import GEMS
from engine.games.livingstone.state import LivingstoneState
from tests.games.livingstone.test_refusals import CASES


def pieces(state: LivingstoneState) -> object:
    """Stones and cards by kind, and each seat's tents; each is in a supply, before a player, in a hand or pitched."""
    stones = Counter(dict(state.bag.rest)) + Counter(dict(state.sold.rest))
    cards = Counter(dict(state.deck.rest)) + Counter(dict(state.spent.rest))
    for player in state.players:
        stones += Counter(dict(zip(GEMS, player.gems, strict=True)))
        cards += Counter(player.hand)
    tents = [state.tents_left(seat) + len(player.tents) for seat, player in enumerate(state.players)]
    return sorted(stones.items()), sorted(cards.items()), tents


def refused() -> set[str]:
    """Codes that random games seldom meet; test_refusals holds each."""
    return {case.code for case in CASES}
