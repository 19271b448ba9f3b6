"""The worth of a line for the seat that decides, judged from what it could see.

    worlds     whole positions drawn by the game's `imagine` from the seat's view
    line       played in each world, several times if chance decides
    the rest   where a draw ends a line within the turn, the weaker `REST` plays the turn to its end
    worth      the game's own judgement of the position then, as a mean

All lines of a decision meet the same worlds and the same chance, so that their difference is not luck.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine.analysis.decisions import PlayerDecision, has_passed
from engine.errors import Refused
from engine.game import Command, Game
from engine.kit import legal, view
from engine.players import Facts, Players, Positions, Rng, play
from engine.players.finding import level

REST = "fair"  # the level that plays a turn to its end after a draw
REST_POSITIONS = 200  # positions for each of its answers
MOST_LINES = 12  # of a turn after a draw
WORLDS = 4
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
        worth = self.worth(decision, decision.line)
        return Judged(decision, worth, best, worth if best == decision.line else self.worth(decision, best))

    def _best(self, decision: PlayerDecision, listed: Line, name: str) -> Line:
        seen = view(self.game, decision.before, decision.seat)
        rng = self.chance(f"{decision.seq} {len(decision.line)} best")
        return level(self.game, name).line(self._facts(decision.seat, self.positions), seen, listed, rng)

    def worth(self, decision: PlayerDecision, line: Line) -> float:
        """The mean worth of a line over imagined worlds; a world in which it cannot be played counts up to there."""
        seen, values = view(self.game, decision.before, decision.seat), []
        for number in range(WORLDS):
            rng = self.chance(f"{decision.seq} world {number}")
            state = self._imagined(seen, rng)
            values.append(self._worth(self._played(state, decision.seat, line, rng), decision.seat))
        return sum(values) / len(values)

    def _imagined(self, seen: Any, rng: Rng) -> Any:
        if self.players.imagine is None:
            raise Refused("no-analysis", game=self.game.meta.key)
        return self.players.imagine(seen, rng)

    def _worth(self, state: Any, seat: int) -> float:
        if self.players.worth is None:
            raise Refused("no-analysis", game=self.game.meta.key)
        return self.players.worth(state, seat)

    def _played(self, start: Any, seat: int, line: Line, rng: Rng) -> Any:
        """The position at the end of the turn that begins with the line."""
        state, is_open = self._after(start, seat, line, rng)
        for _ in range(MOST_LINES):
            if not is_open or has_passed(self.game, start, state, seat):
                break
            state, is_open = self._after(state, seat, self._rest(state, seat, rng), rng)
        return state

    def _after(self, state: Any, seat: int, line: Line, rng: Rng) -> tuple[Any, bool]:
        """The position after a line, and whether a draw or a reveal ended it."""
        before = state
        for command in line:
            try:
                played = play(self.game, state, seat, command, rng)
            except Refused:
                break
            state = played.state
            if played.open or has_passed(self.game, before, state, seat):
                return state, played.open
        return state, False

    def _rest(self, state: Any, seat: int, rng: Rng) -> Line:
        listed = tuple(legal(self.game, state, seat))
        facts = self._facts(seat, REST_POSITIONS)
        return level(self.game, REST).line(facts, view(self.game, state, seat), listed, rng)

    def _facts(self, seat: int, positions: int) -> Facts:
        return Facts(game=self.game, seat=seat, options=self.options, budget=Positions(positions))
