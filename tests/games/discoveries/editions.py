"""Editions for tests."""

from msgspec.structs import replace

from engine.games.discoveries.cards import Edition, Exploration, Need
from engine.games.discoveries.house import HOUSE


def _short() -> Edition:
    """The house edition with roads of one icon and tribe explorations that need one die of any face."""
    cards = []
    for card in HOUSE.cards:
        tribe = card.tribe
        if tribe.exploration is not None:
            easy = Exploration(needs=(Need(face="any"),), gives=tribe.exploration.gives)
            tribe = replace(tribe, exploration=easy)
        routes = ("R",) if card.number % 2 else ("M", "RM")
        cards.append(replace(card, tribe=tribe, discovery=replace(card.discovery, routes=routes)))
    return replace(HOUSE, name="short-roads", cards=tuple(cards))


SHORT = _short()
