"""A year at many tables in minutes: all that people, clocks, outages and mails do to deadlines, and what must hold."""

from __future__ import annotations

import gc
import multiprocessing
import random
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.kit.seeds import Chance, draw_from
from tests.server.harness import harness, sqlite_url
from tests.year.figures import Figures
from tests.year.habits import HABITS, ZONES
from tests.year.people import Person
from tests.year.world import World

LIMITS = {"most_open_tables": 5, "most_lobby_seats": 12, "most_seats": 60}
DAYS = 365
PEOPLE = len(HABITS)  # of a server: one of each habit
TABLES = 9  # of one server in CI; with --year each of two servers has `MANY`
MANY = 100


class Lived(NamedTuple):
    """The figures of a server's year, and the breaches of laws in it."""

    figures: Figures
    wrong: Sequence[str]


@contextmanager
def little_collecting() -> Iterator[None]:
    """Search for garbage rarely: with hundreds of thousands of objects that stay, it takes a tenth of the time."""
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def live(seed: int, tables: int, number: int) -> Lived:
    """A year of the server with this number, which has nothing in common with the others, in any process."""
    draw_from(Chance(seed, "a year", number))
    with tempfile.TemporaryDirectory() as folder:
        hall = harness(sqlite_url(Path(folder)), log_level="ERROR", **LIMITS)
        try:
            world = World(hall, DAYS, tables, random.Random(f"a year {seed} {number}"))
            world.add_house()
            first = number * PEOPLE
            world.meet([Person(world, first + n, HABITS[n], ZONES[(first + n) % len(ZONES)]) for n in range(PEOPLE)])
            with little_collecting():
                world.run()
            world.count_pauses()
            return Lived(world.figures, [*world.watch.breaches, *world.set_aside(), *world.audit()])
        finally:
            hall.close()


def live_together(seed: int, servers: int, tables: int) -> list[Lived]:
    """The years of so many servers, each in a process of its own."""
    if servers == 1:
        return [live(seed, tables, 0)]
    with ProcessPoolExecutor(servers, multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(partial(live, seed, tables), range(servers)))


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_a_year_of_tables(pytestconfig: pytest.Config):
    """No breach of a law; the figures are printed, and those of the whole size are in docs/people.md."""
    is_whole = pytestconfig.getoption("--year")
    servers, tables = (2, MANY) if is_whole else (1, TABLES)
    lived = live_together(pytestconfig.getoption("--seed"), servers, tables)
    figures = Figures.of_all([one.figures for one in lived])
    print("", *figures.lines(), sep="\n")  # noqa: T201 - told by -s
    assert len(figures.idle) <= (0 if is_whole else PEOPLE // 2), figures.idle  # few tables may be without somebody
    assert [wrong for one in lived for wrong in one.wrong] == []
