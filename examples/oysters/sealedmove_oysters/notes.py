"""Facts about Oysters that the conformance suite needs beyond the contract. Nothing else imports them."""

from collections import Counter

from sealedmove_oysters.rules import OystersState


def pieces(state: OystersState) -> object:
    """Oysters only leave the game: nobody ever has more than a crab and three pearls."""
    had = [Counter(one.hand + one.pile) for one in state.players]
    return [oysters <= Counter(crab=1, pearl=3) for oysters in had]
