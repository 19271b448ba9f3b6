"""A whole game of policies in memory: the same seed plays the same game, if budgets are counted in positions."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from engine import replay
from engine.errors import EngineFault, Refused
from engine.game import Command, Game, Outcome, Turn
from engine.kit import Step, active, legal, outcome, view
from engine.players import Answered, Facts, Policy, Positions
from engine.players.contract import POSITIONS
from engine.selfplay import MOST_COMMANDS, lanes, seed_of


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A game to play: a named policy for each seat. `seed` fixes the game's chance."""

    game: Game[Any]
    options: Any
    names: tuple[str, ...]
    policies: tuple[Policy, ...]
    seed: str
    number: int = 0
    positions: int = POSITIONS  # that one answer may look at


class TimedAnswer(msgspec.Struct, frozen=True):
    """One answer: its seat, the number of its commands, and its processor time."""

    seat: int
    commands: int
    seconds: float


class Ended(msgspec.Struct, frozen=True):
    """A match that is over."""

    match: Match
    outcome: Outcome
    state: Any
    moves: tuple[TimedAnswer, ...]
    story: tuple[Answered, ...]

    def share(self, seat: int) -> float:
        """The share of the first place: ties split it, and there is none without a winner."""
        first = self.outcome.places[0] if self.outcome.won else ()
        return 1 / len(first) if seat in first else 0.0

    def ahead(self, seat: int) -> float:
        """The share of the others that are placed after this seat; a tie counts half."""
        place = {each: at for at, tied in enumerate(self.outcome.places) for each in tied}
        others = [place[other] - place[seat] for other in place if other != seat]
        return sum(1.0 if later > 0 else 0.5 * (later == 0) for later in others) / len(others)


def play(match: Match) -> Ended:
    """Play a match to its end. Each seat has its own source of chance and sees only its view."""
    seed, game = seed_of(match.seed, match.number), match.game
    rngs = [random.Random(f"{match.seed}-{match.number}-{seat}") for seat in range(len(match.names))]  # noqa: S311 - a player's own chance
    turn = replay.start(game, len(match.names), match.options, lanes(seed, "public"), lanes(seed, "hidden"))
    moves: list[TimedAnswer] = []
    story: list[Answered] = []
    for _ in range(MOST_COMMANDS):
        waiting = active(game, turn.state)
        if not waiting:
            break
        seat, state, listed = waiting[0], turn.state, tuple(legal(game, turn.state, waiting[0]))
        before = time.process_time()
        line = _answer(match, state, seat, listed, rngs[seat])
        moves.append(TimedAnswer(seat, len(line), time.process_time() - before))
        turn = _moved(game, turn, seat, line)
        story.append(Answered(seat, state, len(listed), listed.index(line[0]), tuple(turn.events)))
    ended = outcome(game, turn.state)
    if ended is None:
        raise EngineFault("play-without-end", game=game.meta.key)
    return Ended(match, ended, turn.state, tuple(moves), tuple(story))


def _answer(
    match: Match, state: Any, seat: int, listed: tuple[Command, ...], rng: random.Random
) -> tuple[Command, ...]:
    facts = Facts(game=match.game, seat=seat, options=match.options, budget=Positions(match.positions))
    return match.policies[seat].line(facts, view(match.game, state, seat), listed, rng)


def _moved(game: Game[Any], before: Turn, seat: int, line: Sequence[Command]) -> Turn:
    """The state after the line; after its first command if the rest turns out to be illegal."""
    for steps in (line, line[:1]):
        turn = Turn(before.state, before.chance.onward(), before.secret.onward())
        try:
            replay.move(game, turn, seat, tuple(map(Step, steps)))
        except Refused:
            continue
        return turn
    raise EngineFault("policy-refused", seat=seat, command=repr(line[0]))
