"""Report at the end of a run the tests that its markers (`-m`) left out: how many of each, and how to run them.

With xdist only the worker processes collect tests, so each hands its figures over as it ends. All of them collect the
same tests, so the figures of one are those of the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

CHOSEN = ("slow", "long")  # a short run leaves these out
KINDS = ("postgresql", "browser")
LEFT = pytest.StashKey[dict[str, int]]()
KEY = "left_out"  # under which a process of xdist hands them over


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Count those with one of our markers: a choice by name (`-k`) needs no reminder."""
    marked = [item for item in items if marks(item) & set(CHOSEN)]
    if marked and marked[0].config.option.markexpr:
        marked[0].config.stash[LEFT] = counted(map(marks, marked))


def marks(item: pytest.Item) -> set[str]:
    return {mark.name for mark in item.iter_markers()} & {*CHOSEN, *KINDS}


def counted(found: Iterable[set[str]]) -> dict[str, int]:
    """Return how many there are, and how many have each marker."""
    counts = Counter[str]()
    for names in found:
        counts.update({"all": 1} | dict.fromkeys(names, 1))
    return dict(counts)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output[KEY] = session.config.stash.get(LEFT, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object, error: object) -> None:
    if left := getattr(node, "workeroutput", {}).get(KEY):
        node.config.stash[LEFT] = left  # type: ignore[attr-defined]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if left := config.stash.get(LEFT, {}):
        terminalreporter.write_line(sentence(left), yellow=True)


def sentence(left: dict[str, int]) -> str:
    """The report as one plain line."""
    by = " and ".join(f"{left[name]:,} {name}" for name in CHOSEN if name in left)
    of = ", ".join(f"{left[name]:,} {name}" for name in KINDS if name in left)
    among = f"; among them {of}" if of else ""
    return (
        f"LEFT OUT: {left['all']:,} tests ({by}{among}). `make test-rest` runs them, `make test-all` runs every test."
    )
