"""Audits now and at an earlier commit, in turns: `python -m tests.bench.audit_against COMMIT [GAME ...]`.

Each commit has its own checkout and process, which plays the same games from the same seed and audits them. Processor
time is counted, and the least of all runs is printed, because other programs of the machine only ever add to it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .against import HERE, Worker, compare_each, measured
from .audit_speed import GAMES
from .timing import line

RUNS, SECONDS = 40, 20.0  # at least, for each game; a short one is audited more often
WORKER = """
import sys
from tests.bench.audit_speed import GAMES, audit
try:
    from tests.kit import installed
    installed.here()
except ImportError:  # a commit before games were found in packages
    from engine import registry
    registry.search("tests.kit.games")
record = GAMES[sys.argv[1]]().play()
data, count = record.bundle(), len(record.lines)
def work():
    report = audit(data)
    assert report.exit == 0, report
"""


def compare(name: str, then: Path, runs: int = RUNS, seconds: float = SECONDS) -> None:
    before, now = map(min, measured([Worker(tree, WORKER, name) for tree in (then, HERE)], runs, seconds))
    line(name, f"{before:.0f} · {now:.0f}", f"us an entry, {now / before:.2f} of it now")


def main(commit: str, *names: str) -> None:
    compare_each(f"Audit: microseconds an entry at {commit} and now", names or GAMES, commit, compare)


if __name__ == "__main__":
    main(*sys.argv[1:])
