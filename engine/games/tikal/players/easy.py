"""Easy: sensible commands without a plan. It goes where there is something to score, and works there."""

from __future__ import annotations

from engine.game import Command
from engine.games.tikal.bids import Bid, Choose, Offer, Pass
from engine.games.tikal.commands import Camp, Dig, Done, Enter, Guard, Level, Place, Swap, Walk
from engine.games.tikal.view import TikalView
from engine.players import Sensible

WEIGHTS: dict[type[Command], float] = {
    Place: 1.0,
    Enter: 1.0,
    Level: 3.0,
    Dig: 4.0,
    Swap: 0.02,
    Camp: 0.3,
    Choose: 1.0,
    Pass: 2.0,
}
DONE_EARLY = 0.1  # with action points to spend
GOAL, NOTHING, LEAVING = 0.2, 0.02, 0.25  # a walk to a cell that can score, to another, and away from one that can
GOOD_TEMPLE = 5  # the lowest number that gets a guard
SMALL = 3  # the highest bid, in points


def weight(view: TikalView, seat: int, command: Command) -> float:  # noqa: ARG001 - the signature of all games
    if isinstance(command, Walk):
        return _walk(view, command)
    if isinstance(command, Guard):
        return 1.0 * any(one.cell == command.cell and one.site.value >= GOOD_TEMPLE for one in view.sites)
    if isinstance(command, Bid | Offer):
        return _bid(command.ceiling if isinstance(command, Bid) else command.points)
    if isinstance(command, Done):
        return DONE_EARLY
    return WEIGHTS[type(command)]


def _walk(view: TikalView, walk: Walk) -> float:
    """Weigh a walk without its cost."""
    scores = {one.cell for one in view.sites if one.site.treasures or (one.site.value and one.site.guard is None)}
    return (GOAL if walk.goal in scores else NOTHING) * (LEAVING if walk.start in scores else 1.0)


def _bid(points: int) -> float:
    return 1.0 / (1 + points) if points <= SMALL else 0.0


EASY = Sensible(weight)
