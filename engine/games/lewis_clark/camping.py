"""How long a camp takes, where it leaves scout and camp, and the author's erratum for the lowest space."""

from __future__ import annotations

from collections.abc import Iterable

from engine.game import Turn
from engine.games.lewis_clark import boats, route
from engine.games.lewis_clark.cards import CARDS, ROLES, helper
from engine.games.lewis_clark.effects import Quicker
from engine.games.lewis_clark.events import BegunAnew, Camped, PacificReached
from engine.games.lewis_clark.state import LewisClarkState


def camp_time(state: LewisClarkState, seat: int) -> int:
    """Cards still in hand, and the boats once the Indians are back from the cards."""
    player = state.players[seat]
    load = boats.camp_time(player.tiles, player.goods.total, player.indians + player.on_cards)
    return max(len(player.hand) + load - saved(player.face_up), 0)


def saved(face_up: Iterable[str]) -> int:
    """Time that a card face up saves."""
    found = helper(face_up, Quicker)
    return found[1].time if found else 0


def camp(turn: Turn, seat: int) -> None:
    state: LewisClarkState = turn.state
    player, time = state.players[seat], camp_time(state, seat)
    scout = route.back(player.scout, time, state.scouts(without=seat))
    turn.emit(Camped(seat, time, scout, route.camp(player.camp, scout)))
    if route.arrived(turn.state.players[seat].camp) and seat not in state.gone:
        turn.emit(PacificReached(seat))
    elif scout == route.LOWEST and state.options.start_over:
        _begin_anew(turn, seat)


def _begin_anew(turn: Turn, seat: int) -> None:
    roles = tuple(sorted(role.id for role in ROLES))
    hand = turn.state.players[seat].hand
    left = tuple(card for card in hand if CARDS[card].number)
    turn.emit(BegunAnew(seat, roles, left, tuple(role for role in roles if role not in hand)))
