"""The best way to spend the action points of a turn, searched from many points left to few.

Every action costs points, so no position comes back, and positions with the same points left can be compared fairly:
the best few of them are followed, and the turn may end at each. A beam that goes command by command would compare a
long walk with a short one and prefer the line that spends least (docs/players.md has the results).

A tile is judged by where it lies (`reach.py`), and the best few ends of the turn by the best turn that could follow if
the others stood still. Walking costs a little, so that no piece walks back for nothing.

A find ends the line, because the treasure decides how to go on. The end of a turn only draws the next tile, which does
not matter here, so turns are played without their end.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.game import Command, Turn
from engine.games.tikal.commands import Camp, Dig, Done, Place, Swap, Walk
from engine.games.tikal.components import ACTION_POINTS, TENTS, TILE
from engine.games.tikal.players.evaluate import PLAIN, Mind, appeal, in_hand, later, worth
from engine.games.tikal.players.imagine import imagine
from engine.games.tikal.players.reach import prospects
from engine.games.tikal.state import Frame, Site, TikalState
from engine.kit import legal as legal_commands
from engine.players import Facts, OwnLane, Policy, Rng
from engine.players.unseen import shuffled

Line = tuple[Command, ...]
Node = tuple[float, TikalState, Line, float]  # value, position, line to it, what tiles and walks add to the value
WALKED = 0.15  # points for an action point spent on walking
SECOND = 0.6  # share of what the next turn adds: others will have moved by then
NOTHING = float("-inf")  # below every value


class Spending(Policy):
    """Try up to `places` ways to lay the tile, then follow the best `width` positions with equal points left."""

    def __init__(self, *, width: int, places: int, finds: int, ends: int = 0, mind: Mind = PLAIN) -> None:
        self.width = width
        self.places = places
        self.ends = ends  # how many ends of the turn are judged by the next one; 0: none, nor where tiles lie
        self.mind = mind
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
        self.facts = facts
        self.game, self.seat, self.budget = facts.game, facts.seat, facts.budget
        self.best = NOTHING
        self.line: Line = ()
        self.found: list[Node] = []
        self.by_points: list[dict[TikalState, Node]] = [{} for _ in range(ACTION_POINTS + 1)]

    def run(self, state: TikalState, legal: Line) -> Line:
        """Return the best line, with the end of the turn if nothing better follows."""
        if isinstance(legal[0], Place):
            for command in self._some(legal):
                self._go((0.0, state, (), 0.0), command)
        else:
            self._keep(state, (), 0.0)
        self._spend()
        if self.limits.ends and later(state):
            self._look_further()
        return self._ended()

    def _spend(self) -> None:
        for points in range(ACTION_POINTS, 0, -1):
            for node in sorted(self.by_points[points].values(), key=_value)[: self.limits.width]:
                self._go_on(node)

    def _some(self, ways: Line) -> Line:
        return tuple(shuffled(ways, self.rng)[: self.limits.places])

    def _go_on(self, node: Node) -> None:
        state = node[1]
        for command in legal_commands(self.game, state, self.seat):
            if has_a_point(state, self.seat, command):
                self._go(node, command)

    def _go(self, node: Node, command: Command) -> None:
        _, state, line, extra = node
        if self.best > NOTHING and self.budget.left() <= 0:
            return
        if isinstance(command, Dig):
            value, after = self._find(state, command)
            self._offer((value + extra, after, (*line, command), extra))
        else:
            after = self._after(state, command)
            self._keep(after, (*line, command), self._extra(state, after, command, extra))

    def _extra(self, state: TikalState, after: TikalState, command: Command, before: float) -> float:
        """Return what tiles and walks add: tiles and camps change who reaches what, and a walk costs."""
        if not self.limits.ends:
            return 0.0
        if isinstance(command, Place | Camp):
            return before + prospects(after, self.seat) - (isinstance(command, Camp) and prospects(state, self.seat))
        return before - WALKED * (state.points - after.points) if isinstance(command, Walk) else before

    def _after(self, state: TikalState, command: Command) -> TikalState:
        """Play a command that is known to be legal."""
        self.budget.spend()
        turn = Turn(state, OwnLane(self.rng), OwnLane(self.rng))
        command.play(turn, self.seat)
        after: TikalState = turn.state
        return after

    def _keep(self, state: TikalState, line: Line, extra: float) -> None:
        known = self.by_points[state.points]
        if state not in known:
            known[state] = self._worth(state) + extra, state, line, extra
            self._offer(known[state])

    def _worth(self, state: TikalState) -> float:
        return worth(state, self.seat, self.limits.mind)

    def _find(self, state: TikalState, command: Command) -> tuple[float, TikalState]:
        """Return the mean of some finds, with what the points that are left may bring, and one of them."""
        found = [self._after(state, command) for _ in range(self.limits.finds)]
        return sum(map(self._worth, found)) / len(found) + in_hand(found[0]), found[0]

    def _offer(self, node: Node) -> None:
        if self.limits.ends:
            self.found.append(node)
        if node[0] > self.best:
            self.best, self.line = node[0], node[2]

    def _look_further(self) -> None:
        """Choose among the best ends by the turn that could follow."""
        self.best = NOTHING
        for value, state, line, _ in sorted(self.found, key=_value)[: self.limits.ends]:
            then = value + SECOND * self._gain(state)
            if then > self.best:
                self.best, self.line = then, line

    def _gain(self, state: TikalState) -> float:
        """Return what a narrow search of the seat's next turn gains, without its tile."""
        begun = replace(state, frames=(Frame("turn", self.seat),), points=ACTION_POINTS, tile="", worked=())
        narrow = Spending(width=1, places=0, finds=1, mind=self.limits.mind)
        search = _Search(narrow, self.facts, self.rng)
        search._keep(begun, (), 0.0)
        search._spend()
        return search.best - self._worth(begun)

    def _ended(self) -> Line:
        """Add `done` to a line that leaves points, unless the budget ran out before the rest was seen."""
        if self.line and (isinstance(self.line[-1], Dig) or self.budget.left() <= 0):
            return self.line
        spent = any(line == self.line for _, _, line, _ in self.by_points[0].values())
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
