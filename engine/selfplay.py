"""A whole game at random: every choice is drawn from the full list of legal commands, by the seed alone.

`walk` yields each step as it is played, for tests and benches; `play` walks to the end and counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine import replay
from engine.chance import Lane, derive, domain
from engine.errors import EngineFault
from engine.game import Command, Event, Game, Outcome, Turn
from engine.kit import Step, active, legal, outcome
from engine.record.encoding.canonical import H

MOST_COMMANDS = 100_000


class Walked(msgspec.Struct, frozen=True):
    """One step of a game. The first step is the setup: it has no seat, and its `before` is None."""

    before: Any
    seat: int | None
    legal: tuple[Command, ...]
    chosen: Command | None
    events: tuple[Event, ...]
    after: Any
    public: int  # number of public draws
    secret: int  # number of hidden draws


class PlayedGame(msgspec.Struct, frozen=True):
    """A finished game in figures. At a handoff the game begins to wait for another player."""

    outcome: Outcome
    commands: int
    events: int
    handoffs: int
    largest: int
    state: Any


def lanes(seed: bytes, label: str) -> Lane:
    """A lane of draws for play without a record: keys derived from the seed, with one label for each purpose."""
    return Lane(lambda d: derive(seed, label, d, 0), H(seed), 1)


class _Begun(Lane):
    """A lane whose first draw is given by the caller and has no number."""

    def __init__(self, lane: Lane, result: int) -> None:
        super().__init__(lane._key_of, lane._entropy, lane.next)  # noqa: SLF001 - a lane of the same keys
        self._given: int | None = result

    def roll(self, n: int) -> int:
        if self._given is None:
            return super().roll(n)
        result, self._given = self._given, None
        return result


def begun_by(lane: Lane, seat: int) -> Lane:
    """The lane for the setup of a game that this seat begins, drawn or not: for golden games and rule cases."""
    return _Begun(lane, seat)


def seed_of(text: str, number: int = 0) -> bytes:
    """32 bytes for game `number` of a run with this name, a word or a number."""
    return H(domain("selfplay") + number.to_bytes(8, "big") + text.encode())


def walk(game: Game[Any], seats: int, options: Any, seed: bytes) -> Iterator[Walked]:
    """The steps of one random game, to its end. A seat that has begun continues while it owes a command.

    `seed` is 32 bytes; the same seed gives the same game. EngineFault if an active seat has no legal command or the
    game does not end within 100,000.
    """
    choice, chance, secret = (lanes(seed, label) for label in ("choice", "public", "hidden"))
    turn = replay.start(game, seats, options, chance, secret)
    yield walked(None, None, (), None, turn)
    seat: int | None = None
    for _ in range(MOST_COMMANDS):
        waiting = active(game, turn.state)
        if not waiting:
            return
        seat = seat if seat in waiting else waiting[choice.roll(len(waiting))]
        before, chance, secret = turn.state, turn.chance.onward(), turn.secret.onward()
        listed = tuple(legal(game, before, seat))
        if not listed:
            raise EngineFault("no-legal-command", game=game.meta.key, seat=seat)
        chosen, turn = listed[choice.roll(len(listed))], Turn(before, chance, secret)
        replay.move(game, turn, seat, (Step(chosen),))
        yield walked(before, seat, listed, chosen, turn)
    raise EngineFault("play-without-end", game=game.meta.key)


def walked(before: Any, seat: int | None, listed: tuple[Command, ...], chosen: Command | None, turn: Turn) -> Walked:
    """The step that this turn has played."""
    drawn = len(turn.chance.got), len(turn.secret.got)
    return Walked(before, seat, listed, chosen, tuple(turn.events), turn.state, *drawn)


def play(game: Game[Any], seats: int, options: Any, seed: bytes) -> PlayedGame:
    """Play one random game to its end and count."""
    commands = events = handoffs = largest = 0
    asked: tuple[int, ...] = ()
    state: Any = None
    for step in walk(game, seats, options, seed):
        commands += step.chosen is not None
        events += len(step.events)
        now = active(game, step.after)
        handoffs += any(seat not in asked for seat in now)
        largest = max(largest, len(step.legal))
        asked, state = now, step.after
    ended = outcome(game, state)
    if ended is None:
        raise EngineFault("ended-without-outcome", game=game.meta.key)
    return PlayedGame(ended, commands, events, handoffs, largest, state)
