"""Commands that take a card from the Territories: the first one, the next, one to reserve, another route."""

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
    """The base of the four."""

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
    """The first card, before the first turn."""

    notation: ClassVar[str] = "choose {card}"
    words: ClassVar[str] = "Begin with card {card}."

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CardChosen(seat, self.card))
        pass_choice(turn, seat)


class Next(FromTerritories, frozen=True, tag="next"):
    """The card to explore after one was explored."""

    notation: ClassVar[str] = "next {card}"
    words: ClassVar[str] = "Take card {card} as the next to explore."

    def play(self, turn: Turn, seat: int) -> None:
        """Only then are the dice thrown that came back from the exploration."""
        turn.emit(CardChosen(seat, self.card))
        throw_coming(turn, seat)


class Reserve(FromTerritories, frozen=True, tag="reserve"):
    """What the Minnetaree bring: they are the tribe won last."""

    notation: ClassVar[str] = "reserve {card}"
    words: ClassVar[str] = "Put card {card} aside for oneself."

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CardReserved(seat, self.card, turn.state.players[seat].tribes[-1]))
        take_grey(turn, seat)


class Swap(FromTerritories, frozen=True, tag="swap"):
    """What the action `route` brings."""

    notation: ClassVar[str] = "swap {card}"
    words: ClassVar[str] = "Swap the own card for card {card}."

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(RouteChanged(seat, self.card, turn.state.players[seat].exploring))
