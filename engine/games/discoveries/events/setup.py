"""The start: the Camp is laid out, and each player chooses a card."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.discoveries.changes import without
from engine.games.discoveries.meta import DiscoveriesOptions
from engine.games.discoveries.state import NOTHING, DiscoveriesState, Player


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "The Corps of Discovery prepares to set out."
    rules: int
    seats: int
    options: DiscoveriesOptions

    def apply(self, state: None) -> DiscoveriesState:
        edition = self.options.edition
        return DiscoveriesState(
            rules=self.rules,
            seats=self.seats,
            edition=edition,
            players=(Player(),) * self.seats,
            stock=0,
            deck=tuple(card.number for card in edition.cards),
        )


class CampLaidOut(Event, frozen=True, tag="CampLaidOut"):
    words: ClassVar[str] = (
        "Cards not in this game: {removed}. Tribes in the Camp: {encounters}. Territories: {territories}. "
        "Top card of the deck: {top}. The stock holds {stock:grey die|grey dice}."
    )
    removed: tuple[int, ...]
    encounters: tuple[int, ...]
    territories: tuple[int, ...]
    top: int
    stock: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        used = {*self.removed, *self.encounters, *self.territories, self.top}
        return replace(
            state,
            removed=self.removed,
            encounters=self.encounters,
            territories=self.territories,
            top=self.top,
            stock=self.stock,
            deck=tuple(card for card in state.deck if card not in used),
        )


class CardChosen(Event, frozen=True, tag="CardChosen"):
    words: ClassVar[str] = "{seat} chose card {card} to explore."
    seat: int
    card: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """Puts the card into the Exploration zone, at the start and after exploring."""
        players = state.players_with(self.seat, replace(state.players[self.seat], exploring=self.card))
        territories = without(state.territories, self.card)
        doing = NOTHING if state.choosing else replace(state.doing, owes=())
        return replace(state, territories=territories, players=players, doing=doing)


class ChoicePassed(Event, frozen=True, tag="ChoicePassed"):
    words: ClassVar[str] = "{next_seat} chooses a card next."
    next_seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, seat=self.next_seat)


class SetOut(Event, frozen=True, tag="SetOut"):
    words: ClassVar[str] = "Everyone has a card and has rolled their dice. {seat} begins."
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, choosing=False, seat=self.seat, turns=1)
