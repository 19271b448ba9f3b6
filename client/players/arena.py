"""Measuring strength: one level against others of another, at every seat in turn, by reproducible seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any

import msgspec

from client.players.matches import Ended, Match, play
from engine.game import Game
from engine.kit import turns
from engine.players import Figure, players, rivals
from engine.players.contract import POSITIONS
from engine.players.habits import of_any_game

Z = 1.96  # of an interval that holds in 95 of 100 cases


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of `one` among seats of `others`, in a number of games that goes round the seats."""

    game: Game[Any]
    seats: int
    options: Any
    one: str
    others: str
    games: int
    seed: str
    positions: int = POSITIONS


class Result(msgspec.Struct, frozen=True):
    """The result of a pairing: first places of the one, and the ends of the games."""

    pairing: Pairing
    won: float
    ended: tuple[Ended, ...]

    @property
    def ahead(self) -> float:
        """The share of the others that the one left behind: how often it beats a single other."""
        return sum(one.ahead(one.match.names.index(_alone(self.pairing))) for one in self.ended) / len(self.ended)

    @property
    def rate(self) -> float:
        return self.won / len(self.ended)

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.won, len(self.ended))

    @property
    def times(self) -> float:
        """The first places as a multiple of an even share."""
        return self.rate * self.pairing.seats

    @property
    def reasons(self) -> Counter[str]:
        return Counter(one.outcome.reason for one in self.ended)

    @property
    def longest(self) -> int:
        """The most turns of one of these games."""
        return max(turns(self.pairing.game, one.state) for one in self.ended)

    def seconds(self, name: str) -> tuple[float, ...]:
        """The times of this level's answers, the quickest first."""
        return tuple(
            sorted(move.seconds for one in self.ended for move in one.moves if one.match.names[move.seat] == name)
        )


def run(pairing: Pairing) -> Result:
    ended = tuple(map(play, matches(pairing)))
    won = sum(one.share(one.match.names.index(_alone(pairing))) for one in ended)
    return Result(pairing, won, ended)


def _alone(pairing: Pairing) -> str:
    return f"{pairing.one}*" if pairing.one == pairing.others else pairing.one


def matches(pairing: Pairing) -> Iterator[Match]:
    """The matches of a pairing: each seed is played with the one at every seat, so that luck weighs less."""
    known = rivals(pairing.game)
    one, other = known[pairing.one], known[pairing.others]
    for number in range(pairing.games):
        seat = number % pairing.seats
        yield Match(
            game=pairing.game,
            options=pairing.options,
            names=_seated(_alone(pairing), pairing.others, seat, pairing.seats),
            policies=_seated(one, other, seat, pairing.seats),
            seed=pairing.seed,
            number=number // pairing.seats,
            positions=pairing.positions,
        )


def _seated(one: Any, other: Any, seat: int, seats: int) -> tuple[Any, ...]:
    return tuple(one if at == seat else other for at in range(seats))


def wilson(won: float, games: int) -> tuple[float, float]:
    """The interval of Wilson (1927) for a share, in 95 of 100 cases."""
    share, square = won / games, Z * Z
    middle, spread = share + square / (2 * games), Z * sqrt(share * (1 - share) / games + square / (4 * games * games))
    return max(0.0, (middle - spread) / (1 + square / games)), min(1.0, (middle + spread) / (1 + square / games))


def at(quickest_first: Sequence[float], share: float) -> float:
    """The value below which this share lies; 0 without values."""
    return quickest_first[min(len(quickest_first) - 1, int(share * len(quickest_first)))] if quickest_first else 0.0


def habits(result: Result) -> str:
    """How each side of a pairing played, side by side, as a Markdown table."""
    game, one, others = result.pairing.game, _alone(result.pairing), result.pairing.others
    sides = [_habits_of(result, name) for name in (one, others)]
    rows: list[tuple[str, ...]] = [(f"habits in {game.meta.title}", one, others), ("------",) * 3]
    rows += [(name, *(_rate(side.get(name)) for side in sides)) for name in dict.fromkeys((*sides[0], *sides[1]))]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _habits_of(result: Result, name: str) -> dict[str, Figure]:
    """The figures of all seats of this name, over all games."""
    total: dict[str, Figure] = {}
    offered = players(result.pairing.game.meta.key)
    for ended in result.ended:
        for seat in [seat for seat, each in enumerate(ended.match.names) if each == name]:
            found = of_any_game(ended.story, seat)
            if offered is not None and offered.habits is not None:
                found.update(offered.habits(ended.story, ended.state, seat))
            total = {habit: figure.plus(total.get(habit, Figure(0, 0))) for habit, figure in found.items()}
    return total


def _rate(figure: Figure | None) -> str:
    return "-" if figure is None or figure.rate is None else f"{figure.rate:.2f}"


HEAD = (
    "game",
    "seats",
    "one",
    "others",
    "won",
    "interval",
    "times",
    "ahead",
    "most turns",
    "ended",
    "CPU ms",
    "p95",
    "most",
)


def table(results: Sequence[Result]) -> str:
    """The results as a Markdown table; times are of the one's answers, the median first."""
    rows = [HEAD, *(["-" * len(word) for word in HEAD],), *map(_row, results)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(result: Result) -> tuple[str, ...]:
    pairing, (low, high) = result.pairing, result.interval
    thought = result.seconds(_alone(pairing))
    return (
        pairing.game.meta.title,
        str(pairing.seats),
        pairing.one,
        pairing.others,
        f"{result.won:g}/{len(result.ended)}",
        f"{low:.2f} to {high:.2f}",
        f"{result.times:.2f}",
        f"{result.ahead:.2f}",
        f"{result.longest} of {pairing.game.meta.cap}",
        ", ".join(f"{reason} {count}" for reason, count in result.reasons.most_common()),
        *(f"{1000 * at(thought, share):.0f}" for share in (0.5, 0.95, 1.0)),
    )
