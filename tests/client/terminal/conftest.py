"""A running server for each file, and people who use it from a terminal or by scripts."""

import pytest

from tests.e2e.instance import Instance
from tests.kit import installed
from tests.servers import patient

from .terminals import Scripted


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """One server for this file, with the tiny games too."""
    instance = Instance(tmp_path_factory.mktemp("house"), **installed.ENV).start()
    yield instance
    instance.stop()


@pytest.fixture(scope="module")
def http():
    with patient.client() as client:
        yield client


@pytest.fixture
def person(house, tmp_path, http):
    return lambda name: Scripted(house, tmp_path, name, http)


@pytest.fixture
def two(person):
    """Two new people, whose folders a test may break."""
    return person("ada").signs_in(), person("ben").signs_in()


@pytest.fixture(scope="module")
def pair(house, tmp_path_factory, http):
    """Two people who have played here before."""
    folder = tmp_path_factory.mktemp("pair")
    return [Scripted(house, folder, name, http).signs_in() for name in ("ada", "ben")]


@pytest.fixture
def game(pair):
    """A game of Pig that has begun, with the pair in its seats."""
    ada, ben = pair
    made = ada.does("new", "pig", "goal=20", "--seats", 2, "--offer-wait", 0)["game"]
    assert ben.does("join", made)["status"] == "running"
    return made
