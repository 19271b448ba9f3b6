"""The number of public draws in a game: at random, and if everybody prefers the commands that drew most so far."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine import replay, selfplay
from engine.game import Command, Game, Turn
from engine.kit import Step, active, legal


class OutOfBound(AssertionError):
    """A game drew more in public than the chain that its creation promises."""


def stay_within_the_bound(game: Game[Any], drawn: int) -> None:
    if drawn > game.meta.draws:
        raise OutOfBound(f"{drawn} public draws, and `meta.draws` promises {game.meta.draws} at most")


def drawn_eagerly(game: Game[Any], seats: int, options: Any, seed: bytes) -> int:
    """Public draws of a whole game in which the kinds of command that draw are preferred."""
    rnd, learned = random.Random(seed), _Learned()
    turn = replay.start(game, seats, options, selfplay.lanes(seed, "public"), selfplay.lanes(seed, "hidden"))
    drawn = len(turn.chance.got)
    while waiting := active(game, turn.state):
        seat = waiting[0]
        command = learned.choose(rnd, list(legal(game, turn.state, seat)))
        turn = Turn(turn.state, turn.chance.onward(), turn.secret.onward())
        replay.move(game, turn, seat, (Step(command),))
        learned.tell(command, len(turn.chance.got))
        drawn += len(turn.chance.got)
    return drawn


class _Learned:
    """The draws of each kind of command so far."""

    def __init__(self) -> None:
        self.tried: Counter[type[Command]] = Counter()
        self.drawn: Counter[type[Command]] = Counter()

    def tell(self, command: Command, drawn: int) -> None:
        self.tried[type(command)] += 1
        self.drawn[type(command)] += drawn

    def choose(self, rnd: random.Random, listed: Sequence[Command]) -> Command:
        """Now and then choose any command, so that the preparations for a draw are made, too."""
        if rnd.random() < 0.25:
            return rnd.choice(listed)
        kinds = sorted({type(command) for command in listed}, key=self._mean)
        return rnd.choice([command for command in listed if type(command) is kinds[-1]])

    def _mean(self, kind: type[Command]) -> tuple[float, str]:
        tried = self.tried[kind]
        return (self.drawn[kind] / tried if tried else 99.0, kind.__name__)
