"""Exceptions: one tree for each package, names in one form."""

import importlib
import re

import pytest

import client
import engine
import server
import workers
from client.errors import ClientError
from engine.errors import SealedMoveError
from server.kernel.errors import Problem, ServerError
from tests.kit.modules import modules
from workers.errors import WorkerError


def exceptions(package):
    """Every class of exception that a module of the package defines."""
    for module in modules(package):
        for one in vars(module).values():
            if isinstance(one, type) and issubclass(one, BaseException) and one.__module__ == module.__name__:
                yield one


@pytest.mark.parametrize(
    ("package", "roots", "least"),
    [
        (engine, SealedMoveError, 6),
        (server, (ServerError, Problem), 4),
        (client, ClientError, 20),
        (workers, WorkerError, 20),
    ],
)
def test_every_exception_of_a_package_is_in_its_tree(package, roots, least):
    found = set(exceptions(package))
    assert len(found) >= least
    assert [one for one in found if not issubclass(one, roots)] == []


def test_exceptions_of_the_engine_are_named_by_what_happened():
    """`Refused`, `BadRecord`: only the root is called an error (N818 is off for that)."""
    assert {one for one in exceptions(engine) if one.__name__.endswith(("Error", "Exception"))} == {SealedMoveError}


@pytest.mark.parametrize(("package", "others"), [(server, {Problem}), (client, set()), (workers, set())])
def test_exceptions_of_the_programs_end_in_error(package, others):
    """Except for `Problem`, which is RFC 9457's word."""
    assert {one for one in exceptions(package) if not one.__name__.endswith("Error")} == others


def test_a_problem_is_a_refusal_like_those_of_the_engine():
    """One handler answers both: `docs/adr/server-doors-of-the-api.md`."""
    assert issubclass(Problem, SealedMoveError)
    assert not issubclass(Problem, ServerError)


@pytest.mark.parametrize(
    ("package", "tree"), [(server, "server.kernel.errors"), (client, "client.errors"), (workers, "workers.errors")]
)
def test_the_drawn_tree_of_a_package_is_complete(package, tree):
    """And has no other errors."""
    drawn = set(re.findall(r"── (\w+)", importlib.import_module(tree).__doc__))
    root = {"ServerError", "ClientError", "WorkerError"}
    assert {one.__name__ for one in exceptions(package) if not one.__name__.startswith("_")} - root == drawn - root
