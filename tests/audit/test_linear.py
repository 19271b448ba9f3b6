"""An audit takes time in proportion to the file: the cost of an entry does not grow with the entries before it."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from engine.record.audit import audit
from tests.bench.long_games import LONG
from tests.kit.play_record import bundle_of


def per_entry(lines: Sequence[bytes]) -> float:
    """Seconds of this process for one entry, the best of five audits."""
    data, best = bundle_of(lines), float("inf")
    for _ in range(5):
        began = time.process_time()
        assert audit(data).exit in (0, 3)
        best = min(best, time.process_time() - began)
    return best / len(lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_an_entry_costs_the_same_in_a_long_log(name):
    """A cost that grew with the log would be four times as much an entry in a log four times as long."""
    lines = LONG[name]()
    assert len(lines) > 180
    assert per_entry(lines) < 2 * per_entry(lines[: len(lines) // 4])
