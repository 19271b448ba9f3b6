"""Rest, new cards in the Camp, the next turn and the end."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.discoveries.changes import settled, undrawn, without_colour, without_dice
from engine.games.discoveries.printed import PRINTED
from engine.games.discoveries.state import NOTHING, DiscoveriesState
from engine.kit import EMPTY


class BankTaken(Event, frozen=True, tag="BankTaken"):
    words: ClassVar[str] = "{seat} rested and took all dice from the {bank} bank: {dice}."
    seat: int
    bank: str
    dice: tuple[str, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        doing = replace(state.doing, coming=state.doing.coming.add(self.dice))
        if self.bank == "left":
            return replace(state, doing=doing, left=EMPTY)
        return replace(state, doing=doing, right=EMPTY)


class NothingTaken(Event, frozen=True, tag="NothingTaken"):
    words: ClassVar[str] = "{seat} rested and took no dice."
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return state


class DiceRecalled(Event, frozen=True, tag="DiceRecalled"):
    words: ClassVar[str] = "{seat} rested and took back {places:die|dice} of their colour ({colour}) from {places:*}."
    printed = PRINTED
    seat: int
    colour: str
    places: tuple[str, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        colour, places = self.colour, self.places
        return replace(
            state,
            players=without_dice(state, colour, places),
            left=without_colour(state.left, colour, places.count("left")),
            right=without_colour(state.right, colour, places.count("right")),
            doing=replace(state.doing, coming=state.doing.coming.add([colour] * len(places))),
        )


class TribesArrived(Event, frozen=True, tag="TribesArrived"):
    words: ClassVar[str] = "New tribes in the Camp: {cards}."
    cards: tuple[int, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        encounters, deck = (*state.encounters, *self.cards), undrawn(state.deck, self.cards)
        return replace(state, encounters=encounters, deck=deck, top=0)


class TerritoriesOpened(Event, frozen=True, tag="TerritoriesOpened"):
    words: ClassVar[str] = "New cards in the Territories: {cards}."
    cards: tuple[int, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        territories, deck = (*state.territories, *self.cards), undrawn(state.deck, self.cards)
        return replace(state, territories=territories, deck=deck, top=0)


class ZoneFilled(Event, frozen=True, tag="ZoneFilled"):
    words: ClassVar[str] = "The Territories are empty, so {seat} takes card {card} from the top of the deck."
    seat: int
    card: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        player = replace(state.players[self.seat], exploring=self.card)
        return replace(state, players=state.players_with(self.seat, player), top=0)


class CardOpened(Event, frozen=True, tag="CardOpened"):
    words: ClassVar[str] = "Card {card} is now on top of the deck."
    card: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, deck=undrawn(state.deck, (self.card,)), top=self.card)


class DeckUsedUp(Event, frozen=True, tag="DeckUsedUp"):
    words: ClassVar[str] = "The deck is empty."

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, top=0)


class TurnEnded(Event, frozen=True, tag="TurnEnded"):
    words: ClassVar[str] = "{next_seat} is next."
    ends_turn: ClassVar[bool] = True
    seat: int
    next_seat: int
    last: tuple[int, ...] | None = None

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        players, following = settled(state, self.seat), state.turns + 1
        return replace(state, players=players, doing=NOTHING, seat=self.next_seat, turns=following, last=self.last)


class ExtraTurn(Event, frozen=True, tag="ExtraTurn"):
    words: ClassVar[str] = "{seat} explored two cards in one turn and takes another turn."
    ends_turn: ClassVar[bool] = True
    seat: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, players=settled(state, self.seat), doing=NOTHING, turns=state.turns + 1)


class Scored(Event, frozen=True, tag="Scored"):
    words: ClassVar[str] = (
        "{seat} scored[cards: {cards:point}][not cards: nothing] for cards,"
        "[species: {species:point}][not species: nothing] for species"
        " and[tribes: {tribes:point}][not tribes: nothing] for {tipis:tipi}."
    )
    seat: int
    cards: int
    species: int
    tribes: int
    tipis: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return state


class GameEnded(Event, frozen=True, tag="GameEnded"):
    words: ClassVar[str] = "The game is over."
    ends_turn: ClassVar[bool] = True
    reason: str

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, players=settled(state, state.seat), doing=NOTHING, over=self.reason)
