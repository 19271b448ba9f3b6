"""Lessons: a guided first game of a title, a game of scripted moves of which a learner makes those of the first seat.

A game offers one as `lesson.toml` in its folder:

    about = "Three expeditions ..."        where the learner is
    seats = 3
    chance = "lesson"                      the word from which everything is drawn
    begins = 1
    before = ["2: coins 3; end"]           moves that lead to the first step
    ends = "That was the game ..."         what else there is to know

    [[steps]]
    asks = "Take the 5: it gives five coins."
    why = "Coins pay for tents."
    move = "coins 5"                       one command of the learner
    changes = { "players.0.coins" = [3, 8] }    what it gives: values of the learner's view before and after it
    facts = { "costs.0" = 1 }              other values that the sentences name, before it
    quotes = ["take D coins"]              passages of the guide that the sentences repeat
    then = ["1: end", "2: mine 3; end"]    moves that follow by themselves
    later = { "column" = [1, 2] }          what they change, seen from before the command

The moves are played by the rules, from their seed, so a position is known by its lesson and step alone, and nobody
stores a learner's progress. The conformance suite plays every lesson, compares all these values, and finds each number
of a sentence among them or in a passage of the guide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import Any

import msgspec

from engine import golden, registry
from engine.errors import EngineFault
from engine.game import Command, Event, Turn
from engine.kit import parse, view

FILE = "lesson.toml"
LEARNER = 0


class Prompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A step of a lesson: what it asks for, its reason, the command, its effect, and the moves that follow it."""

    asks: str
    why: str
    move: str
    changes: dict[str, tuple[Any, Any]]
    facts: dict[str, Any] = {}
    quotes: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    later: dict[str, tuple[Any, Any]] = {}


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole lesson."""

    about: str
    seats: int
    chance: str
    steps: tuple[Prompt, ...]
    ends: str
    begins: int = 1
    options: dict[str, Any] = {}
    before: tuple[str, ...] = ()


class Stage(msgspec.Struct, frozen=True):
    """The position before a step, or after the last one, and what has led to it from the step before."""

    state: Any
    events: tuple[Event, ...] = ()
    at_once: Any = None  # the position right after the command of that step


@cache
def lesson(key: str) -> Lesson | None:
    """The lesson of a game; None if it has none."""
    text = registry.read(key, FILE)
    return msgspec.toml.decode(text, type=Lesson) if text else None


def find(key: str) -> Lesson:
    """The lesson of a game that has one."""
    found = lesson(key)
    if found is None:
        raise EngineFault("no-lesson", key=key)
    return found


def command(key: str, prompt: Prompt) -> Command:
    """The command that a step asks for."""
    (step,) = parse(registry.find(key), prompt.move)
    return step.command


@lru_cache(maxsize=16)
def stages(key: str) -> tuple[Stage, ...]:
    """All positions of a game's lesson: one before each step, and the last."""
    return played(key, find(key))


def played(key: str, taught: Lesson) -> tuple[Stage, ...]:
    """The positions of any lesson of this game."""
    turns = golden.play(_script(key, taught))
    opening = _stage(turns, 1 + len(taught.before))
    return (Stage(opening.state), *(_stage(turns, 1 + len(prompt.then)) for prompt in taught.steps))


def values(key: str, state: Any, paths: Iterable[str]) -> dict[str, Any]:
    """The values at these paths of the learner's view."""
    seen = view(registry.find(key), state, LEARNER)
    return {path: _value(seen, path) for path in paths}


def _stage(turns: Iterator[Turn], count: int) -> Stage:
    made = list(islice(turns, count))
    return Stage(made[-1].state, tuple(event for turn in made for event in turn.events), made[0].state)


def _script(key: str, taught: Lesson) -> golden.Script:
    moves = [*taught.before]
    for prompt in taught.steps:
        moves += [f"{LEARNER + 1}: {prompt.move}", *prompt.then]
    options, rules = msgspec.json.encode(taught.options).decode(), registry.find(key).meta.rules[1]
    script = golden.Script(key, taught.seats, rules, options, taught.chance, taught.begins)
    return msgspec.structs.replace(script, moves=tuple(map(_move, moves)))


def _move(text: str) -> tuple[int, str]:
    seat, _, commands = text.partition(": ")
    return int(seat) - 1, commands


def _value(seen: Any, path: str) -> Any:
    """The part of a view at a path such as `players.0.coins`, with lists as TOML has them."""
    for name in path.split("."):
        seen = seen[int(name)] if name.isdigit() else getattr(seen, name)
    return msgspec.json.decode(msgspec.json.encode(seen))
