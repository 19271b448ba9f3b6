"""Games to try laws on: every installed game at every number of seats, with walks that are played once a run."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import util
from typing import Any

import msgspec
import pytest

from engine import registry, replay, selfplay
from engine.game import Game, Turn
from engine.kit import Step, active, legal, view
from engine.players import Facts, Positions, levels

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


# --- which games ----------------------------------------------------------------------------------------------------

_chosen: list[str] = []  # by `only`; [] for all


def only(keys: Iterable[str]) -> None:
    """Try these games and no others, for the rest of the process."""
    _chosen[:] = keys


def tried() -> list[str]:
    """The games to try: the key of each game, and the home of each that cannot be loaded."""
    return list(_chosen) or [*registry.games(), *registry.flaws()]


@cache
def notes(key: str) -> Any:
    """The declarations of a game for the suite: `pieces(state)`; `variants` of options, `pairs` of twins and others.

    They are a module of the game's package, or of the tests of this repository.
    """
    own = f"{registry.home(key)}.notes"
    return importlib.import_module(own if util.find_spec(own) else f"tests.games.{key}.notes")


def flaw(key: str) -> str:
    """Why the suite cannot try this game, in one sentence; "" if it can."""
    if key in registry.flaws():
        return registry.flaws()[key]
    place = f"{registry.home(key).replace('.', '/')}/notes.py"
    if registry.source(key).package == "":
        place = f"tests/games/{key}/notes.py"
    try:
        found = notes(key)
    except Exception as no:  # noqa: BLE001 - whatever it is, it is the flaw of this game alone
        if isinstance(no, ModuleNotFoundError) and f"tests.games.{key}.notes".startswith(no.name or "-"):
            return f"the game `{key}` has no `{place}`: docs/add-a-game.md explains its contents"
        return f"`{place}` cannot be read: {no!r}"
    return "" if hasattr(found, "pieces") else f"`{place}` has no `pieces(state)`"


def keys() -> list[str]:
    """The games that the suite can try; `test_the_suite_can_try_a_game` reports the others."""
    return [key for key in _chosen or registry.games() if not flaw(key)]


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
