"""The player's own chance, and one command played with it: how a search looks ahead."""

from __future__ import annotations

from typing import Any

import msgspec

from engine import replay
from engine.chance import Lane
from engine.game import Command, Game, Turn
from engine.kit import decide
from engine.players.contract import Rng


class OwnLane(Lane):
    """A lane that draws from the player's own chance: it has no key and no relation to the game's draws."""

    def __init__(self, rng: Rng, first: int = 1) -> None:
        self._rng = rng
        self.next = first
        self.got: list[tuple[int, int]] = []

    def roll(self, n: int) -> int:
        result = self._rng.randrange(n)
        self.got.append((n, result))
        self.next += 1
        return result

    def onward(self) -> OwnLane:
        return OwnLane(self._rng, self.next)


class Played(msgspec.Struct, frozen=True):
    """A position after a command and all forced steps; `open` if a draw or a reveal came in between."""

    state: Any
    open: bool


def play(game: Game[Any], state: Any, seat: int, command: Command, rng: Rng) -> Played:
    """The position after a command of the seat. Refused if it is not allowed."""
    turn = Turn(state, OwnLane(rng), OwnLane(rng))
    decide(game, turn, seat, command)
    replay.settle(game, turn)
    return Played(turn.state, turn.fixed)
