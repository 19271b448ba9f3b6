"""The best line of the seat's own turn: a beam over commands, one round for each command of the line.

    front  the positions from which the line may continue, the best `width` of a round
    best   the best line so far that ends: by a draw, a reveal or the end of the turn

A line that ends by a draw is worth the mean of `samples` plays with the player's own chance; one that ends the turn is
worth the position after it. Walks commute, so equal positions meet and are evaluated once. Hidden facts are imagined:
the first world leads, and a finished line is also played in the others and is worth their mean. As the budget shrinks,
so does the width; when it is spent, the best line so far is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, NamedTuple

from engine.errors import Refused
from engine.game import Command
from engine.kit import active, turns
from engine.kit import legal as legal_commands
from engine.players.chance import Played, play
from engine.players.contract import Facts, Imagine, Policy, Rng, Worth

MOST_COMMANDS = 64  # commands of a line: as many as a move may have
Line = tuple[Command, ...]


class Node(NamedTuple):
    """A position within the seat's own turn, and the line that led to it."""

    value: float
    state: Any
    line: Line


class Found(NamedTuple):
    """A line and its worth; -inf if the budget was spent before the line could end."""

    value: float
    line: Line


class Beam(Policy):
    """Looks ahead over the seat's turn, which ends when somebody else is active or the number of turns has changed."""

    def __init__(
        self,
        imagine: Imagine,
        worth: Worth,
        *,
        width: int,
        samples: int = 4,
        worlds: int = 1,
    ) -> None:
        self.imagine = imagine
        self.worth = worth
        self.width = width
        self.samples = samples
        self.worlds = worlds

    def line(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> Line:
        if len(legal) == 1:
            return legal
        return self.best(facts, [self.imagine(view, rng) for _ in range(self.worlds)], legal, rng).line

    def best(self, facts: Facts, worlds: list[Any], legal: Line, rng: Rng) -> Found:
        """The best line in these imagined worlds that begins with one of these commands."""
        return _Search(self, facts, worlds, rng).run(legal)


class _Search:
    """The search for one answer."""

    def __init__(self, beam: Beam, facts: Facts, worlds: list[Any], rng: Rng) -> None:
        self.beam = beam
        self.game, self.seat, self.budget = facts.game, facts.seat, facts.budget
        self.worlds = worlds
        self.rng = rng
        self.best: Found | None = None
        self.found: dict[Any, Node] = {}

    def run(self, legal: Line) -> Found:
        front, deepest = [Node(0.0, self.worlds[0], ())], Node(0.0, None, legal[:1])
        for _ in range(MOST_COMMANDS):
            self.found = {}
            for node in front:
                self._go_on(node, legal)
            front = sorted(self.found.values(), key=_value, reverse=True)[: self._width()]
            if not front or self.budget.left() <= 0:
                break
            deepest = front[0]
        return self.best or Found(-inf, (front[0] if front else deepest).line)

    def _width(self) -> int:
        """The whole width while half of the budget is left, then less and less."""
        return max(1, round(self.beam.width * min(1.0, 2 * self.budget.left())))

    def _go_on(self, node: Node, legal: Line) -> None:
        commands = tuple(legal_commands(self.game, node.state, self.seat)) if node.line else legal
        before = turns(self.game, node.state)
        for command in commands:
            if self.budget.left() <= 0:
                return
            self._try(node, command, before)

    def _try(self, node: Node, command: Command, before: int) -> None:
        self.budget.spend()
        line = (*node.line, command)
        played = play(self.game, node.state, self.seat, command, self.rng)
        if played.open:
            self._offer(self._mean(played, node, command, self.beam.samples), line)
        elif self._has_passed(played.state, before):
            self._offer(self._mean(played, node, command, len(self.worlds)), line)
        elif played.state not in self.found:
            self.found[played.state] = Node(self.beam.worth(played.state, self.seat), played.state, line)

    def _offer(self, value: float, line: Line) -> None:
        if self.best is None or value > self.best.value:
            self.best = Found(value, line)

    def _has_passed(self, after: Any, turns_before: int) -> bool:
        return self.seat not in active(self.game, after) or turns_before != turns(self.game, after)

    def _mean(self, first: Played, node: Node, command: Command, plays: int) -> float:
        """The worth of a finished line: the mean of several plays, spread over the imagined worlds."""
        values = [self.beam.worth(first.state, self.seat)]
        for number in range(1, plays):
            self.budget.spend()
            state = self._in_world(number % len(self.worlds), node)
            if state is not None:
                again = play(self.game, state, self.seat, command, self.rng)
                values.append(self.beam.worth(again.state, self.seat))
        return sum(values) / len(values)

    def _in_world(self, number: int, node: Node) -> Any:
        """The node's position in another world; None if its line cannot be played there."""
        if not number:
            return node.state
        try:
            return _after(self, self.worlds[number], node.line)
        except Refused:
            return None


def _after(search: _Search, state: Any, line: Iterable[Command]) -> Any:
    for command in line:
        state = play(search.game, state, search.seat, command, search.rng).state
    return state


def _value(node: Node) -> float:
    return node.value
