"""Events of camps, of the end of a turn and of the end of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.lewis_clark import printed
from engine.games.lewis_clark.state import POW_WOW, LewisClarkState
from engine.kit import EMPTY

Printed = Mapping[str, Mapping[Any, str]]


class Camped(Event, frozen=True, tag="Camped"):
    words: ClassVar[str] = (
        "{seat} camped[time: with a delay of {time:space}]. "
        "The scout is now on space {scout} and the camp on space {camp}."
    )
    seat: int
    time: int
    scout: int
    camp: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player, hand = state.players[self.seat], tuple(sorted(state.players[self.seat].cards))
        indians = player.indians + player.on_cards
        player = replace(player, hand=hand, table=(), indians=indians, scout=self.scout, camp=self.camp)
        return replace(state, players=state.players_with(self.seat, player), camped=True)


class BegunAnew(Event, frozen=True, tag="BegunAnew"):
    """The designer's erratum: on the lowest space only the roles stay; goods, Indians and recruits are lost."""

    words: ClassVar[str] = "{seat} camped on the lowest space and starts anew with only {hand:&}."
    printed: ClassVar[Printed] = {"hand": printed.NAMES}
    seat: int
    hand: tuple[str, ...]
    left: tuple[str, ...]  # recruits that are discarded
    back: tuple[str, ...]  # roles that come back from the discards

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        indians = state.players[self.seat].indians
        state = state.with_player(self.seat, hand=self.hand, goods=EMPTY, indians=0)
        discards = state.discards.add(self.left).take(self.back)
        return replace(state, discards=discards, village=state.village.add([POW_WOW] * indians))


class TurnEnded(Event, frozen=True, tag="TurnEnded"):
    words: ClassVar[str] = "{next_seat} is next."
    ends_turn: ClassVar[bool] = True
    next_seat: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(
            state,
            seat=self.next_seat,
            turns=state.turns + 1,
            acted=False,
            camped=False,
            recruited=False,
        )


class MackenzieMoved(Event, frozen=True, tag="MackenzieMoved"):
    words: ClassVar[str] = "Mackenzie's scout moved to space {space}."
    ends_turn: ClassVar[bool] = True
    space: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, mackenzie=self.space)


class PacificReached(Event, frozen=True, tag="PacificReached"):
    words: ClassVar[str] = "{seat} was the first to camp at the Pacific and won the race!"
    seat: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, winner=self.seat, over="pacific")


class MackenzieWon(Event, frozen=True, tag="MackenzieWon"):
    words: ClassVar[str] = "Mackenzie's scout reached Fort Clatsop first and won the race."

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, over="mackenzie")


class Conceded(Event, frozen=True, tag="Conceded"):
    words: ClassVar[str] = "{seat} gave up the race, so Mackenzie wins."
    seat: int

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, over="mackenzie")
