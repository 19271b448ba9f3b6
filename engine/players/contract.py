"""What a policy is given and asked, and what a game's folder of players offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from engine.game import Command, Game, View

POSITIONS = 20_000  # that a policy may look at for one answer, where nobody says otherwise
LEVELS = ("easy", "fair", "strong")


class Rng(Protocol):
    """A player's own chance: what `random.Random` offers of this."""

    def randrange(self, stop: int, /) -> int:
        """One of 0 .. stop - 1."""

    def random(self) -> float:
        """From 0 up to 1."""


class Budget(Protocol):
    """What one answer may cost."""

    def spend(self) -> None:
        """A position is looked at."""

    def left(self) -> float:
        """The share that is left: 1 at first, 0 or less when the answer is due."""


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
    """What is known of a table beside the view: the rules, the own seat, what its creator chose."""

    game: Game[Any]
    seat: int
    options: Any = None
    budget: Budget = msgspec.field(default_factory=Positions)


Imagine = Callable[[Any, Rng], Any]


class Policy:
    """A way to play. It keeps nothing between two questions."""

    def choose(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> Command:
        """One of the legal commands. It may read nothing but what it is given."""
        return self.line(facts, view, legal, rng)[0]

    def line(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> tuple[Command, ...]:
        """What to play now, one command after the other, up to the first draw or the end of the turn: one move.

        The first is `choose`'s. A policy that thinks of one command at a time leaves this as it is.
        """
        return (self.choose(facts, view, legal, rng),)


class Players(msgspec.Struct, frozen=True, kw_only=True):
    """What a game's folder of players offers. `view` is the type of its views, so that one can be read from JSON."""

    view: type[View]
    imagine: Imagine | None = None
    levels: Mapping[str, Policy]

    def read(self, seen: bytes | str) -> View:
        """A view as the API gives it."""
        return msgspec.json.decode(seen, type=self.view, strict=False)


Worth = Callable[[Any, int], float]  # how well a seat stands in a state
