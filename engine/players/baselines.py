"""Players to measure levels against: none of them is offered to a table.

random   any legal command, each equally likely
greedy   the command after which it stands best, by the points that everybody sees; chance decides between equals
thumb    a game's rule of thumb: the command that a beginner would like best (`Players.thumb`)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Command, Game
from engine.kit import standing
from engine.players.chance import play
from engine.players.contract import Facts, Imagine, Policy, Rng
from engine.players.finding import levels, players
from engine.players.simple import Anything, Likes

NOT_PLACED = -100.0  # for a seat that is out


class Thumb(Policy):
    """The command with the largest weight; chance decides between equals."""

    def __init__(self, likes: Likes) -> None:
        self.likes = likes

    def choose(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> Command:
        return _best(legal, [self.likes(view, facts.seat, command) for command in legal], rng)


class Greedy(Policy):
    """Looks one command ahead, with its own chance, at the game's own ranking."""

    def __init__(self, imagine: Imagine) -> None:
        self.imagine = imagine

    def choose(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> Command:
        state = self.imagine(view, rng)
        after = [play(facts.game, state, facts.seat, command, rng).state for command in legal]
        return _best(legal, [_lead(facts.game, one, facts.seat) for one in after], rng)


def _best(legal: tuple[Command, ...], values: list[float], rng: Rng) -> Command:
    best = [command for command, value in zip(legal, values, strict=True) if value == max(values)]
    return best[rng.randrange(len(best))]


def _lead(game: Game[Any], state: Any, seat: int) -> float:
    """The seat's points beyond the best other's; in a game without points its place."""
    now = standing(game, state)
    if seat in now.out:
        return NOT_PLACED
    if not now.points:
        return -float(next(at for at, tied in enumerate(now.places) if seat in tied))
    totals = [sum(row[each] for _, row in now.points) for each in range(state.seats)]
    return float(totals[seat] - max((n for each, n in enumerate(totals) if each != seat), default=0))


def rivals(game: Game[Any]) -> Mapping[str, Policy]:
    """The players that can be measured, by name: the baselines of this game, then its levels."""
    offered, found = players(game.meta.key), dict[str, Policy](random=Anything())
    if offered is not None and offered.imagine is not None:
        found["greedy"] = Greedy(offered.imagine)
    if offered is not None and offered.thumb is not None:
        found["thumb"] = offered.thumb
    return {**found, **levels(game)}
