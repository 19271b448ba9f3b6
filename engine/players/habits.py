"""Habits: figures about how a seat played a game, such as a person would notice at the table.

A game's `players` folder offers them as `Players.habits`. Each figure is a count and its base, so that figures of many
games add up: 12 tiles on the first cell offered, of 18 tiles laid; 3 guards, in 1 game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from engine.game import Event

FIRST = "first of its list"


class Figure(msgspec.Struct, frozen=True):
    """A count, and what it is counted over."""

    count: float
    base: float

    def plus(self, other: Figure) -> Figure:
        return Figure(self.count + other.count, self.base + other.base)

    @property
    def rate(self) -> float | None:
        """None if there was nothing to count over."""
        return self.count / self.base if self.base else None


class Answered(msgspec.Struct, frozen=True):
    """One answer: the position before it, the commands that were legal, which of them began it, and its events."""

    seat: int
    before: Any
    listed: int
    chosen: int
    events: tuple[Event, ...]

    def steps(self) -> Iterator[tuple[Any, Event]]:
        """Each event with the position before it."""
        state = self.before
        for event in self.events:
            yield state, event
            state = event.apply(state)


Habits = Callable[[tuple[Answered, ...], Any, int], Mapping[str, Figure]]  # a game's answers, its end, a seat


def of_any_game(story: Iterable[Answered], seat: int) -> dict[str, Figure]:
    """How often a seat took the first of the commands that the rules listed, when there was a choice."""
    chosen = [one.chosen for one in story if one.seat == seat and one.listed > 1]
    return {FIRST: Figure(chosen.count(0), len(chosen))}


def own(story: Iterable[Answered], seat: int, *kinds: type[Event]) -> Iterator[tuple[Any, Event]]:
    """The seat's own events of these kinds, each with the position before it; all kinds if none is named."""
    for one in story:
        if one.seat == seat:
            for state, event in one.steps():
                if getattr(event, "seat", seat) == seat and (not kinds or isinstance(event, kinds)):
                    yield state, event
