"""The best way to spend the action points of a turn, searched from many points left to few.

Every action costs points, so no position comes back, and positions with the same points left can be compared fairly:
the best few of them are followed, and the turn may end at each. A beam that goes command by command would compare a
long walk with a short one and prefer the line that spends least (docs/players.md has the results).

A find ends the line, because the treasure decides how to go on. The end of a turn only draws the next tile, which does
not matter here, so turns are played without their end.
"""

from __future__ import annotations

from typing import Any

from engine.game import Command, Turn
from engine.games.tikal.commands import Dig, Done, Place, Swap, Walk
from engine.games.tikal.components import ACTION_POINTS, TENTS, TILE
from engine.games.tikal.players.evaluate import appeal, in_hand, later, worth
from engine.games.tikal.players.imagine import imagine
from engine.games.tikal.state import Site, TikalState
from engine.kit import legal as legal_commands
from engine.players import Facts, OwnLane, Policy, Rng
from engine.players.unseen import shuffled

Line = tuple[Command, ...]
Node = tuple[float, TikalState, Line]
NOTHING = float("-inf")  # below every value


class Spending(Policy):
    """Try up to `places` ways to lay the tile, then follow the best `width` positions with equal points left."""

    def __init__(self, *, width: int, places: int, finds: int) -> None:
        self.width = width
        self.places = places
        self.finds = finds  # how often a find is played

    def line(self, facts: Facts, view: Any, legal: Line, rng: Rng) -> Line:
        if len(legal) == 1:
            return legal
        state = imagine(view, rng)
        if state.doing == "choice":
            return (max(legal, key=lambda choose: appeal(TILE[choose.tile], later(state))),)  # type: ignore[attr-defined]  # a Choose
        return _Search(self, facts, rng).run(state, legal)


class _Search:
    """The search for one answer."""

    def __init__(self, limits: Spending, facts: Facts, rng: Rng) -> None:
        self.limits, self.rng = limits, rng
        self.game, self.seat, self.budget = facts.game, facts.seat, facts.budget
        self.best = NOTHING
        self.line: Line = ()
        self.by_points: list[dict[TikalState, Node]] = [{} for _ in range(ACTION_POINTS + 1)]

    def run(self, state: TikalState, legal: Line) -> Line:
        """Return the best line, with the end of the turn if nothing better follows."""
        if isinstance(legal[0], Place):
            for command in self._some(legal):
                self._go(state, (), command)
        else:
            self._keep(state, ())
        for points in range(ACTION_POINTS, 0, -1):
            for _, reached, line in sorted(self.by_points[points].values(), key=_value)[: self.limits.width]:
                self._go_on(reached, line)
        return self._ended()

    def _some(self, ways: Line) -> Line:
        return ways if len(ways) <= self.limits.places else tuple(shuffled(ways, self.rng)[: self.limits.places])

    def _go_on(self, state: TikalState, line: Line) -> None:
        for command in legal_commands(self.game, state, self.seat):
            if has_a_point(state, self.seat, command):
                self._go(state, line, command)

    def _go(self, state: TikalState, line: Line, command: Command) -> None:
        if self.best > NOTHING and self.budget.left() <= 0:
            return
        if isinstance(command, Dig):
            self._offer(self._find(state, command), (*line, command))
        else:
            self._keep(self._after(state, command), (*line, command))

    def _after(self, state: TikalState, command: Command) -> TikalState:
        """Play a command that is known to be legal."""
        self.budget.spend()
        turn = Turn(state, OwnLane(self.rng), OwnLane(self.rng))
        command.play(turn, self.seat)
        after: TikalState = turn.state
        return after

    def _keep(self, state: TikalState, line: Line) -> None:
        known = self.by_points[state.points]
        if state not in known:
            value = worth(state, self.seat)
            known[state] = value, state, line
            self._offer(value, line)

    def _find(self, state: TikalState, command: Command) -> float:
        """Return the mean of some finds, and what the points that are left may bring."""
        found = [self._after(state, command) for _ in range(self.limits.finds)]
        return sum(worth(after, self.seat) for after in found) / len(found) + in_hand(found[0])

    def _offer(self, value: float, line: Line) -> None:
        if value > self.best:
            self.best, self.line = value, line

    def _ended(self) -> Line:
        """Add `done` to a line that leaves points, unless the budget ran out before the rest was seen."""
        if self.line and (isinstance(self.line[-1], Dig) or self.budget.left() <= 0):
            return self.line
        spent = any(line == self.line for _, _, line in self.by_points[0].values())
        return self.line if spent else (*self.line, Done())


def _value(node: Node) -> float:
    """Sort the best first."""
    return -node[0]


def has_a_point(state: TikalState, seat: int, command: Command) -> bool:
    """Return whether to look at a command: no end yet, walks to something useful, swaps that make a pair or three."""
    if isinstance(command, Walk):
        return _offers(state.laid(command.goal), state.players[seat].tents)
    if isinstance(command, Swap):
        return command.theirs in state.players[seat].treasures
    return not isinstance(command, Done)


def _offers(site: Site, tents: int) -> bool:
    """Return whether a tile is a temple without a guard, has treasures, or has room for a camp."""
    if site.kind == "temple":
        return site.guard is None
    return site.treasures > 0 or (0 < tents <= TENTS and site.tent is None and site.kind in ("clearing", "ruins"))
