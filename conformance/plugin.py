"""A pytest plugin: the conformance suite over installed games.

    pip install "sealedmove[conformance]"
    pytest --sealedmove-game oysters            # the suite alone; with paths, these tests too

Without the option it does nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SUITE = str(Path(__file__).parent)
OPTION = "--sealedmove-game"
MARKERS = (
    "slow: takes more than a quarter of a second of the processor",
    "long: holds again, with other values, what a test without it holds",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    says = "run the conformance suite of Sealed Move over this installed game; may be repeated"
    parser.getgroup("sealedmove").addoption(OPTION, action="append", default=[], metavar="KEY", help=says)


def pytest_configure(config: pytest.Config) -> None:
    for line in MARKERS:
        config.addinivalue_line("markers", line)
    keys = list(dict.fromkeys(config.getoption(OPTION)))
    if keys:
        _choose(keys)
        is_given = config.args_source is pytest.Config.ArgsSource.ARGS
        config.args = list(dict.fromkeys([*(config.args if is_given else ()), SUITE]))


def _choose(keys: list[str]) -> None:
    """Let the suite try these games alone; each must be installed and load."""
    from conformance import worlds  # imports the engine, which other runs of pytest do not need
    from engine import registry

    for key in keys:
        if says := registry.flaw(key):
            raise pytest.UsageError(says)
        if key not in registry.games():
            known = ", ".join(registry.games())
            raise pytest.UsageError(f"the game `{key}` is not installed. The games are: {known}")
    worlds.only(keys)
