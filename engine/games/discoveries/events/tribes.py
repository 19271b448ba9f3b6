"""Tribes won, and the grey dice and cards they bring."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.discoveries.changes import lifted, without
from engine.games.discoveries.dice import GREY
from engine.games.discoveries.printed import PRINTED
from engine.games.discoveries.state import DiscoveriesState, Owed


class TribeWon(Event, frozen=True, tag="TribeWon"):
    words: ClassVar[str] = "{seat} won card {card}, the {tribe}."
    seat: int
    card: int
    tribe: str
    owes: tuple[str, ...] = ()

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        tribes = (*state.players[self.seat].tribes, self.card)
        left = replace(state, encounters=without(state.encounters, self.card))
        return left.with_player(self.seat, tribes=tribes).with_doing(owes=self.owes)


class GreyTaken(Event, frozen=True, tag="GreyTaken"):
    words: ClassVar[str] = "{seat} took a grey die from the stock."
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, stock=state.stock - 1).with_doing(coming=state.doing.coming.add([GREY]))


class GreyMissed(Event, frozen=True, tag="GreyMissed"):
    words: ClassVar[str] = "{seat} gets no grey die: the stock is empty, and nobody has to give one."
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return state


class DieOwed(Event, frozen=True, tag="DieOwed"):
    words: ClassVar[str] = "{giver_seat} must give {seat} a grey die."
    seat: int
    giver_seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """The die counts as the taker's at once. The taker rolls it, so it does not matter which one it is."""
        owed = (*state.owed, Owed(giver=self.giver_seat, taker=self.seat))
        owes = tuple(word for word in state.doing.owes if word != "ask")
        return replace(state, owed=owed).with_doing(coming=state.doing.coming.add([GREY]), owes=owes)


class DieGiven(Event, frozen=True, tag="DieGiven"):
    words: ClassVar[str] = "{seat} gave {taker_seat} a grey die from {place}."
    printed = PRINTED
    seat: int
    taker_seat: int
    place: str  # a face means the reserve; anything else is the space of an action

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        at = state.owed.index(Owed(giver=self.seat, taker=self.taker_seat))
        given = replace(state, owed=state.owed[:at] + state.owed[at + 1 :])
        player = lifted(given.players[self.seat], GREY, self.place)
        return replace(given, players=(*given.players[: self.seat], player, *given.players[self.seat + 1 :]))


class CardReserved(Event, frozen=True, tag="CardReserved"):
    words: ClassVar[str] = "{seat} reserved card {card} with the help of the Minnetaree."
    seat: int
    card: int
    tribe: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        reserved = (*state.players[self.seat].reserved, (self.tribe, self.card))
        owes = tuple(word for word in state.doing.owes if word != "reserve")
        taken = replace(state, territories=without(state.territories, self.card))
        return taken.with_player(self.seat, reserved=reserved).with_doing(owes=owes)
