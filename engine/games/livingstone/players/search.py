"""Fair and strong: a search through the seat's own turn, narrow or wide.

Strong expects more coins in the rounds to come, because it finds more. With two players, one's gain is the other's
loss; with more, cards are worth more and gems less. These figures win more games than a wider search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from engine.game import Command
from engine.games.livingstone.commands import Donate, Sell
from engine.games.livingstone.components import COLUMNS
from engine.games.livingstone.dice import DieCommand
from engine.games.livingstone.players.evaluate import Mind, parts, worth
from engine.games.livingstone.players.imagine import imagine
from engine.games.livingstone.players.outlook import Rest, World, world
from engine.games.livingstone.state import LivingstoneState
from engine.players import Beam, Facts, Part, Policy, Rng, play
from engine.players.beam import Found

Line = tuple[Command, ...]

PLAIN_OF_TWO = Mind()
PLAIN_AMONG_MORE = Mind(gem=0.5, gems=0.4, die=1.5)
DRAWS = 8  # positions after a draw that are played on
OF_TWO = Mind(income=1.6, rival=0.8, gem=0.0, gems=0.8, kept=1.0)
AMONG_MORE = Mind(income=1.6, card=3.0, gem=0.0, gems=0.8, kept=1.0, die=2.5)


def plain(state: LivingstoneState, seat: int) -> float:
    return worth(state, seat, PLAIN_OF_TWO if state.seats == 2 else PLAIN_AMONG_MORE)


def shrewd(state: LivingstoneState, seat: int) -> float:
    return worth(state, seat, OF_TWO if state.seats == 2 else AMONG_MORE)


def shrewd_parts(state: LivingstoneState, seat: int) -> tuple[Part, ...]:
    return parts(state, seat, OF_TWO if state.seats == 2 else AMONG_MORE)


def tidy(line: Line) -> Line:
    """The same line with one sale of a colour and one gift where the search found several in a row."""
    return tuple(command for sums, some in groupby(line, _is_sum) for command in (_summed(some) if sums else some))


def _is_sum(command: Command) -> bool:
    return isinstance(command, Sell | Donate)


def _summed(commands: Iterator[Command]) -> Iterator[Command]:
    """Sales first: they need no coins, and the gift may need theirs."""
    sold, given = Counter[tuple[Any, bool]](), 0
    for command in commands:
        if isinstance(command, Sell):
            sold[command.gem, command.market] += command.count
        elif isinstance(command, Donate):
            given += command.amount
    yield from (Sell(count, gem, market) for (gem, market), count in sold.items())
    if given:
        yield Donate(given)


class Tidy(Beam):
    """A beam whose line has no sale or gift in pieces."""

    def line(self, facts: Facts, view: Any, legal: Line, rng: Rng) -> Line:
        return tidy(super().line(facts, view, legal, rng))


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
            found.setdefault(tidy(line), value)
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
        left = [_Prospect(found, self.trust * found.value) for found in lines]
        worlds = self.worlds
        while len(left) > 1 and facts.budget.left() > 0:
            for each in left:
                each.ends = each.ends or _ends(facts, state, each.found.line, rng)
            for _ in range(worlds):
                _play_on(facts, left, world(state.seats, rng))
            left = sorted(left, key=_Prospect.value, reverse=True)[: (len(left) + 1) // 2]
            worlds *= 2
        return left[0].found.line


class _Prospect:
    """A line, where it leads, and the places that followed from there; all lines are judged in the same worlds."""

    def __init__(self, found: Found, before: float) -> None:
        self.found = found
        self.before = before
        self.ends: list[Rest] = []
        self.places: list[float] = []

    def value(self) -> float:
        return self.before + sum(self.places) / max(1, len(self.places))

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


FAIR = Tidy(imagine, plain, width=1, samples=2)
WIDE = Tidy(imagine, shrewd, width=4, samples=12)  # in one imagined world: what others hold matters little here
NARROW = Tidy(imagine, shrewd, width=2, samples=6)
STRONG = Foresight(WIDE, NARROW, lines=8, worlds=32, trust=0.003)
