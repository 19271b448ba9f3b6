"""Easy and fair follow the plan with many or few slips; strong searches its own turn."""

from __future__ import annotations

from typing import Any

from engine.game import Command
from engine.games.discoveries.explore import Cross, Write
from engine.games.discoveries.lay import Lay, Turning
from engine.games.discoveries.players.evaluate import worth
from engine.games.discoveries.players.imagine import imagine
from engine.games.discoveries.players.plan import choose
from engine.games.discoveries.rest import End, RestNone
from engine.games.discoveries.view import DiscoveriesView
from engine.kit import active, turns
from engine.kit import legal as legal_commands
from engine.players import Beam, Facts, Noisy, Policy, Rng, Sensible, play

SLIPS = 0.25  # share of easy's moves
FEW_SLIPS = 0.1  # share of fair's moves: without slips it played as well as strong with two players
LATE = 200  # turns; strong players take 90 to 180, but one game of fifteen stalled, and slips make games longer
MOST_COMMANDS = 40  # in a turn, far more than a turn needs
WEIGHTS: dict[type[Command], float] = {Cross: 20.0, Write: 5.0, Lay: 1.0, Turning: 0.2, RestNone: 0.0, End: 2.0}


def weight(view: DiscoveriesView, seat: int, command: Command) -> float:  # noqa: ARG001 - the signature of all games
    """Prefer commands that make sense at a glance: explore when possible, do not rest for nothing."""
    return WEIGHTS.get(type(command), 1.0)


class Planning(Policy):
    """A policy that plays its turn command by command, following the plan for its card."""

    def line(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> tuple[Command, ...]:
        line: list[Command] = []
        state, listed = imagine(view, rng), legal
        before = turns(facts.game, state)
        while len(line) < MOST_COMMANDS:
            line.append(choose(state, facts.seat, listed))
            facts.budget.spend()
            played = play(facts.game, state, facts.seat, line[-1], rng)
            state = played.state
            if played.open or facts.seat not in active(facts.game, state) or turns(facts.game, state) != before:
                break
            listed = tuple(legal_commands(facts.game, state, facts.seat))
        return tuple(line)


class Ending(Policy):
    """A policy that switches to the plan late in a game, since a search for points alone may stall until the cap."""

    def __init__(self, before: Policy) -> None:
        self.before = before

    def line(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> tuple[Command, ...]:
        policy = PLAN if view.turns >= LATE else self.before
        return policy.line(facts, view, legal, rng)


PLAN = Planning()
EASY = Ending(Noisy(PLAN, SLIPS, Sensible(weight)))
FAIR = Ending(Noisy(PLAN, FEW_SLIPS, Sensible(weight)))
STRONG = Ending(Beam(imagine, worth, width=8, samples=4))
