"""Fair and strong: a search through the seat's own turn; strong also plays the rest of the game on (`foresight`).

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
from engine.games.livingstone.players.evaluate import Mind, parts, worth
from engine.games.livingstone.players.foresight import Foresight
from engine.games.livingstone.players.imagine import imagine
from engine.games.livingstone.state import LivingstoneState
from engine.players import Beam, Facts, Part, Rng
from engine.players.beam import Found

Line = tuple[Command, ...]

PLAIN_OF_TWO = Mind()
PLAIN_AMONG_MORE = Mind(gem=0.5, gems=0.4, die=1.5)
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

    def best(self, facts: Facts, worlds: list[Any], legal: Line, rng: Rng) -> Found:
        value, line = super().best(facts, worlds, legal, rng)
        return Found(value, tidy(line))


FAIR = Tidy(imagine, plain, width=1, samples=2)
WIDE = Tidy(imagine, shrewd, width=4, samples=12)  # in one imagined world: what others hold matters little here
NARROW = Tidy(imagine, shrewd, width=2, samples=6)
STRONG = Foresight(WIDE, NARROW, lines=8, worlds=32, trust=0.003)
