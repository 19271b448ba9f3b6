"""Resting, which takes a whole turn, and ending a turn that played dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Annotated, ClassVar, Literal, Self

from msgspec import Meta as Bounds

from engine.errors import Refused
from engine.game import Command, Spelling, Turn
from engine.games.discoveries.cards import FACES
from engine.games.discoveries.changes import place_of
from engine.games.discoveries.dice import COLOURS, PER_COLOUR, die_of
from engine.games.discoveries.events import BankTaken, DiceRecalled, NothingTaken
from engine.games.discoveries.spaces import Place
from engine.games.discoveries.state import Action, DiscoveriesState
from engine.games.discoveries.throwing import throw_coming
from engine.games.discoveries.turns import end_turn
from engine.kit import Supply

Places = Annotated[tuple[Place, ...], Bounds(min_length=1, max_length=PER_COLOUR)]


class RestOwn(Command, frozen=True, tag="rest-own"):
    """Take back and roll all dice of your colour, wherever they are, or only those at these places."""

    notation: ClassVar[str] = "rest own [{places}]"
    words: ClassVar[str] = "Take back[not places: all your dice, wherever they are][places: your dice from {places}]."
    spelling: ClassVar[Spelling] = Spelling(sets=("places",))
    places: Places | None = None

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        """All dice first, then every other choice of some of them."""
        have = own_places(state, seat)
        yield cls()
        yield from (cls(places) for places in _choices(have) if places not in ((), have))

    def meant(self, state: DiscoveriesState, seat: int) -> RestOwn:
        """Naming every place means the same as naming none."""
        return RestOwn() if self.places == own_places(state, seat) else self

    def check(self, state: DiscoveriesState, seat: int) -> None:
        places, have = self.places, own_places(state, seat)
        if places is None:
            if not have:
                raise Refused("no-own-dice")
            return
        if list(places) != sorted(places):
            raise Refused("places-in-order", found=places)
        if places == have:
            raise Refused("all-own-dice")
        left = list(have)
        for place in places:
            if place not in left:
                raise Refused("no-own-die-there", found=places, expected=have)
            left.remove(place)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(DiceRecalled(seat, COLOURS[seat], self.places or own_places(turn.state, seat)))
        throw_coming(turn, seat)
        end_turn(turn, seat)


class RestNone(Command, frozen=True, tag="rest-none"):
    """Rest without taking any dice."""

    notation: ClassVar[str] = "rest none"
    words: ClassVar[str] = "Rest and take no dice."

    def wastes(self, state: DiscoveriesState, seat: int) -> str:
        free = state.left.total or state.right.total or own_places(state, seat)
        return "You rest without any of the dice that you could take." if free else ""

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(NothingTaken(seat))
        end_turn(turn, seat)


FACE_OF = {colour: {die_of(colour, face): face for face in FACES} for colour in COLOURS}


def own_places(state: DiscoveriesState, seat: int) -> tuple[str, ...]:
    """The places of the dice of a seat's colour, one for each die, sorted."""
    colour = COLOURS[seat]
    faces = FACE_OF[colour]
    places = ["left"] * state.left.count(colour) + ["right"] * state.right.count(colour)
    for number, player in enumerate(state.players, 1):
        for die, count in player.reserve.rest:
            if die in faces:
                places += [f"{number}.{faces[die]}"] * count
        for action in player.actions:
            if colour in action.dice:
                places += _slots_with(number, action, colour)
    return tuple(sorted(places))


def _slots_with(number: int, action: Action, colour: str) -> list[str]:
    return [f"{number}.{place_of(action.space, slot)}" for slot, lying in enumerate(action.dice) if lying == colour]


def _choices(places: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every choice of these places, each once, the empty one first."""
    counts = sorted(Counter(places).items())
    for taken in product(*(range(count + 1) for _, count in counts)):
        yield tuple(place for (place, _), number in zip(counts, taken, strict=True) for _ in range(number))


class Rest(Command, frozen=True, tag="rest"):
    """Take and roll all dice of one bank, whatever their colour."""

    notation: ClassVar[str] = "rest {bank}"
    words: ClassVar[str] = "Take all dice from the {bank} bank."
    bank: Literal["right", "left"]

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        return (cls("right"), cls("left")).__iter__()

    def check(self, state: DiscoveriesState, seat: int) -> None:
        if not self._dice(state).total:
            raise Refused("bank-empty", bank=self.bank)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(BankTaken(seat, self.bank, self._dice(turn.state).pieces))
        throw_coming(turn, seat)
        end_turn(turn, seat)

    def _dice(self, state: DiscoveriesState) -> Supply:
        return state.right if self.bank == "right" else state.left


class End(Command, frozen=True, tag="end"):
    """End your turn; the Camp is filled up."""

    notation: ClassVar[str] = "end"
    words: ClassVar[str] = "End the turn."
    closes: ClassVar[bool] = True
    spelling: ClassVar[Spelling] = Spelling(also=("end turn", "turn end", "done"))

    def play(self, turn: Turn, seat: int) -> None:
        end_turn(turn, seat)
