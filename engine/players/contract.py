"""The contract between a policy and its caller, and the contents of a game's folder of players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from engine.game import Command, Game, View
from engine.players.habits import Habits
from engine.players.parts import POINTS, Parts, Unit

POSITIONS = 20_000  # positions that a policy may look at for one answer, by default
LEVELS = ("easy", "fair", "strong")


class Rng(Protocol):
    """A player's own chance: the part of `random.Random` that policies use."""

    def randrange(self, stop: int, /) -> int:
        """One of 0 .. stop - 1."""

    def random(self) -> float:
        """From 0 up to 1."""


class Budget(Protocol):
    """The budget of one answer."""

    def spend(self) -> None:
        """Count a position that is looked at."""

    def left(self) -> float:
        """The share that is left: 1 at first, 0 or less once the answer is due."""


class Positions:
    """A budget in positions, so that the same question has the same answer on every machine."""

    def __init__(self, most: int = POSITIONS) -> None:
        self.most = most
        self.seen = 0

    def spend(self) -> None:
        self.seen += 1

    def left(self) -> float:
        return 1 - self.seen / self.most


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts about a table beside the view: the rules version, the policy's own seat, the creator's options."""

    game: Game[Any]
    seat: int
    options: Any = None
    budget: Budget = msgspec.field(default_factory=Positions)


Imagine = Callable[[Any, Rng], Any]
Worth = Callable[[Any, int], float]  # the worth of a state for a seat


class Heat(msgspec.Struct, frozen=True):
    """Points of worth that count little, at the beginning of a game and at its end (`engine/analysis/chances.py`)."""

    first: float
    last: float


class Policy:
    """A way to play. It keeps nothing between two calls."""

    def choose(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> Command:
        """Choose one of the legal commands. It may read nothing but its arguments."""
        return self.line(facts, view, legal, rng)[0]

    def line(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> tuple[Command, ...]:
        """The commands to play now, up to the first draw or the end of the turn: one move.

        By default the first is `choose`'s. A policy that chooses one command at a time does not override this.
        """
        return (self.choose(facts, view, legal, rng),)


class Players(msgspec.Struct, frozen=True, kw_only=True):
    """The players in a game's folder. `view` is the type of its views, so that one can be read from JSON.

    `thumb` is a rule of thumb, and `habits` are figures about how a seat played; both are for the arena.
    `worth` is the strongest level's judgement at the end of a turn. With it and `heat`, finished games can be analysed.
    `parts` splits `worth` for the reasons of hints and analyses, and `unit` is what it is counted in.
    `advice` is `fair` without its slips, for hints; None if it makes none.
    """

    view: type[View]
    imagine: Imagine | None = None
    levels: Mapping[str, Policy]
    advice: Policy | None = None
    thumb: Policy | None = None
    habits: Habits | None = None
    worth: Worth | None = None
    parts: Parts | None = None
    unit: Unit = POINTS
    heat: Heat | None = None

    def read(self, seen: bytes | str) -> View:
        """Read a view as the API returns it."""
        return msgspec.json.decode(seen, type=self.view, strict=False)
