"""Asking a policy safely: whatever it does, there is a legal answer, and a report if it is not the policy's own.

    the level that was asked   unless it raises or returns no legal line: then
    easy                       unless it fails likewise: then
    the clock's default        in a world that fits the view; if the game cannot give one,
    the first legal command

A policy that never answers cannot be helped from inside its process: `client/players/runner.py` kills it.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import msgspec

from engine.errors import SealedMoveError
from engine.game import Command
from engine.players.contract import Facts, Policy, Rng
from engine.players.finding import level, players
from engine.players.whole_turn import whole_turn

DEFAULT = "default"  # the name of the default's "level"
MOST_COMMANDS = 64


class ChosenLine(msgspec.Struct, frozen=True):
    """A line to play. `by` is the level that gave it, `troubles` are the failures of others."""

    line: tuple[Command, ...]
    by: str
    troubles: tuple[str, ...] = ()


class BadAnswer(SealedMoveError):
    """The answer of a policy is not a line of legal commands."""

    def __init__(self, says: str) -> None:
        super().__init__("bad-answer", says=says)
        self.says = says

    def __str__(self) -> str:
        return self.says


def answer(
    facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng, name: str, steady: Policy | None = None
) -> ChosenLine:
    """The line of this level, or of its substitute. Never raises while there is a legal command.

    `steady` plays in the level's place and name.
    """
    troubles: list[str] = []
    for by in dict.fromkeys((name, "easy", DEFAULT)):
        try:
            chooser = _chooser(by, steady if by == name else None)
            return ChosenLine(chooser(facts, view, legal, rng), by, tuple(troubles))
        except Exception as wrong:  # noqa: BLE001 - whatever a policy does, the table goes on
            troubles.append(f"{by}: {_report(wrong, facts)}"[:500])
    return ChosenLine(legal[:1], "first", tuple(troubles))


def _report(wrong: Exception, facts: Facts) -> str:
    """The error and its place. In a hidden game without its own text, which may contain secrets of the seat."""
    *_, last = traceback.extract_tb(wrong.__traceback__)
    place = f"{last.filename.rpartition('/')[2]}:{last.lineno}"
    options = facts.game.meta.options() if facts.options is None else facts.options
    words = "" if facts.game.hidden(options) else f": {wrong}"
    return f"{type(wrong).__name__}{words} ({place})"


Chooser = Callable[[Facts, Any, tuple[Command, ...], Rng], tuple[Command, ...]]


def _chooser(by: str, steady: Policy | None = None) -> Chooser:
    if by == DEFAULT:
        return _default

    def choose(facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> tuple[Command, ...]:
        policy, offered = steady or level(facts.game, by), players(facts.game.meta.key)
        line = _checked(policy.line(facts, view, legal, rng), legal)
        if offered is None or offered.imagine is None:
            return line
        return whole_turn(policy, facts, view, line, rng, offered.imagine)

    return choose


def _default(facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> tuple[Command, ...]:
    offered = players(facts.game.meta.key)
    if offered is None or offered.imagine is None:
        raise BadAnswer("the game cannot imagine a state")
    return _checked((facts.game.default(offered.imagine(view, rng), facts.seat),), legal)


def _checked(line: Any, legal: tuple[Command, ...]) -> tuple[Command, ...]:
    """A tuple of commands, the first of them legal."""
    if not isinstance(line, tuple) or not 1 <= len(line) <= MOST_COMMANDS:
        raise BadAnswer(f"no line of commands: {line!r:.80}")
    if not all(isinstance(command, Command) for command in line) or line[0] not in legal:
        raise BadAnswer(f"not legal now: {line[0]!r:.80}")
    return line
