"""Exploring: the Write dice, and the crossing they lead to.

A Write die may be laid only if the completed actions, with Write dice that can still follow, cross a card. Only more
Write dice or the crossing may come next; then all completed actions give their dice back. A player explores once a
turn: one card, or two that follow one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

from engine.errors import Refused
from engine.game import Command, Turn
from engine.games.discoveries.cards import Discovery, Number
from engine.games.discoveries.dice import face_of
from engine.games.discoveries.events import (
    ActionsCleared,
    CardExplored,
    RoadTravelled,
    SeatFinished,
    Written,
)
from engine.games.discoveries.exploration import Crossing, Leg, can_write, crossing
from engine.games.discoveries.lay import check_die
from engine.games.discoveries.playing import more_after, plays
from engine.games.discoveries.printed import PRINTED
from engine.games.discoveries.spaces import Die, Exploring, explorations
from engine.games.discoveries.state import DiscoveriesState
from engine.games.discoveries.territories import check_territory
from engine.games.discoveries.throwing import throw_coming
from engine.kit import on_table


class Write(Command, frozen=True, tag="write"):
    """Complete a prepared exploration action with a Write die, to use it this turn."""

    notation: ClassVar[str] = "write {space} {die}"
    words: ClassVar[str] = "Complete {space} with {die}."
    space: Exploring
    die: Die

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        dice = [die for die in plays(state) if face_of(die) == "write"]
        ready = unwritten(state, seat) if dice else ()
        return (cls(space, die) for space in ready for die in dice)

    def check(self, state: DiscoveriesState, seat: int) -> None:
        if state.doing.crossed:
            raise Refused("explored-already")
        ready = unwritten(state, seat)
        if self.space not in ready:
            raise Refused("not-ready", found=self.space, expected=ready)
        if face_of(self.die) != "write":
            raise Refused("no-write-die", found=self.die)
        check_die(state, self.die)
        others = [space for space in ready if space != self.space]
        more = more_after(state, self.die, len(others))
        actions = explorations(state, seat)
        now = [actions[space].gives for space in (*written(state, seat), self.space)]
        if not can_write(now, [actions[space].gives for space in others], more, first_cards(state, seat)):
            raise Refused("leads-nowhere", space=self.space, roads=roads_of(state, first_numbers(state, seat)))

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Written(seat, self.space, self.die))


class Cross(Command, frozen=True, tag="cross"):
    """Explore a card, and a second one from the Territories if possible, with all completed actions."""

    notation: ClassVar[str] = "cross {card} [then {second}]"
    words: ClassVar[str] = "Explore card {card}[, then card {second}]."
    card: Number
    second: Annotated[Number, on_table("card")] | None = None

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        return (cls(card, second) for card in first_numbers(state, seat) for second in (None, *state.territories))

    def check(self, state: DiscoveriesState, seat: int) -> None:
        possible = first_numbers(state, seat)
        if self.card not in possible:
            raise Refused("card-not-to-explore", found=self.card, expected=possible)
        if self.second is not None:
            check_territory(state, self.second)
        if self._crossing(state, seat) is None:
            raise Refused("not-crossed", actions=written(state, seat), roads=roads_of(state, self._cards))

    def play(self, turn: Turn, seat: int) -> None:
        state: DiscoveriesState = turn.state
        way = self._crossing(state, seat)
        assert way is not None  # the check has passed
        spaces = written(state, seat)
        turn.emit(RoadTravelled(seat, tuple(_leg(leg, spaces) for leg in way.legs)))
        for card, route in zip(self._cards, way.routes, strict=True):
            turn.emit(CardExplored(seat, card, state.edition.card(card).discovery.routes[route]))
        turn.emit(ActionsCleared(seat, spaces, ("next",) if self._needs_next(turn.state, seat) else ()))
        if self._finished(turn.state, seat):
            others = ((seat + step) % state.seats for step in range(1, state.seats))
            turn.emit(SeatFinished(seat, tuple(others)))
        if not turn.state.doing.owes:
            throw_coming(turn, seat)

    @property
    def _cards(self) -> tuple[int, ...]:
        return (self.card,) if self.second is None else (self.card, self.second)

    def _crossing(self, state: DiscoveriesState, seat: int) -> Crossing | None:
        actions = explorations(state, seat)
        gives = [actions[space].gives for space in written(state, seat)]
        return crossing(gives, [state.edition.card(card).discovery for card in self._cards])

    def _needs_next(self, state: DiscoveriesState, seat: int) -> bool:
        return not state.players[seat].exploring and bool(state.territories)

    def _finished(self, state: DiscoveriesState, seat: int) -> bool:
        """Is this the first seat that cannot fill its Exploration zone again?"""
        used_up = not state.territories and not state.top
        return used_up and not state.players[seat].exploring and state.last is None


def _leg(leg: Leg, spaces: tuple[str, ...]) -> str:
    """`RRRR by card 3 with card 34`: the stretch, the action that crossed it, and those that helped."""
    return f"{leg.icons} by {' with '.join(PRINTED['spaces'][spaces[at]] for at in leg.actions)}"


def first_numbers(state: DiscoveriesState, seat: int) -> tuple[int, ...]:
    """Cards that can be crossed first: the one in the Exploration zone, and those on Minnetaree cards."""
    player = state.players[seat]
    reserved = (card for _, card in player.reserved)
    return (*((player.exploring,) if player.exploring else ()), *reserved)


def first_cards(state: DiscoveriesState, seat: int) -> tuple[Discovery, ...]:
    return tuple(state.edition.card(card).discovery for card in first_numbers(state, seat))


def roads_of(state: DiscoveriesState, cards: tuple[int, ...]) -> tuple[str, ...]:
    """Cards with their roads, as words for a refusal: `card 22 (RRMRM or MRM)`."""
    return tuple(f"card {card} ({' or '.join(state.edition.card(card).discovery.routes)})" for card in cards)


def written(state: DiscoveriesState, seat: int) -> tuple[str, ...]:
    return tuple(action.space for action in state.players[seat].actions if action.write)


def unwritten(state: DiscoveriesState, seat: int) -> tuple[str, ...]:
    """Actions that lack only their Write die."""
    return tuple(action.space for action in state.players[seat].actions if action.ready and not action.write)
