"""Audits now and at an earlier commit, in turns: `python -m tests.bench.audit_against COMMIT [GAME ...]`.

Each of the two plays the same games by the same seed in a checkout of its own, and audits them in a process of its own.
Processor time is counted, and the least of all runs is told: what other programs of the machine add is never negative.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from .against import HERE, Worker, checkout
from .audit_speed import GAMES
from .timing import heading, line

RUNS, SECONDS = 40, 20.0  # at least, of each game; a short one is audited more often
WORKER = """
import gc, sys, time
from engine import registry
from tests.bench.audit_speed import GAMES, audit
registry.search("tests.kit.games")
record = GAMES[sys.argv[1]]().play()
data = record.bundle()
for _ in sys.stdin:
    gc.collect()
    began = time.process_time()
    report = audit(data)
    print((time.process_time() - began) / len(record.lines) * 1e6, flush=True)
    assert report.exit == 0, report
"""


def compare(name: str, then: Path, runs: int = RUNS, seconds: float = SECONDS) -> None:
    workers = [Worker(tree, WORKER, name) for tree in (then, HERE)]
    rounds, end = list[list[float]](), time.monotonic() + seconds
    while len(rounds) < runs or time.monotonic() < end:
        rounds.append([worker.ask() for worker in workers])
    for worker in workers:
        worker.end()
    before, now = map(min, zip(*rounds, strict=True))
    line(name, f"{before:.0f} · {now:.0f}", f"us an entry, {now / before:.2f} of it now")


def main(commit: str, *names: str) -> None:
    heading(f"Audit: microseconds an entry at {commit} and now")
    with tempfile.TemporaryDirectory() as folder:
        checkout(commit, Path(folder))
        for name in names or GAMES:
            compare(name, Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
