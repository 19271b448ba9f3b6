"""The solo game: Mackenzie's scout races one player to the Pacific.

He starts 0 to 7 spaces above Saint Louis, moves one forward after each turn of the player, and counts as a scout: no
other stands on his space, and cards that count scouts count him. Whoever reaches Fort Clatsop first has won: the player
with the camp, Mackenzie with the scout. Instead of neighbours' badges, each place of the village that holds an Indian
lends its badge.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.games.lewis_clark import route
from engine.games.lewis_clark.components import MACKENZIE_SPEED, PLACES


def start(level: int) -> int:
    """Where Mackenzie's scout stands when the game begins."""
    return route.START + level


def step(space: int, others: Collection[int]) -> int:
    """Where he stands after one more turn of the player: any terrain is his."""
    return route.settle(min(space + MACKENZIE_SPEED, route.LAST), space, others)


def won(space: int) -> bool:
    """Is he at the Pacific?"""
    return space >= route.FORT


def badges(occupied: Iterable[str], badge: str) -> int:
    """Badges of this kind that the village lends: one for each place that holds an Indian."""
    return sum(PLACES[place].badge == badge for place in occupied)
