"""Dice turned by a Sioux card, which are used as another face and laid at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self

from engine.errors import Refused
from engine.game import Command, Turn
from engine.games.discoveries.cards import FACES, Face
from engine.games.discoveries.dice import face_of
from engine.games.discoveries.events import DieShifted
from engine.games.discoveries.explore import Write
from engine.games.discoveries.lay import Lay
from engine.games.discoveries.playing import helped, sioux
from engine.games.discoveries.spaces import Die
from engine.games.discoveries.state import DiscoveriesState
from engine.kit import allowed


class Use(Command, frozen=True, tag="use"):
    """Turn a die to another face with a Sioux card; lay it next."""

    notation: ClassVar[str] = "use {die} as {face}"
    words: ClassVar[str] = "Use {die} as {face}, with a Sioux card."
    die: Die
    face: Face

    @classmethod
    def candidates(cls, state: DiscoveriesState, seat: int) -> Iterator[Self]:
        if sioux(state):
            dice = state.players[seat].reserve.rest
            yield from (cls(die, face) for die, _ in dice for face in FACES if face != face_of(die))

    def check(self, state: DiscoveriesState, seat: int) -> None:
        if not state.players[seat].reserve.count(self.die):
            raise Refused("no-such-die", found=self.die, have=state.players[seat].reserve.pieces)
        if self.face == face_of(self.die):
            raise Refused("shows-it-already", found=self.die)
        if not helped((*state.doing.shifts, (face_of(self.die), self.face)), sioux(state)):
            have = tuple(f"{tribe.name} ({tribe.face})" for tribe in sioux(state))
            raise Refused("no-sioux", found=self.die, face=self.face, have=have)
        if not can_lay(self._shifted(seat).apply(state), seat):
            raise Refused("no-use", found=self.die, face=self.face)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(self._shifted(seat))

    def _shifted(self, seat: int) -> DieShifted:
        return DieShifted(seat, self.die, self.face)


def can_lay(state: DiscoveriesState, seat: int) -> bool:
    """Can the die that the Sioux turned be laid anywhere?"""
    return any(True for _ in allowed(lays(state), state, seat))


def lays(state: DiscoveriesState) -> tuple[type[Lay | Write], ...]:
    """The commands that may lay a die now."""
    if state.doing.due:
        return (Lay,)
    return (Write,) if "cross" in state.doing.owes else (Lay, Write)
