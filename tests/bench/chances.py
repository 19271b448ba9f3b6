"""How sure an analysis may be: fits `heat` of a game's players to the ends of games between them.

    python -m tests.bench.chances tikal --games 40

Each position between turns of each game is one observation: the worth of it to every seat, and who won in the end.
The table shows the fitted heat, the mean log loss with it, and the loss of even chances.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise, product
from math import log
from typing import Any, NamedTuple

from client.players.matches import Match, play
from engine import registry
from engine.analysis.chances import chances, decided
from engine.kit import turns
from engine.kit.play import outcome
from engine.players import Heat, level
from engine.players.finding import players

HEATS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0)
LEAST = 1e-3  # a chance that is never counted as less


class Seen(NamedTuple):
    worths: tuple[float | None, ...]
    played: float
    shares: tuple[float, ...]


def observe(key: str, seats: int, number: int, positions: int) -> list[Seen]:
    game, judges = registry.find(key), players(key)
    match = Match(
        game=game, options=game.meta.options(), names=("fair",) * seats, policies=(level(game, "fair"),) * seats,
        seed="chances", number=number, positions=positions,
    )  # fmt: skip
    done = play(match)
    states = [*(answered.before for answered in done.story), done.state]
    ended = outcome(game, states[-1])
    assert judges is not None
    assert judges.worth is not None
    assert ended is not None
    last, shares = turns(game, states[-1]), decided(ended, seats)
    ends = [s for before, s in pairwise(states) if turns(game, before) != turns(game, s)]
    worths = [tuple(judges.worth(s, one) for one in range(seats)) for s in ends]
    return [
        Seen(_mean(worths[max(0, number + 1 - seats) : number + 1]), turns(game, s) / max(1, last), shares)
        for number, s in enumerate(ends)
        if outcome(game, s) is None
    ]


def _mean(worths: list[tuple[float, ...]]) -> tuple[float, ...]:
    """The mean of a round, as in an analysis."""
    return tuple(sum(values) / len(worths) for values in zip(*worths, strict=True))


def loss(seen: list[Seen], heat: Heat) -> float:
    """The mean of -log of the chance that the winner was given."""
    return sum(_one(chances(one.worths, heat, one.played), one.shares) for one in seen) / len(seen)


def _one(given: tuple[float, ...], shares: tuple[float, ...]) -> float:
    return -sum(share * log(max(LEAST, chance)) for chance, share in zip(given, shares, strict=True))


def fit(seen: list[Seen]) -> Heat:
    return min((Heat(*pair) for pair in product(HEATS, HEATS)), key=lambda heat: loss(seen, heat))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="+")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--positions", type=int, default=400)
    asked = parser.parse_args()
    _say("| game | seats | games | first | last | loss | even | as set |\n|---|---|---|---|---|---|---|---|")
    for key in asked.keys:
        every: list[Any] = []
        for seats in (2, 3, 4):
            seen = [one for n in range(asked.games) for one in observe(key, seats, n, asked.positions)]
            _row(key, str(seats), asked.games, seen)
            every += seen
        _row(key, "all", 3 * asked.games, every)


def _row(key: str, seats: str, games: int, seen: list[Seen]) -> None:
    heat, judges = fit(seen), players(key)
    assert judges is not None
    assert judges.heat is not None
    even = sum(log(len(one.worths)) for one in seen) / len(seen)
    figures = (heat.first, heat.last, loss(seen, heat), even, loss(seen, judges.heat))
    _say(f"| {key} | {seats} | {games} | " + " | ".join(f"{figure:.2f}" for figure in figures) + " |")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
