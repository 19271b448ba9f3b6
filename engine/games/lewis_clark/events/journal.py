"""Events of cards that enter the journal of encounters and leave it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.lewis_clark import printed
from engine.games.lewis_clark.state import LewisClarkState, without

Printed = Mapping[str, Mapping[Any, str]]


class CardMet(Event, frozen=True, tag="CardMet"):
    """A card goes from the journal to a hand."""

    words: ClassVar[str] = "{seat} took {card} from the journal into their hand."
    printed: ClassVar[Printed] = {"card": printed.NAMES}
    seat: int
    card: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        hand = tuple(sorted((*state.players[self.seat].hand, self.card)))
        return replace(state.with_player(self.seat, hand=hand), journal=without(state.journal, self.card))


class JournalLeft(Event, frozen=True, tag="JournalLeft"):
    words: ClassVar[str] = "{cards:&} left the journal."
    printed: ClassVar[Printed] = {"cards": printed.NAMES}
    cards: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        journal = tuple(card for card in state.journal if card not in self.cards)
        return replace(state, journal=journal, discards=state.discards.add(self.cards))


class DeckRenewed(Event, frozen=True, tag="DeckRenewed"):
    """The discards become the deck, except the roles: they have other backs."""

    words: ClassVar[str] = "The deck ran out, so the discarded characters became the new deck."
    cards: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, deck=state.deck.add(self.cards), discards=state.discards.take(self.cards))


class JournalRefilled(Event, frozen=True, tag="JournalRefilled"):
    words: ClassVar[str] = "New in the journal: {cards}."
    printed: ClassVar[Printed] = {"cards": printed.NAMES}
    cards: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, journal=(*state.journal, *self.cards), deck=state.deck.take(self.cards))


class Recruited(Event, frozen=True, tag="Recruited"):
    words: ClassVar[str] = "{seat} recruited {card}."
    printed: ClassVar[Printed] = {"card": printed.NAMES}
    seat: int
    card: str

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, recruited=True)
