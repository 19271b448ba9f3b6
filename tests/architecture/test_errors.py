"""The engine's exceptions: one tree, names in one form."""

import importlib
import pkgutil

import engine
from engine.errors import SealedMoveError


def exceptions():
    """Every class of exception that a module of the engine defines."""
    for module in pkgutil.walk_packages(engine.__path__, "engine."):
        for one in vars(importlib.import_module(module.name)).values():
            if isinstance(one, type) and issubclass(one, BaseException) and one.__module__ == module.name:
                yield one


def test_every_exception_of_the_engine_has_one_root():
    found = set(exceptions())
    assert len(found) > 5
    assert [one for one in found if not issubclass(one, SealedMoveError)] == []


def test_exceptions_of_the_engine_are_named_by_what_happened():
    """`Refused`, `BadRecord`: the root alone is called an error (N818 is off for that)."""
    assert {one for one in exceptions() if one.__name__.endswith(("Error", "Exception"))} == {SealedMoveError}
