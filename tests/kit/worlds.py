"""Games to try laws on: every registered game at every number of seats, with walks that are played once a run."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from engine import registry, replay, selfplay
from engine.chance import Lane
from engine.game import Event, Game, Turn
from engine.kit import Step, active, legal, view
from engine.players import Facts, Positions, levels
from tests.kit import installed

installed.here()
AT_RANDOM = 0.2  # the share of commands that a single player chooses at random
THOUGHT = 30  # positions that the policy of a single player may look at


class Table(msgspec.Struct, frozen=True):
    """A game at a number of seats, with the options by which its tests know it."""

    key: str
    seats: int
    options: str = "default"

    @property
    def game(self) -> Game[Any]:
        return registry.find(self.key)

    @property
    def chosen(self) -> Any:
        return variants(self.key)[self.options]

    def __str__(self) -> str:
        return f"{self.key}-{self.seats}" + ("" if self.options == "default" else f"-{self.options}")


@cache
def notes(key: str) -> Any:
    """The declarations of a game's tests for the suite: `pieces(state)`; `variants` of options, `pairs` of twins."""
    return importlib.import_module(f"tests.games.{key}.notes")


@cache
def _folder(key: str) -> str:
    return registry.home(key).rpartition(".")[2]


def tried() -> list[str]:
    """The games to try: the key of each game, and the folder of each that cannot be loaded."""
    return [*registry.games(), *registry.flaws()]


def flaw(key: str) -> str:
    """Why the suite cannot try this game, in one sentence; "" if it can."""
    if key in registry.flaws():
        return registry.flaws()[key]
    if _folder(key) != key:
        return f"the game in the folder `{_folder(key)}` has the key `{key}`: name both alike"
    place = f"tests/games/{key}/notes.py"
    try:
        found = notes(key)
    except Exception as no:  # noqa: BLE001 - whatever it is, it is the flaw of this game alone
        if isinstance(no, ModuleNotFoundError) and f"tests.games.{key}.notes".startswith(no.name or "-"):
            return f"the game `{key}` has no `{place}`: docs/add-a-game.md says what stands in it"
        return f"`{place}` cannot be read: {no!r}"
    return "" if hasattr(found, "pieces") else f"`{place}` says no `pieces(state)`"


def keys() -> list[str]:
    """The games that the suite can try; `test_the_suite_can_try_a_game` reports the others."""
    return [key for key in registry.games() if not flaw(key)]


def variants(key: str) -> dict[str, Any]:
    options = registry.find(key).meta.options
    return {"default": options(), **getattr(notes(key), "variants", {})}


def tables() -> list[Table]:
    """Every game at every number of seats, with every variant of its options."""
    return [
        Table(key, seats, name)
        for key in keys()
        for seats in range(registry.find(key).meta.seats[0], registry.find(key).meta.seats[1] + 1)
        for name in variants(key)
    ]


def daily(found: Iterable[Table]) -> list[Any]:
    """As parameters: the first of each title is in every run; the others, marked long, repeat a law."""
    known: set[str] = set()
    params = []
    for table in found:
        params.append(pytest.param(table, marks=[pytest.mark.long] if table.key in known else []))
        known.add(table.key)
    return params


@cache
def walked(table: Table, number: int = 0) -> tuple[selfplay.Walked, ...]:
    """One random game, whole: the same for every test that asks. A single player mostly plays by a policy."""
    seed = selfplay.seed_of(str(table), number)
    if table.seats == 1:
        return tuple(_walked_alone(table, seed))
    return tuple(selfplay.walk(table.game, table.seats, table.chosen, seed))


def _walked_alone(table: Table, seed: bytes) -> Iterator[selfplay.Walked]:
    """The game of a single player, who is always to move: at random they would soon give up, as the clock does."""
    game, rnd, policy = table.game, random.Random(seed), levels(table.game)["easy"]
    facts = Facts(game=game, seat=0, options=table.chosen, budget=Positions(THOUGHT))
    turn = replay.start(game, 1, table.chosen, selfplay.lanes(seed, "public"), selfplay.lanes(seed, "hidden"))
    yield selfplay.walked(None, None, (), None, turn)
    while active(game, turn.state):
        before, listed = turn.state, tuple(legal(game, turn.state, 0))
        others = [command for command in listed if command != game.default(before, 0)]
        is_random = others and rnd.random() < AT_RANDOM
        chosen = rnd.choice(others) if is_random else policy.line(facts, view(game, before, 0), listed, rnd)[0]
        turn = Turn(before, turn.chance.onward(), turn.secret.onward())
        replay.move(game, turn, 0, (Step(chosen),))
        yield selfplay.walked(before, 0, listed, chosen, turn)


def turn_at(state: Any, label: str = "turn", secret: str | None = None) -> Turn:
    """A turn on this state with lanes of its own; the same label gives the same draws."""
    return Turn(state, lane(label, "public"), lane(label if secret is None else secret, "hidden"))


def lanes(label: str, begins: int | None = 0) -> tuple[Lane, Lane]:
    """Both lanes of draws by this word, for the setup of a game that seat `begins` begins; None: a drawn one."""
    public = lane(label, "public")
    return public if begins is None else selfplay.begun_by(public, begins), lane(label, "hidden")


def told(turn: Turn, kind: type[Event]) -> list[Any]:
    """The events of this kind."""
    return [event for event in turn.events if isinstance(event, kind)]


def lane(label: str, kind: str) -> Lane:
    return selfplay.lanes(selfplay.seed_of(label), kind)
