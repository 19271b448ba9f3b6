"""The line of a turn after which the rest of the game goes best, of those that a search of the turn likes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.game import Command
from engine.games.livingstone.components import COLUMNS
from engine.games.livingstone.dice import DieCommand
from engine.games.livingstone.players.imagine import imagine
from engine.games.livingstone.players.outlook import Rest, World, world
from engine.games.livingstone.state import LivingstoneState
from engine.players import Beam, Facts, Policy, Rng, play
from engine.players.beam import Found

DRAWS = 8  # positions after a draw that are played on
Line = tuple[Command, ...]


class Foresight(Policy):
    """Two searches of the turn, a wide one and a narrow one for each die and its use; their best lines are played on.

    The line that leaves the most of the others behind wins, and the worth of its end decides between nearly equal ones.
    """

    def __init__(self, wide: Beam, narrow: Beam, *, lines: int, worlds: int, trust: float) -> None:
        self.wide = wide
        self.narrow = narrow
        self.lines = lines
        self.worlds = worlds
        self.trust = trust

    def line(self, facts: Facts, view: Any, legal: Line, rng: Rng) -> Line:
        if len(legal) == 1:
            return legal
        state = imagine(view, rng)
        found: dict[Line, float] = {}
        for value, line in sorted(self._lines(facts, state, legal, rng), key=_value, reverse=True):
            found.setdefault(line, value)
        lines = [Found(value, line) for line, value in found.items()]
        return self._foreseen(facts, state, lines[: self.lines], rng)

    def _lines(self, facts: Facts, state: LivingstoneState, legal: Line, rng: Rng) -> Iterator[Found]:
        """Yield the best line of all, and the best that begins with each die and use, while the budget lasts."""
        yield self.wide.best(facts, [state], legal, rng)
        for command in legal:
            if isinstance(command, DieCommand) and facts.budget.left() > 0:
                yield self.narrow.best(facts, [state], (command,), rng)

    def _foreseen(self, facts: Facts, state: LivingstoneState, lines: list[Found], rng: Rng) -> Line:
        """Return the line with the best outlook: the better half is played on twice as often, down to the best one."""
        left = [_Prospect(found, _ends(facts, state, found.line, rng)) for found in lines]
        trust, worlds = self._trust(left), self.worlds
        while len(left) > 1 and facts.budget.left() > 0:
            for _ in range(worlds):
                _play_on(facts, left, world(state.seats, rng))
            left = sorted(left, key=lambda each: each.value(trust), reverse=True)[: (len(left) + 1) // 2]
            worlds *= 2
        return left[0].found.line

    def _trust(self, prospects: list[_Prospect]) -> float:
        """Return the share of an end's worth that counts: none if a line ends the game, which has another scale."""
        return 0.0 if any(each.ends[0].over for each in prospects) else self.trust


class _Prospect:
    """A line, where it leads, and the places that followed from there; all lines are judged in the same worlds."""

    def __init__(self, found: Found, ends: list[Rest]) -> None:
        self.found = found
        self.ends = ends
        self.places: list[float] = []

    def value(self, trust: float) -> float:
        return trust * self.found.value + sum(self.places) / max(1, len(self.places))

    def play_on(self, chance: World) -> float:
        return self.ends[len(self.places) % len(self.ends)].place(chance)


def _value(found: Found) -> float:
    return found.value


def _ends(facts: Facts, state: LivingstoneState, line: Line, rng: Rng) -> list[Rest]:
    """Return where the line leads: to one position, or to several if it ends by a draw."""
    ends: list[Rest] = []
    while True:
        after, drawn = state, False
        for command in line:
            played = play(facts.game, after, facts.seat, command, rng)
            after, drawn = played.state, drawn or played.open
        ends.append(Rest(after, facts.seat))
        if not drawn or len(ends) == DRAWS or facts.budget.left() <= 0:
            return ends
        facts.budget.spend()


def _play_on(facts: Facts, prospects: list[_Prospect], chance: World) -> None:
    """Play all lines on in this world; none of them if the budget is spent before all have been."""
    places = []
    for each in prospects:
        if facts.budget.left() <= 0:
            return
        for _ in range(COLUMNS + 1 - each.ends[0].column):
            facts.budget.spend()
        places.append(each.play_on(chance))
    for each, place in zip(prospects, places, strict=True):
        each.places.append(place)
