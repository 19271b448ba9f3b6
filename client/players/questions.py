"""Questions to a player's process and its replies, a line of JSON each. The process has no other information."""

from __future__ import annotations

import random
import time
from typing import Any

import msgspec

from engine import registry
from engine.errors import EngineFault
from engine.game import Command, Game, View
from engine.kit import Step, dump_steps, legal, load_steps
from engine.players import ChosenLine, Facts, Players, Positions, answer, players
from engine.record.log.options import load_options

NO_OPTIONS = msgspec.Raw(b"{}")


class MoveRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a level, with everything that its seat may know.

    `view` and `legal` are as in the API; `legal` may be left out where the game can imagine a state. `seconds` of
    processor time are for thinking, fewer if many are waiting; after `due` seconds on the wall clock it must end,
    whatever the load. The same `seed` gives the player the same chance.
    """

    game: str
    seat: int
    level: str
    view: msgspec.Raw
    legal: tuple[dict[str, Any], ...] = ()
    options: msgspec.Raw = NO_OPTIONS
    seed: str = ""
    seconds: float = 2.0
    due: float = 60.0


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A move for the API's `commands`. `by` is the level that chose it, `troubles` are the failures of others.

    `seconds` is its processor time, 0 if unknown.
    """

    commands: tuple[dict[str, Any], ...]
    by: str
    troubles: tuple[str, ...] = ()
    seconds: float = 0.0


class ThinkingBudget(Positions):
    """A budget in positions, as in a match, and in processor time, so that a busy machine does not weaken a level.

    Once the answer is due on the wall clock, nothing is left.
    """

    def __init__(self, seconds: float, due: float) -> None:
        super().__init__()
        self._seconds, self._due = seconds, due
        self._began, self._began_here = time.process_time(), time.monotonic()

    @property
    def took(self) -> float:
        """The processor time so far, in seconds."""
        return time.process_time() - self._began

    def left(self) -> float:
        if time.monotonic() - self._began_here >= self._due:
            return 0.0
        return min(super().left(), 1 - self.took / self._seconds)


def reply(question: MoveRequest) -> Reply:
    """Compute the answer in this process."""
    thought = ThinkingBudget(question.seconds, question.due)
    game, offered = registry.find(question.game), _offered(question.game)
    rng = random.Random(f"{question.seed}-{question.seat}")  # noqa: S311 - a player's own chance
    seen = offered.read(bytes(question.view))
    options = load_options(game, msgspec.json.decode(question.options))
    facts = Facts(game=game, seat=question.seat, options=options, budget=thought)
    given = answer(facts, seen, _legal(question, game, offered, seen), rng, question.level)
    return _reply_of(given, thought.took)


def _offered(key: str) -> Players:
    offered = players(key)
    if offered is None:
        raise EngineFault("no-players", game=key)
    return offered


def _legal(question: MoveRequest, game: Game[Any], offered: Players, seen: View) -> tuple[Command, ...]:
    """The legal commands of the question, or those by the engine's rules in a state that fits the view."""
    if question.legal or offered.imagine is None:
        one_by_one = (load_steps(game, [command]) for command in question.legal)  # a move is bounded, a list is not
        return tuple(step.command for steps in one_by_one for step in steps)
    imagined = offered.imagine(seen, random.Random(question.seed))  # noqa: S311 - a player's own chance
    return tuple(legal(game, imagined, question.seat))


def _reply_of(given: ChosenLine, seconds: float) -> Reply:
    commands = dump_steps(map(Step, given.line))
    return Reply(commands=tuple(commands), by=given.by, troubles=given.troubles, seconds=seconds)
