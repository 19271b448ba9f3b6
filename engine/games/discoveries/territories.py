"""Commands that take a card from the Territories: the first, the next, one to reserve, another route."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self

from engine.errors import Refused
from engine.game import Command, Turn
from engine.games.discoveries.cards import Number
from engine.games.discoveries.events import CardChosen, CardReserved, RouteChanged
from engine.games.discoveries.state import DiscoveriesState
from engine.games.discoveries.throwing import throw_coming
from engine.games.discoveries.tribes import take_grey
from engine.games.discoveries.turns import pass_choice


class FromTerritories(Command, frozen=True):
    """The base of the four commands."""

    card: Number

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        return (cls(card) for card in state.territories)

    def check(self, state: DiscoveriesState, seat: int) -> None:
        check_territory(state, self.card)


def check_territory(state: DiscoveriesState, card: int) -> None:
    if card not in state.territories:
        raise Refused("not-in-territories", found=card, expected=state.territories)


class Choose(FromTerritories, frozen=True, tag="choose"):
    """Choose your first card to explore, before the first turn."""

    notation: ClassVar[str] = "choose {card}"
    words: ClassVar[str] = "Start with card {card}."

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CardChosen(seat, self.card))
        pass_choice(turn, seat)


class Next(FromTerritories, frozen=True, tag="next"):
    """Choose your next card to explore."""

    notation: ClassVar[str] = "next {card}"
    words: ClassVar[str] = "Take card {card} to explore next."

    def play(self, turn: Turn, seat: int) -> None:
        """The dice that came back from the exploration are rolled after the card is chosen."""
        turn.emit(CardChosen(seat, self.card))
        throw_coming(turn, seat)


class Reserve(FromTerritories, frozen=True, tag="reserve"):
    """Reserve a territory on the Minnetaree card you have just won."""

    notation: ClassVar[str] = "reserve {card}"
    words: ClassVar[str] = "Reserve card {card}."

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CardReserved(seat, self.card, turn.state.players[seat].tribes[-1]))
        take_grey(turn, seat)


class Swap(FromTerritories, frozen=True, tag="swap"):
    """Exchange your card to explore for one of the Territories, after laying a die on `route`."""

    notation: ClassVar[str] = "swap {card}"
    words: ClassVar[str] = "Exchange your card for card {card}."

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(RouteChanged(seat, self.card, turn.state.players[seat].exploring))
