"""The longest list of legal commands: the processor time of `legal` in every position of many games.

The games are random walks, at every number of seats, and games by a rule of thumb, which own more and reach other
positions. Every position is measured once. The slowest are measured again, and the least time of each counts, so that
a busy machine makes no position look slow.
"""

import gc
import heapq
import time
from collections.abc import Iterator
from typing import Any

from client.players.matches import Match, play
from engine import registry, selfplay
from engine.game import Game
from engine.kit import legal
from engine.players import rivals

from .timing import heading, line

GAMES = {"livingstone": 5, "tikal": 5, "discoveries": 3, "lewis_clark": 2}  # of each kind at each number of seats
SLOWEST, RUNS = 60, 7
Position = tuple[Any, int]  # a state, and a seat that is active in it


def main() -> None:
    heading("Engine: the longest `legal` of any position (aim: 1 ms; Tikal and Discoveries 2 ms)")
    for key, games in GAMES.items():
        report(registry.find(key), games)


def report(game: Game[Any], games: int) -> None:
    met = [position for seats in _seats(game) for position in positions(game, seats, games)]
    slowest = heapq.nlargest(SLOWEST, met, key=lambda position: milliseconds(game, *position))
    worst = max(slowest, key=lambda position: least(game, *position))
    phase = " ".join(kind.__name__ for kind in game.phase(*worst))
    aside = f"of {len(met):,} positions; {worst[0].seats} seats, turn {game.turns(worst[0])}, phase: {phase}"
    line(f"{game.meta.key}: longest `legal`, ms", f"{least(game, *worst):.2f}", aside)


def _seats(game: Game[Any]) -> range:
    return range(max(2, game.meta.seats[0]), game.meta.seats[1] + 1)


def positions(game: Game[Any], seats: int, games: int) -> Iterator[Position]:
    """The positions of random walks and of games by the rule of thumb."""
    for number in range(games):
        for step in selfplay.walk(game, seats, game.meta.options(), selfplay.seed_of("legal", number)):
            if step.seat is not None:
                yield step.before, step.seat
        for answered in play(_by_thumb(game, seats, number)).story:
            yield answered.before, answered.seat


def _by_thumb(game: Game[Any], seats: int, number: int) -> Match:
    found = rivals(game)
    policy = found.get("thumb", found["random"])
    names, policies = ("thumb",) * seats, (policy,) * seats
    return Match(game=game, options=game.meta.options(), names=names, policies=policies, seed="legal", number=number)


def least(game: Game[Any], state: Any, seat: int) -> float:
    gc.collect()
    return min(milliseconds(game, state, seat) for _ in range(RUNS))


def milliseconds(game: Game[Any], state: Any, seat: int) -> float:
    began = time.process_time()
    for _ in legal(game, state, seat):
        pass
    return (time.process_time() - began) * 1e3
