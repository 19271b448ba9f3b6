"""Counts for effects: badges in sight, cards, Indians, goods, scouts."""

from __future__ import annotations

from engine.games.lewis_clark import route, solo
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.components import PLACES
from engine.games.lewis_clark.state import LewisClarkState

BADGES = {name: card.badge for name, card in CARDS.items()}


def count(state: LewisClarkState, seat: int, per: str | None, kind: str = "") -> int:
    """Return the number of `per` for this seat now; 1 if nothing is counted."""
    player = state.players[seat]
    match per:
        case "badges":
            return badges(state, seat, kind)
        case "face-up":
            return len(player.table)
        case "on-boats":
            return player.indians
        case "pairs":
            return player.goods.total // 2
        case "triples":
            return player.goods.total // 3
        case "in-village":
            return state.village.total
        case "scouts-ahead":
            return route.abreast_or_ahead(player.camp, state.scouts())
        case _:
            return 1


def badges(state: LewisClarkState, seat: int, kind: str) -> int:
    """Return the badges of this kind in the seat's play area and both neighbours'; alone, those of the village too."""
    with_under, seen = state.options.face_down_badges, 0
    for near in (seat, *state.neighbours(seat)):
        for played in state.players[near].table:
            seen += BADGES[played.card] == kind
            seen += with_under and BADGES.get(played.under) == kind
    if state.seats > 1:
        return seen
    return seen + solo.badges((place for place in PLACES if state.village.count(place)), kind)
