"""A pytest plugin: one seed for everything random in a test, printed with every failure.

    pytest --seed 7                    another seed than the usual one
    pytest --seeds 200 tests/server    every test by the seeds 1 to 200; one without randomness runs once
    pytest --shuffle                   files in an order drawn from the seed

While a test runs, `os.urandom` draws from the seed and the test's name, and with it `secrets`, `uuid`, PyNaCl and
the `random` of the server's services; `random` itself is seeded too. What a fixture of a file or of the session draws
comes from the seed and the fixture's name, so it depends on no order. Times are constants or given in the tests; a test
that reads the wall clock does so on purpose.

Three things keep the system's randomness: processes that a test starts, forked ones too; keys that OpenSSL makes, as of
certificates; ports and names of temporary folders. Threads of a test share its seed in the order in which they happen
to ask. What tests of one file share (`scope="module"`) is made once, by the first seed.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

USUAL = 1
SYSTEM = os.urandom


class Chance:
    """The source of random bytes from now on, with the number of calls."""

    def __init__(self, *words: object) -> None:
        self._random = random.Random("/".join(map(str, words)))
        self.asked = 0

    def __call__(self, size: int) -> bytes:
        self.asked += 1
        return self._random.randbytes(size)


def draw_from(chance: Any) -> None:
    """Let everything in this process draw from this."""
    os.urandom = chance
    random._urandom = chance  # type: ignore[attr-defined]  # what `secrets` was given when it was loaded


os.register_at_fork(after_in_child=lambda: draw_from(SYSTEM))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=USUAL, help="what is drawn in tests comes from this number")
    parser.addoption("--seeds", type=int, default=0, help="run every test that draws by so many seeds, from --seed on")
    parser.addoption("--shuffle", action="store_true", help="files of tests in an order that is drawn from --seed")


def pytest_report_header(config: pytest.Config) -> str:
    first, most = config.getoption("--seed"), config.getoption("--seeds")
    said = f"seeds: {first} to {first + most - 1}" if most else f"seed: {first} (--seed)"
    return f"{said}, files shuffled by it" if config.getoption("--shuffle") else said


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Every process of pytest-xdist draws the same order; within a file it stays."""
    if config.getoption("--shuffle"):
        files = list(dict.fromkeys(item.path for item in items))
        random.Random(config.getoption("--seed")).shuffle(files)
        places = {path: place for place, path in enumerate(files)}
        items.sort(key=lambda item: places[item.path])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    most = metafunc.config.getoption("--seeds")
    if most:
        first = metafunc.config.getoption("--seed")
        metafunc.fixturenames.append("_seed")
        metafunc.parametrize("_seed", range(first, first + most), ids=[f"seed={first + n}" for n in range(most)])


@pytest.fixture
def _seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def seed_of(item: pytest.Item) -> int:
    """The given seed, or the one among `--seeds` for this item."""
    chosen = getattr(item, "callspec", None)
    return int(chosen.params["_seed"] if chosen and "_seed" in chosen.params else item.config.getoption("--seed"))


def name_of(item: pytest.Item) -> str:
    """The item's name without its seed, so that `--seed` alone repeats it."""
    own = f"seed={seed_of(item)}"
    return item.nodeid.replace(f"[{own}]", "").replace(f"-{own}", "").replace(f"{own}-", "")


draws_nothing: set[str] = set()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Seed a test from its first fixture to the end of its last."""
    name, seed = name_of(item), seed_of(item)
    if name in draws_nothing:
        item.add_marker(pytest.mark.skip(reason="draws nothing"))
    chance = Chance(seed, name)
    random.seed(f"{seed}/{name}")
    before = random.getstate()
    draw_from(chance)
    try:
        return (yield)
    finally:
        draw_from(SYSTEM)
        if item.config.getoption("--seeds") and not chance.asked and random.getstate() == before:
            draws_nothing.add(name)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Iterator[Any]:
    """A shared fixture is the same, whichever test requests it first."""
    if fixturedef.scope == "function":
        return (yield)
    outer, state = os.urandom, random.getstate()
    name = f"{fixturedef.baseid}::{fixturedef.argname}/{getattr(request, 'param', '')}"
    draw_from(Chance(request.config.getoption("--seed"), name))
    random.seed(name)
    try:
        return (yield)
    finally:
        draw_from(outer)
        random.setstate(state)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[pytest.TestReport]:
    report = yield
    if report.failed:
        report.sections.append(("Seed", f"--seed {seed_of(item)} '{name_of(item)}'"))
    return report
