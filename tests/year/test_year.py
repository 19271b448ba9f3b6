"""A year at many tables in minutes: all that people, clocks, outages and mails do to deadlines, and what must hold."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.harness import Harness, harness, sqlite_url
from tests.year.habits import HABITS, ZONES
from tests.year.people import Person
from tests.year.world import World

LIMITS = {"most_open_tables": 5, "most_lobby_seats": 12, "most_seats": 60}


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Harness]:
    made = harness(sqlite_url(tmp_path), log_level="ERROR", **LIMITS)
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_a_year_of_tables(hall: Harness, pytestconfig: pytest.Config):
    """No breach of a law; the figures are printed, and those of a whole year are in docs/people.md."""
    whole = pytestconfig.getoption("--year")
    seed = pytestconfig.getoption("--seed")
    people, days, tables = (16, 365, 200) if whole else (8, 28, 8)
    world = World(hall, days, tables, random.Random(f"a year {seed}"))
    world.add_house()
    everybody = [
        Person(world, number, HABITS[number % len(HABITS)], ZONES[number % len(ZONES)]) for number in range(people)
    ]
    world.meet(everybody)
    world.run()
    print("", *world.figures.lines(), sep="\n")  # noqa: T201 - told by -s
    assert world.watch.breaches == []
    assert world.set_aside() == 0
    assert world.audit() == []
