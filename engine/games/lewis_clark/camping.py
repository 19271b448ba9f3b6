"""Camps: their delay, where they leave scout and camp, and the designer's erratum for the lowest space."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.game import Turn
from engine.games.lewis_clark import boats, route
from engine.games.lewis_clark.cards import CARDS, ROLES, helper
from engine.games.lewis_clark.effects import Quicker
from engine.games.lewis_clark.events import BegunAnew, Camped, PacificReached
from engine.games.lewis_clark.state import LewisClarkState


class Costs(msgspec.Struct, frozen=True):
    """The parts of the delay of a camp."""

    cards: int  # still in hand
    goods: int  # on the boats
    indians: int
    saved: int

    @property
    def time(self) -> int:
        return max(self.cards + self.goods + self.indians - self.saved, 0)


def costs(tiles: tuple[str, ...], goods: int, indians: int, held: int, face_up: Iterable[str]) -> Costs:
    """Return the costs for this load and hand; `indians` includes those who return from cards."""
    loads = (boats.load_time(tiles, "goods", goods), boats.load_time(tiles, "indians", indians))
    return Costs(held, *loads, sum(n for _, n in quicker(face_up)))


def camp_time(state: LewisClarkState, seat: int) -> int:
    """Return the delay of a camp now: cards in hand, and boats once the Indians are back from cards."""
    player = state.players[seat]
    indians = player.indians + player.on_cards
    return costs(player.tiles, player.goods.total, indians, len(player.hand), player.face_up).time


def quicker(face_up: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return the card face up that shortens the delay, if there is one, and by how much."""
    found = helper(face_up, Quicker)
    return ((found[0], found[1].time),) if found else ()


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
