"""The tree of words of the pages, on lists of legal commands in random games of every table."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from server.play.read import legal_list
from tests.generated import tools
from tests.kit.worlds import tables, walked

pytestmark = pytest.mark.slow

LAWS = tools.ROOT / "tests" / "browser" / "node" / "tree.mjs"
NAMES = ("Ann", "Ben", "Cy", "Ben", "Eve", "Flo")
EVERY = 23


def lists() -> Iterator[dict[str, Any]]:
    """Of each table the first list with each kind of command, the longest one, and one now and then."""
    for table in tables():
        if table.game.meta.stage == "tiny" or table.seats > 3:
            continue
        met: set[type] = set()
        steps = [step for step in walked(table) if step.chosen is not None]
        longest = max(steps, key=lambda step: len(step.legal))
        for number, step in enumerate(steps):
            kinds = set(map(type, step.legal))
            if kinds - met or number % EVERY == 0 or step is longest:
                yield {
                    "table": str(table),
                    "list": legal_list(table.game, step.before, step.seat or 0, NAMES[: table.seats]),
                }
            met |= kinds


def test_every_command_is_reached_by_clicks(tmp_path, monkeypatch):
    """All laws of `node/tree.mjs` hold on the lists of the four games."""
    path = tmp_path / "lists.json"
    path.write_text(json.dumps(list(lists())), "utf-8")
    monkeypatch.setitem(os.environ, "LISTS", str(path))
    done = tools.node("--test", "--test-reporter=spec", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", LAWS)
    assert done.returncode == 0, done.stdout
