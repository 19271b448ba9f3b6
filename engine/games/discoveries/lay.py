"""Laying dice: the actions that take effect at once, and the prerequisites of those that explore.

The dice of one action are laid one after another. The first is refused if the others could not follow, or if the
action would bring nothing. So an action that has begun is always completed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self

from engine.errors import Refused
from engine.game import Command, Turn
from engine.games.discoveries.cards import FACES, Face, Need
from engine.games.discoveries.dice import BANKS, face_of
from engine.games.discoveries.events import DieLaid, DieSpent, DieTurned
from engine.games.discoveries.playing import count_of, in_hand, more_after, played_as, plays
from engine.games.discoveries.spaces import (
    AT_ONCE,
    BRINGS,
    TO_TURN,
    Die,
    Space,
    camp_of,
    eligible,
    exploration_of,
    explorations,
    needs_of,
    slot_for,
)
from engine.games.discoveries.state import DiscoveriesState


def check_die(state: DiscoveriesState, die: str) -> None:
    """Raise Refused if this die cannot be played as the face it shows."""
    doing = state.doing
    if not state.player.reserve.count(die):
        raise Refused("no-such-die", found=die, have=state.player.reserve.pieces)
    if doing.held not in ("", die):
        raise Refused("die-in-hand", found=die, expected=doing.held)
    if played_as(state, die, face_of(die)) is None:
        raise Refused("face-not-played", found=die, face=face_of(die), played=doing.faces)


class Lay(Command, frozen=True, tag="lay"):
    """Lay a die from your reserve on an action of your board or of a tribe card you have won."""

    notation: ClassVar[str] = "lay {space} {die}"
    words: ClassVar[str] = "Lay {die} on {space}."
    space: Space
    die: Die

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        doing = state.doing
        if doing.due:
            return (cls(doing.space, die) for die in in_hand(state) if face_of(die) == doing.face)
        spaces, dice = (*AT_ONCE, *explorations(state, seat)), plays(state)
        return (cls(space, die) for space in spaces for die in dice)

    def check(self, state: DiscoveriesState, seat: int) -> None:
        if state.doing.due:
            self._check_next(state)
            return
        check_die(state, self.die)
        need = self._need(state, seat)
        have = 1 if need.dice == 1 else 1 + more_after(state, self.die, need.dice - 1)
        if have < need.dice:
            raise Refused("too-few-dice", space=self.space, need=need.dice, face=self._face, have=have)
        self._check_use(state, seat)

    def play(self, turn: Turn, seat: int) -> None:
        state: DiscoveriesState = turn.state
        if state.doing.due:
            turn.emit(self._spent(state, seat, state.doing.due - 1))
        elif self.space in AT_ONCE:
            turn.emit(self._spent(state, seat, AT_ONCE[self.space].dice - 1))
        else:
            needs, slot = needs_of(state, seat, self.space), slot_for(state, seat, self.space, self._face)
            turn.emit(DieLaid(seat, self.space, self.die, slot, len(needs), needs[slot].dice - 1))

    @property
    def _face(self) -> str:
        return face_of(self.die)

    def _spent(self, state: DiscoveriesState, seat: int, due: int) -> DieSpent:
        owes = () if due or self.space not in AT_ONCE else (BRINGS[self.space],)
        left = TO_TURN + count_of(state, seat, "wanapum") if owes == ("turn",) else 0
        return DieSpent(seat, self.space, self.die, BANKS[self._face], due, owes, left)

    def _check_next(self, state: DiscoveriesState) -> None:
        doing = state.doing
        if (self.space, self._face) != (doing.space, doing.face):
            raise Refused("action-begun", space=doing.space, face=doing.face, due=doing.due)
        check_die(state, self.die)

    def _need(self, state: DiscoveriesState, seat: int) -> Need:
        """The action's next need; Refused if it cannot begin."""
        if self.space not in AT_ONCE:
            exploration = exploration_of(state, seat, self.space)
            if exploration is None:
                raise Refused("no-such-action", found=self.space, expected=(*AT_ONCE, *explorations(state, seat)))
            return exploration.needs[slot_for(state, seat, self.space, self._face)]
        need = AT_ONCE[self.space]
        if self.space in state.doing.done:
            raise Refused("action-done", space=self.space)
        if need.face not in ("any", self._face):
            raise Refused("wrong-face", space=self.space, found=self._face, expected=(need.face,))
        return need

    def _check_use(self, state: DiscoveriesState, seat: int) -> None:
        """Raise Refused if the action would bring nothing."""
        player = state.players[seat]
        if BRINGS.get(self.space) == "befriend" and not eligible(state, seat, self.space):
            raise Refused("no-such-tribe", space=self.space, have=camp_of(state))
        if self.space == "turn" and player.reserve.total + state.doing.fresh.total < 2:
            raise Refused("nothing-to-turn")
        if self.space == "route" and not (player.exploring and state.territories):
            raise Refused("no-other-route")


class Turning(Command, frozen=True, tag="turn"):
    """Turn a die of your reserve, or one just rolled, to this face, after laying a die on `turn`."""

    notation: ClassVar[str] = "turn {die} {face}"
    words: ClassVar[str] = "Turn {die} to {face}."
    die: Die
    face: Face

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        return (cls(die, face) for die in _to_turn(state, seat) for face in FACES)

    def check(self, state: DiscoveriesState, seat: int) -> None:
        doing = state.doing
        if not state.players[seat].reserve.count(self.die) and not doing.fresh.count(self.die):
            raise Refused("no-such-die", found=self.die, have=_to_turn(state, seat))
        if doing.face not in ("", self.face) and not count_of(state, seat, "wishram"):
            raise Refused("same-face", found=self.face, expected=doing.face)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(DieTurned(seat, self.die, self.face))


def _to_turn(state: DiscoveriesState, seat: int) -> tuple[str, ...]:
    """Dice of the reserve and those just rolled, each word once."""
    return tuple(sorted({die for die, _ in (*state.players[seat].reserve.rest, *state.doing.fresh.rest)}))
