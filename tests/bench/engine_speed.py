"""Commands submitted and events folded, in the engine alone."""

import time
from collections.abc import Callable
from typing import Any

from engine import registry, replay, selfplay
from engine.chance import Lane
from engine.errors import Refused
from engine.game import Game, Turn, fold
from engine.kit import Step
from engine.selfplay import Walked

from .reference import Work, chess_moves, chess_pushes
from .timing import heading, line, seconds, side_by_side

GAMES = {"pig": 40, "bids": 40, "livingstone": 3, "tikal": 3, "discoveries": 3, "lewis_clark": 3}
RUNS = 15  # of 10 to 100 ms of processor time each


def main() -> None:
    heading("Engine: one command a submission (reference for Livingstone: 170,000 commands/s, 850,000 events/s)")
    for key, games in GAMES.items():
        try:
            report(registry.find(key), games)
        except Refused:
            line(key, "not here")


def report(game: Game[Any], games: int) -> None:
    seats = min(4, game.meta.seats[1])
    walks = [
        (seed, list(selfplay.walk(game, seats, game.meta.options(), seed)))
        for seed in (selfplay.seed_of("bench", n) for n in range(games))
    ]
    commands = sum(len(steps) - 1 for _, steps in walks)
    events = [[event for step in steps for event in step.events] for _, steps in walks]
    submitted = lambda: [resubmit(game, seed, steps) for seed, steps in walks]  # noqa: E731 - a piece of work
    beside_the_reference(f"{game.meta.key}, {seats} seats: submitted commands/s", submitted, commands, chess_moves())
    folded = lambda: [fold(one) for one in events]  # noqa: E731 - a piece of work
    total = sum(map(len, events))
    beside_the_reference(f"{game.meta.key}, {seats} seats: folded events/s", folded, total, chess_pushes())


def beside_the_reference(what: str, work: Work, count: int, other: tuple[Work, int] | None) -> None:
    """Print the rate of the work, and its share of the reference's rate, both taken in turns."""
    if other is None:
        aside = "the reference, python-chess, is not here: `make bench` installs it"
        line(what, f"{count / seconds(work):,.0f}", aside)
        return
    took, reference = side_by_side(work, other[0], runs=RUNS, clock=time.process_time)
    rate, of_chess = count / took, other[1] / reference
    line(what, f"{rate:,.0f}", f"{rate / of_chess:.2f} of python-chess ({of_chess:,.0f} moves/s)")


def resubmit(game: Game[Any], seed: bytes, steps: list[Walked]) -> None:
    """Every command of the game again on the state it met: a new turn, decide, forced steps, with its draws."""
    chance, secret = (_counted(selfplay.lanes(seed, label)) for label in ("public", "hidden"))
    replay.start(game, steps[0].after.seats, game.meta.options(), first := chance(), hidden := secret())
    for step in steps[1:]:
        turn = Turn(step.before, first := chance(first), hidden := secret(hidden))
        replay.move(game, turn, step.seat, (Step(step.chosen),))
    assert turn.state == steps[-1].after


def _counted(lane: Lane) -> Callable[..., Lane]:
    """Lanes that go on where the one before stopped."""
    return lambda before=None: Lane(lane._key_of, lane._entropy, before.next if before else 1)
