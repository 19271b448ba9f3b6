"""Winning a tribe, and what it brings: a grey die, and with the Minnetaree a reserved card.

When the stock is empty, the player with the most grey dice gives one. If several tie, the taker chooses among them. The
giver chooses the die, outside the turn order, since nothing else depends on it. A grey die is rolled when it arrives,
so it does not matter which one it was: it counts as the taker's at once, and they roll without waiting. A giver
without a choice gives it before the roll.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

from msgspec import Meta as Bounds

from engine.errors import Refused
from engine.game import Command, Turn
from engine.games.discoveries.cards import Number
from engine.games.discoveries.changes import place_of
from engine.games.discoveries.dice import GREY, colour_of, face_of
from engine.games.discoveries.events import DieGiven, DieOwed, GreyMissed, GreyTaken, TribeWon
from engine.games.discoveries.playing import count_of
from engine.games.discoveries.spaces import OwnPlace, eligible
from engine.games.discoveries.state import DiscoveriesState
from engine.games.discoveries.throwing import throw_coming
from engine.kit import on_table


class Befriend(Command, frozen=True, tag="befriend"):
    """Win a tribe card of the Camp, after laying its Parley dice."""

    notation: ClassVar[str] = "befriend {card}"
    words: ClassVar[str] = "Win the tribe of card {card}."
    card: Annotated[Number, on_table("tribe")]

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        return (cls(card) for card in state.encounters)

    def untimely(self, turn: Turn, seat: int) -> Refused | None:
        """Name the dice that come first, unless something else is due."""
        state: DiscoveriesState = turn.state
        doing = state.doing
        is_due = state.choosing or doing.held or doing.due or doing.owes or owed_by(state, seat)
        if is_due or seat != state.seat or state.over:
            return None
        return Refused("tribe-unpaid", found=self.card)

    def check(self, state: DiscoveriesState, seat: int) -> None:
        possible = eligible(state, seat, state.doing.space)
        if self.card not in possible:
            raise Refused("tribe-not-there", found=self.card, space=state.doing.space, expected=possible)

    def play(self, turn: Turn, seat: int) -> None:
        state: DiscoveriesState = turn.state
        tribe = state.edition.card(self.card).tribe
        possible = () if state.stock else givers(self._won(state, seat), seat)
        reserve = ("reserve",) if tribe.effect == "minnetaree" and state.territories else ()
        ask = ("ask",) if len(possible) > 1 else ()
        turn.emit(TribeWon(seat, self.card, tribe.name, (*reserve, *ask)))
        if not reserve:
            take_grey(turn, seat)

    def _won(self, state: DiscoveriesState, seat: int) -> DiscoveriesState:
        """The position in which the givers are counted: with the card, since a Blackfeet hides a die at once.

        Under rules version 1 without it: a taker who then tied with several others got no grey die.
        """
        if state.rules < 2:
            return state
        return state.with_player(seat, tribes=(*state.players[seat].tribes, self.card))


def take_grey(turn: Turn, seat: int) -> None:
    """Take the grey die that a tribe brings after its own effect; wait if the taker must choose who gives."""
    state: DiscoveriesState = turn.state
    possible = () if state.stock else givers(state, seat)
    if state.stock:
        turn.emit(GreyTaken(seat))
        throw_coming(turn, seat)
    elif not possible:
        turn.emit(GreyMissed(seat))
    elif len(possible) == 1:
        owe(turn, seat, possible[0])


def owe(turn: Turn, taker: int, giver: int) -> None:
    """Record that the giver owes a die, give it if there is one way to, and roll for the taker."""
    turn.emit(DieOwed(taker, giver))
    places = grey_places(turn.state, giver)
    if len(places) == 1:
        turn.emit(DieGiven(giver, taker, places[0]))
    throw_coming(turn, taker)


def counted(state: DiscoveriesState, seat: int) -> int:
    """The grey dice of a seat that count when players compare them; each Blackfeet card hides one.

    Dice that pay for the tribe still count: they go to the bank after the effect.
    """
    spent = state.doing.greys if seat == state.seat else 0
    return max(0, state.greys(seat) + spent - count_of(state, seat, "blackfeet"))


def givers(state: DiscoveriesState, taker: int) -> tuple[int, ...]:
    """Other seats with the most grey dice; empty if the taker alone has the most, or if no grey die counts."""
    greys = [counted(state, seat) for seat in range(state.seats)]
    return tuple(seat for seat in range(state.seats) if seat != taker and greys[seat] == max(greys) > 0)


class Ask(Command, frozen=True, tag="ask"):
    """Choose which of the players with the most grey dice gives you one, when the stock is empty."""

    notation: ClassVar[str] = "ask {giver_seat}"
    words: ClassVar[str] = "Ask {giver_seat} for a grey die."
    giver_seat: Annotated[int, Bounds(ge=0, le=3)]

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        return map(cls, givers(state, seat))

    def check(self, state: DiscoveriesState, seat: int) -> None:
        possible = givers(state, seat)
        if self.giver_seat not in possible:
            raise Refused("not-most-grey", giver_seat=self.giver_seat, possible_seats=possible)

    def play(self, turn: Turn, seat: int) -> None:
        owe(turn, seat, self.giver_seat)


class Give(Command, frozen=True, tag="give"):
    """Give one of your grey dice to the player you owe one."""

    notation: ClassVar[str] = "give {place}"
    words: ClassVar[str] = "Give the grey die from {place}."
    place: OwnPlace

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        return (cls(place) for place in grey_places(state, seat))

    def check(self, state: DiscoveriesState, seat: int) -> None:
        places = grey_places(state, seat)
        if self.place not in places:
            raise Refused("no-grey-die-there", found=self.place, expected=places)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(DieGiven(seat, owed_by(turn.state, seat)[0], self.place))


def grey_places(state: DiscoveriesState, seat: int) -> tuple[str, ...]:
    """The places of a seat's grey dice: faces of its reserve, then spaces of its actions."""
    player = state.players[seat]
    faces = (face_of(die) for die, _ in player.reserve.rest if colour_of(die) == GREY)
    laid = (
        place_of(action.space, slot)
        for action in player.actions
        for slot, colour in enumerate(action.dice)
        if colour == GREY
    )
    return (*faces, *laid)


def owed_by(state: DiscoveriesState, seat: int) -> tuple[int, ...]:
    """The seats to which this seat owes a grey die, in the order in which it must give."""
    return tuple([owed.taker for owed in state.owed if owed.giver == seat]) if state.owed else ()
