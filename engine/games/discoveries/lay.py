"""Laying dice: the actions that happen at once, and the prerequisites of those that explore.

The dice of one action are laid one after another, and the first is refused if the rest could not follow or if the
action could bring nothing; so an action that is begun is always carried out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self

from engine.errors import Refused
from engine.game import Command, Turn
from engine.games.discoveries.cards import FACES, Face, Need, Number
from engine.games.discoveries.dice import BANKS, colour_of, die_of, face_of
from engine.games.discoveries.events import DieLaid, DieShifted, DieSpent, DieTurned, RouteChanged
from engine.games.discoveries.playing import after, count_of, most, plays
from engine.games.discoveries.spaces import (
    AT_ONCE,
    BRINGS,
    TO_TURN,
    Die,
    Space,
    eligible,
    explorations,
    laid_on,
    slot_for,
)
from engine.games.discoveries.state import DiscoveriesState


def check_die(state: DiscoveriesState, die: str, face: str) -> DiscoveriesState:
    """The position with this die played as this face, or the reason why it may not be."""
    if not state.player.reserve.count(die):
        raise Refused("no-such-die", found=die)
    left = after(state, die, face)
    if left is None:
        raise Refused("face-not-played", found=die, face=face, played=state.doing.faces)
    return left


def shift(turn: Turn, seat: int, die: str, face: str) -> str:
    """The die as it is played: a Sioux card may have turned it."""
    if face_of(die) == face:
        return die
    turn.emit(DieShifted(seat, die, face))
    return die_of(colour_of(die), face)


class Lay(Command, frozen=True, tag="lay"):
    notation: ClassVar[str] = "lay {space} {die} [as {face}]"
    space: Space
    die: Die
    face: Face | None = None

    @classmethod
    def options(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        spaces = (state.doing.space,) if state.doing.due else (*AT_ONCE, *explorations(state, seat))
        dice = tuple(plays(state))
        for space in spaces:
            for die, face in dice:
                yield cls(space, die, face if face != face_of(die) else None)  # type: ignore[arg-type]  # a Face word

    def check(self, state: DiscoveriesState, seat: int) -> None:
        if self.face == face_of(self.die):
            raise Refused("shows-it-already", found=self.die)
        if state.doing.due:
            self._check_next(state)
            return
        left = check_die(state, self.die, self._as)
        need = self._need(state, seat)
        if most(left, self._as, need.dice - 1) < need.dice - 1:
            raise Refused("too-few-dice", space=self.space, need=need.dice, face=self._as)
        self._check_use(state, seat)

    def play(self, turn: Turn, seat: int) -> None:
        state: DiscoveriesState = turn.state
        begun = bool(state.doing.due)
        due = (state.doing.due if begun else self._need(state, seat).dice) - 1
        die = shift(turn, seat, self.die, self._as)
        if begun or self.space in AT_ONCE:
            turn.emit(self._spent(state, seat, die, due))
        else:
            slot = slot_for(state, seat, self.space, self._as)
            turn.emit(DieLaid(seat, self.space, die, slot, len(laid_on(state, seat, self.space)), due))

    @property
    def _as(self) -> str:
        return self.face or face_of(self.die)

    def _spent(self, state: DiscoveriesState, seat: int, die: str, due: int) -> DieSpent:
        owes = () if due or self.space not in AT_ONCE else (BRINGS[self.space],)
        left = TO_TURN + count_of(state, seat, "wanapum") if owes == ("turn",) else 0
        return DieSpent(seat, self.space, die, BANKS[self._as], due, owes, left)

    def _check_next(self, state: DiscoveriesState) -> None:
        doing = state.doing
        if (self.space, self._as) != (doing.space, doing.face):
            raise Refused("action-begun", space=doing.space, face=doing.face)
        check_die(state, self.die, self._as)

    def _need(self, state: DiscoveriesState, seat: int) -> Need:
        """What the action asks for here, if it can be begun at all."""
        if self.space not in AT_ONCE:
            if self.space not in explorations(state, seat):
                raise Refused("no-such-action", found=self.space)
            return explorations(state, seat)[self.space].needs[slot_for(state, seat, self.space, self._as)]
        need = AT_ONCE[self.space]
        if self.space in state.doing.done:
            raise Refused("action-done", space=self.space)
        if need.face not in ("any", self._as):
            raise Refused("wrong-face", space=self.space, found=self._as, expected=(need.face,))
        return need

    def _check_use(self, state: DiscoveriesState, seat: int) -> None:
        """Would the action bring anything?"""
        player = state.players[seat]
        if BRINGS.get(self.space) == "befriend" and not eligible(state, seat, self.space):
            raise Refused("no-such-tribe", space=self.space)
        if self.space == "turn" and player.reserve.total < 2:
            raise Refused("nothing-to-turn")
        if self.space == "route" and not (player.exploring and state.territories):
            raise Refused("no-other-route")


class Turning(Command, frozen=True, tag="turn"):
    notation: ClassVar[str] = "turn {die} {face}"
    die: Die
    face: Face

    @classmethod
    def options(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        return (cls(die, face) for die, _ in state.players[seat].reserve.rest for face in FACES)  # type: ignore[arg-type]  # Face words

    def check(self, state: DiscoveriesState, seat: int) -> None:
        doing = state.doing
        if not state.players[seat].reserve.count(self.die):
            raise Refused("no-such-die", found=self.die)
        if doing.face not in ("", self.face) and not count_of(state, seat, "wishram"):
            raise Refused("same-face", found=self.face, expected=doing.face)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(DieTurned(seat, self.die, self.face))


class Swap(Command, frozen=True, tag="swap"):
    notation: ClassVar[str] = "swap {card}"
    card: Number

    @classmethod
    def options(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        return (cls(card) for card in state.territories)

    def check(self, state: DiscoveriesState, seat: int) -> None:
        if self.card not in state.territories:
            raise Refused("not-in-territories", found=self.card, expected=state.territories)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(RouteChanged(seat, self.card, turn.state.players[seat].exploring))
