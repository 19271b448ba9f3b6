"""Whole games of house players (`engine/games/lewis_clark/players`), the source of golden games.

`script(3, "word")` returns a game as the script of a golden game.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import groupby

import msgspec

from engine import golden, replay
from engine.game import Command, Turn
from engine.games.lewis_clark import game
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import LewisClarkState
from engine.kit import Step, active, format_steps, legal, view
from engine.players import Budget, Facts, Policy, Positions, level
from tests.kit.worlds import lanes


class Walk(msgspec.Struct, frozen=True):
    """A whole game: each command with its seat, and the state before it; the last state ends the game."""

    commands: tuple[tuple[int, Command], ...]
    states: tuple[LewisClarkState, ...]


@cache
def walk(seats: int, word: str = "purposeful", name: str = "fair", mackenzie: int = 0) -> Walk:
    """Return a whole game with every seat at this level; `word` names the draws."""
    options = LewisClarkOptions(level=mackenzie)
    turn = replay.start(game, seats, options, *lanes(word, None if seats == 1 else 0))
    rng = random.Random(word)
    commands: list[tuple[int, Command]] = []
    states: list[LewisClarkState] = [turn.state]
    while active(game, states[-1]):
        seat = states[-1].seat
        for command in line(level(game, name), states[-1], seat, rng):
            turn = Turn(states[-1], turn.chance.onward(), turn.secret.onward())
            replay.move(game, turn, seat, (Step(command),))
            commands.append((seat, command))
            states.append(turn.state)
    return Walk(tuple(commands), tuple(states))


def line(
    policy: Policy, state: LewisClarkState, seat: int, rng: random.Random, budget: Budget | None = None
) -> tuple[Command, ...]:
    """Return the move of a policy on the view of this seat."""
    facts = Facts(game=game, seat=seat, budget=budget or Positions())
    return policy.line(facts, view(game, state, seat), tuple(legal(game, state, seat)), rng)


def moves(walked: Walk) -> list[tuple[int, str]]:
    """Return the game as moves, one for each turn, in the form of a golden script."""
    told: list[tuple[int, str]] = []
    played = zip(walked.commands, walked.states, strict=False)
    for _, turn in groupby(played, key=lambda pair: pair[1].turns):
        steps = [(seat, Step(command)) for (seat, command), _ in turn]
        told.append((steps[0][0], format_steps(step for _, step in steps)))
    return told


def script(seats: int, word: str, name: str = "fair", mackenzie: int = 0) -> golden.Script:
    """Return a game as the script of a golden game: `golden.write(script(3, "word"))` is its text."""
    options = f'{{"level":{mackenzie}}}' if mackenzie else "{}"
    played = tuple(moves(walk(seats, word, name, mackenzie)))
    return golden.Script(game.meta.key, seats, game.meta.rules[1], options, word, None if seats == 1 else 1, played)
