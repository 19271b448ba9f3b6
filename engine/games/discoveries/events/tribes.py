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
        player = state.players[self.seat]
        players = state.players_with(self.seat, replace(player, tribes=(*player.tribes, self.card)))
        encounters, doing = without(state.encounters, self.card), replace(state.doing, owes=self.owes)
        return replace(state, encounters=encounters, players=players, doing=doing)


class GreyTaken(Event, frozen=True, tag="GreyTaken"):
    words: ClassVar[str] = "{seat} took a grey die from the stock."
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        doing = replace(state.doing, coming=state.doing.coming.add([GREY]))
        return replace(state, stock=state.stock - 1, doing=doing)


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
        return replace(state, owed=owed, doing=replace(state.doing, coming=state.doing.coming.add([GREY]), owes=owes))


class DieGiven(Event, frozen=True, tag="DieGiven"):
    words: ClassVar[str] = "{seat} gave {taker_seat} a grey die from {place}."
    printed = PRINTED
    seat: int
    taker_seat: int
    place: str  # a face means the reserve; anything else is the space of an action

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        at = state.owed.index(Owed(giver=self.seat, taker=self.taker_seat))
        player = lifted(state.players[self.seat], GREY, self.place)
        players = state.players_with(self.seat, player)
        return replace(state, owed=state.owed[:at] + state.owed[at + 1 :], players=players)


class CardReserved(Event, frozen=True, tag="CardReserved"):
    words: ClassVar[str] = "{seat} reserved card {card} with the help of the Minnetaree."
    seat: int
    card: int
    tribe: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        player = state.players[self.seat]
        players = state.players_with(self.seat, replace(player, reserved=(*player.reserved, (self.tribe, self.card))))
        owes = tuple(word for word in state.doing.owes if word != "reserve")
        territories, doing = without(state.territories, self.card), replace(state.doing, owes=owes)
        return replace(state, territories=territories, players=players, doing=doing)
