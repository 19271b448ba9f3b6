"""A rule of thumb: dig, uncover levels, guard tall temples, and send new explorers to what scores most."""

from __future__ import annotations

from engine.game import Command
from engine.games.tikal.bids import Bid, Choose, Offer, Pass
from engine.games.tikal.commands import Camp, Dig, Enter, Guard, Level, Walk
from engine.games.tikal.components import TILE
from engine.games.tikal.state import Site
from engine.games.tikal.view import TikalView
from engine.players import Thumb

TALL = 7  # the lowest temple that gets a guard


def likes(view: TikalView, seat: int, command: Command) -> float:
    sites = {one.cell: one.site for one in view.sites}
    match command:
        case Dig():
            return 90.0
        case Level():
            return 80.0 + sites[command.cell].value
        case Guard():
            return 70.0 if sites[command.cell].value >= TALL else -2.0
        case Walk():
            return _walk(sites[command.start], sites[command.goal], seat)
        case Enter():
            return 5.0
        case Choose():
            return float(TILE[command.tile].number)
        case Camp():
            return -1.0
        case Pass():
            return 0.5
        case Bid() | Offer():
            return -float(command.ceiling if isinstance(command, Bid) else command.points)
    return 0.0


def _walk(start: Site, goal: Site, seat: int) -> float:
    """Away from where nothing scores, to what scores and is not held yet."""
    if _scores(start) or not _scores(goal):
        return -1.0
    others = max(goal.strength(other) for other in range(len(goal.explorers)) if other != seat)
    led = goal.kind == "temple" and goal.strength(seat) > others
    return 10.0 + (goal.value or goal.treasures) - 6.0 * led


def _scores(site: Site) -> bool:
    return site.treasures > 0 or (site.kind == "temple" and site.guard is None)


THUMB = Thumb(likes)
