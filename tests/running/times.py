"""Where the time of a run went (`--times`: by folder, and the slowest tests), and its counts as a file (`--counts`).

The time of a test is the wall-clock time of its setup, call and teardown. Tests run in parallel, so the folders add up
to more than the run took.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

from tests.running import closing

SLOWEST = 10


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--times", action="store_true", help="seconds by folder and the ten slowest tests, at the end")
    parser.addoption("--counts", type=Path, help="a file for what the closing line counts (.ci/run adds two of them)")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Times(config), "times")


class Times:
    """The times that the printing process collects: the processes of xdist report to it."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.since = config, time.monotonic()
        self.seconds = Counter[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.config.option.times and self.seconds:
            terminalreporter.section("seconds by folder, and the slowest tests")
            terminalreporter.write_line("\n".join([*by_folder(self.seconds), "", *slowest(self.seconds)]))
        if self.config.option.counts:
            closing.write(self.config.option.counts, terminalreporter.stats, time.monotonic() - self.since)


def by_folder(seconds: Counter[str]) -> list[str]:
    """`  12.3 s  1,234 tests  tests/engine`, the longest first."""
    tests, spent = Counter[str](), Counter[str]()
    for name, each in seconds.items():
        folder = "/".join(name.partition("::")[0].split("/")[:-1][:2])
        tests[folder] += 1
        spent[folder] += each
    return [f"{each:8.1f} s {tests[folder]:6,} tests  {folder}" for folder, each in spent.most_common()]


def slowest(seconds: Counter[str]) -> list[str]:
    return [f"{each:8.1f} s  {name}" for name, each in seconds.most_common(SLOWEST)]
