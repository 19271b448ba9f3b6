"""The worth of a line for the seat that decides, judged from what it could see.

    worlds     whole positions drawn by the game's `imagine` from the seat's view
    line       played in each world, several times if chance decides
    the rest   where a draw ends a line within the turn, the weaker `REST` plays the turn to its end
    worth      the game's own judgement of the position then, as a mean

All lines of a decision meet the same worlds and the same chance, so that their difference is not luck. The best line
is the strongest level's. Others begin with each of a few commands and are carried on by `REST`; only turning points
have them, because they cost more than the best one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine.analysis.decisions import PlayerDecision, has_passed
from engine.errors import Refused
from engine.game import Command, Game
from engine.kit import legal, view
from engine.players import Facts, Part, Players, Policy, Positions, Rng, play
from engine.players.finding import level
from engine.players.parts import mean
from engine.players.unseen import shuffled

REST = "fair"  # the level that plays a turn to its end after a draw
REST_POSITIONS = 200  # positions for each of its answers
MOST_LINES = 12  # of a turn after a draw
WORLDS = 4
FIRSTS = 8  # commands with which other lines begin
MOST_COMMANDS = 64  # commands of a line: as many as a move may have
Line = tuple[Command, ...]
Chance = Callable[[str], Rng]  # a source of chance for each name


class Judged(msgspec.Struct, frozen=True):
    """A decision with the best line that its game's strongest player found, and the worth of both."""

    decision: PlayerDecision
    worth: float
    best: Line
    best_worth: float

    @property
    def lost(self) -> float:
        """How much less the played line is worth than the best one; 0 if it was as good."""
        return max(0.0, self.best_worth - self.worth)


class Rated(msgspec.Struct, frozen=True):
    """A line with its worth, and the parts of that if the game's players name any."""

    line: Line
    worth: float
    parts: tuple[Part, ...]


class Judge:
    """Judges the decisions of one game. `positions` is the budget of the search for one better line."""

    def __init__(self, game: Game[Any], options: Any, players: Players, chance: Chance, positions: int) -> None:
        self.game, self.options, self.players, self.chance = game, options, players, chance
        self.positions = positions

    def judge(self, decision: PlayerDecision, name: str) -> Judged | None:
        """The decision judged by the level `name`; None if there was nothing to decide."""
        listed = tuple(legal(self.game, decision.before, decision.seat))
        if len(listed) < 2:
            return None
        best = self._best(decision, listed, name)
        if best == decision.line[: len(best)]:
            best = decision.line
        worth = self._worth(decision, decision.line)
        return Judged(decision, worth, best, worth if best == decision.line else self._worth(decision, best))

    def _best(self, decision: PlayerDecision, listed: Line, name: str) -> Line:
        seen = view(self.game, decision.before, decision.seat)
        rng = self.chance(f"{decision.seq} {len(decision.line)} best")
        return level(self.game, name).line(self._facts(decision.seat, self.positions), seen, listed, rng)

    # --- a line in imagined worlds ------------------------------------------------------------------------------------

    def rate(self, decision: PlayerDecision, line: Line) -> Rated:
        """The worth of a line and its parts, as means over imagined worlds."""
        ends = self._ends(decision, line)
        parts = self.players.parts
        found = mean([parts(state, decision.seat) for state in ends]) if parts else ()
        return Rated(line, self._mean_worth(ends, decision.seat), found)

    def _worth(self, decision: PlayerDecision, line: Line) -> float:
        return self._mean_worth(self._ends(decision, line), decision.seat)

    def _mean_worth(self, states: list[Any], seat: int) -> float:
        if self.players.worth is None:
            raise Refused("no-analysis", game=self.game.meta.key)
        return sum(self.players.worth(state, seat) for state in states) / len(states)

    def _ends(self, decision: PlayerDecision, line: Line) -> list[Any]:
        """The end of the turn in each world; if the line cannot be played there, it is played as far as it can."""
        seen, states = view(self.game, decision.before, decision.seat), []
        for number in range(WORLDS):
            rng = self.chance(f"{decision.seq} world {number}")
            states.append(self._played(self._imagined(seen, rng), decision.seat, line, rng))
        return states

    def _imagined(self, seen: Any, rng: Rng) -> Any:
        if self.players.imagine is None:
            raise Refused("no-analysis", game=self.game.meta.key)
        return self.players.imagine(seen, rng)

    def _played(self, start: Any, seat: int, line: Line, rng: Rng) -> Any:
        """The position at the end of the turn that begins with the line."""
        _, state, is_open = self._after(start, seat, line, rng)
        for _ in range(MOST_LINES):
            if not is_open or has_passed(self.game, start, state, seat):
                break
            rest = self._next(level(self.game, REST), state, seat, rng)
            _, state, is_open = self._after(state, seat, rest, rng)
        return state

    def _after(self, state: Any, seat: int, line: Line, rng: Rng) -> tuple[Line, Any, bool]:
        """The commands of the line that can be played, the position after them, and whether a draw ended it."""
        before = state
        done: Line = ()
        for command in line:
            try:
                played = play(self.game, state, seat, command, rng)
            except Refused:
                break
            state, done = played.state, (*done, command)
            if played.open or has_passed(self.game, before, state, seat):
                return done, state, played.open
        return done, state, False

    def _next(self, policy: Policy, state: Any, seat: int, rng: Rng) -> Line:
        listed = tuple(legal(self.game, state, seat))
        return policy.line(self._facts(seat, REST_POSITIONS), view(self.game, state, seat), listed, rng)

    def _facts(self, seat: int, positions: int) -> Facts:
        return Facts(game=self.game, seat=seat, options=self.options, budget=Positions(positions))

    # --- other lines --------------------------------------------------------------------------------------------------

    def others(self, decision: PlayerDecision) -> list[Rated]:
        """Lines that begin with the commands that look best at once."""
        seen, seat = view(self.game, decision.before, decision.seat), decision.seat
        rng = self.chance(f"{decision.seq} others")
        state = self._imagined(seen, rng)
        listed = shuffled(tuple(legal(self.game, decision.before, seat)), rng)
        ranked = sorted(listed, key=lambda one: -self._at_once(state, seat, one, rng))[:FIRSTS]
        return [self.rate(decision, self._carried_on(state, seat, first, rng)) for first in ranked]

    def _at_once(self, state: Any, seat: int, command: Command, rng: Rng) -> float:
        return self._mean_worth([self._after(state, seat, (command,), rng)[1]], seat)

    def _carried_on(self, start: Any, seat: int, first: Command, rng: Rng) -> Line:
        """The line from this command to its draw or the end of the turn."""
        policy = self.players.advice or level(self.game, REST)
        line, state, is_open = self._after(start, seat, (first,), rng)
        while line and not is_open and len(line) < MOST_COMMANDS and not has_passed(self.game, start, state, seat):
            more, state, is_open = self._after(state, seat, self._next(policy, state, seat, rng), rng)
            line += more
            if not more:
                break
        return line
