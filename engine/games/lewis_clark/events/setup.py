"""Events of the setup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.lewis_clark import printed
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import NEWCOMERS, LewisClarkState, Player, listed
from engine.kit import EMPTY

Printed = Mapping[str, Mapping[Any, str]]


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "The expeditions gather in Saint Louis."
    rules: int
    seats: int
    options: LewisClarkOptions

    def apply(self, state: None) -> LewisClarkState:
        return LewisClarkState(rules=self.rules, seats=self.seats, options=self.options)


class Prepared(Event, frozen=True, tag="Prepared"):
    """The start of every expedition, and the supplies beside the board."""

    words: ClassVar[str] = "Every expedition starts with {hand:&}. Aboard are {goods} and {indians:Indian}."
    printed: ClassVar[Printed] = {"hand": printed.NAMES, "goods": printed.AMOUNTS}
    hand: tuple[str, ...]
    goods: tuple[str, ...]
    indians: int
    newcomers: int
    stock: int
    deck: tuple[str, ...]
    boats: tuple[str, ...]
    mackenzie: int | None

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        player = Player(hand=self.hand, goods=EMPTY.add(listed(self.goods)), indians=self.indians)
        return replace(
            state,
            players=(player,) * state.seats,
            stock=self.stock,
            village=EMPTY.add([NEWCOMERS] * self.newcomers),
            deck=EMPTY.add(self.deck),
            boats=EMPTY.add(listed(self.boats)),
            mackenzie=self.mackenzie,
        )


class JournalLaid(Event, frozen=True, tag="JournalLaid"):
    words: ClassVar[str] = "The journal of encounters starts with {cards:&}."
    printed: ClassVar[Printed] = {"cards": printed.NAMES}
    cards: tuple[str, ...]

    def apply(self, state: LewisClarkState) -> LewisClarkState:
        return replace(state, journal=self.cards, deck=state.deck.take(self.cards))
