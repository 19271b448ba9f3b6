"""An audit takes time in proportion to the file: the cost of an entry does not grow with the entries before it."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from engine.record.audit import audit
from tests.bench.long_games import LONG
from tests.kit.play_record import bundle_of


def seconds(data: bytes) -> float:
    """The processor's time for one audit."""
    began = time.process_time()
    assert audit(data).exit in (0, 3)
    return time.process_time() - began


def best_of(lines: Sequence[bytes], part: Sequence[bytes]) -> tuple[float, float]:
    """The least seconds for an entry of each, in turns of equal work, as others slow this processor for a while."""
    whole, short, found = bundle_of(lines), bundle_of(part), list[tuple[float, float]]()
    for _ in range(5):
        found.append((seconds(whole), min(seconds(short) for _ in range(len(lines) // len(part)))))
    return min(one for one, _ in found) / len(lines), min(one for _, one in found) / len(part)


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_an_entry_costs_the_same_in_a_long_log(name):
    """A cost that grew with the log would be four times as much an entry in a log four times as long."""
    lines = LONG[name]()
    assert len(lines) > 180
    long, short = best_of(lines, lines[: len(lines) // 4])
    assert long < 2 * short
