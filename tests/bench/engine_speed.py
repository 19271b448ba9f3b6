"""Commands submitted and events folded, in the engine alone."""

from collections.abc import Callable
from typing import Any

from engine import registry, replay, selfplay
from engine.chance import Lane
from engine.errors import Refused
from engine.game import Game, Turn, fold
from engine.kit import Step
from engine.selfplay import Walked

from .reference import chess_moves
from .timing import heading, line, seconds, side_by_side

GAMES = {"pig": 40, "bids": 40, "livingstone": 3, "tikal": 3, "discoveries": 3, "lewis_clark": 3}


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
    submit, beside = beside_the_reference(lambda: [resubmit(game, seed, steps) for seed, steps in walks], commands)
    folded = seconds(lambda: [fold(one) for one in events])
    line(f"{game.meta.key}, {seats} seats: submitted commands/s", f"{commands / submit:,.0f}", beside)
    total = sum(map(len, events))
    line(f"{game.meta.key}, {seats} seats: folded events/s", f"{total / folded:,.0f}", f"{total} events")


def beside_the_reference(work: Callable[[], object], commands: int) -> tuple[float, str]:
    """The time of the work, and its rate as a share of the reference's, both taken in turns."""
    other = chess_moves()
    if other is None:
        return seconds(work), f"{commands} commands; the reference, python-chess, is not here: `make bench` installs it"
    took, reference = side_by_side(work, other[0])
    rates = commands / took, other[1] / reference
    return took, f"{commands} commands; {rates[0] / rates[1]:.2f} of python-chess ({rates[1]:,.0f} moves/s)"


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
