"""The solo game: Mackenzie's scout races one player to the Pacific.

Mackenzie's scout starts 0 to 7 spaces above Saint Louis, moves one space forward after each turn of the player, and
counts as a scout: it shares its space with no other, and cards that count scouts count it. The first at Fort Clatsop
wins: the player with the camp, Mackenzie with the scout. Instead of neighbours' badges, each place of the village that
holds an Indian lends its badge.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.games.lewis_clark import route
from engine.games.lewis_clark.components import MACKENZIE_SPEED, PLACES


def start(level: int) -> int:
    """Return the space on which Mackenzie's scout starts."""
    return route.START + level


def step(space: int, others: Collection[int]) -> int:
    """Return Mackenzie's space after one more turn of the player, over any terrain."""
    return route.settle(min(space + MACKENZIE_SPEED, route.LAST), space, others)


def won(space: int) -> bool:
    """Return True if Mackenzie's scout has reached the Pacific."""
    return space >= route.FORT


def badges(occupied: Iterable[str], badge: str) -> int:
    """Return the badges of this kind that the village lends: one for each place that holds an Indian."""
    return sum(PLACES[place].badge == badge for place in occupied)
