"""Commands and folded events now and at an earlier commit, in turns: `python -m tests.bench.against COMMIT [GAME ...]`.

Each commit has its own checkout and process, which replays its own random games. The two run in turns, so that a slow
moment of the machine affects both, and processor time is counted. If python-chess is installed (by `make bench`), their
shares of its rate are printed too.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable
from io import BytesIO
from pathlib import Path
from statistics import median

from .timing import heading, line

GAMES = ("livingstone", "tikal", "lewis_clark", "discoveries")
RUNS = 9
HERE = Path(__file__).parents[2]

WORKER = """
import sys
from engine import registry, selfplay
from engine.game import fold
from tests.bench.engine_speed import resubmit
game = registry.find(sys.argv[1])
walks = []
for number in range(int(sys.argv[2])):
    seed = selfplay.seed_of("bench", number)
    walks.append((seed, list(selfplay.walk(game, min(4, game.meta.seats[1]), game.meta.options(), seed))))
"""

SUBMIT = """
count = sum(len(steps) - 1 for _, steps in walks)
def work():
    for seed, steps in walks:
        resubmit(game, seed, steps)
"""

FOLD = """
events = [[event for step in steps for event in step.events] for _, steps in walks]
count = sum(map(len, events))
def work():
    for one in events:
        fold(one)
"""

REFERENCE = """
import sys
from tests.bench import reference
work, count = getattr(reference, sys.argv[1])()
"""

REPEAT = """
import gc, sys, time
for _ in sys.stdin:
    gc.collect()
    began = time.process_time()
    work()
    print((time.process_time() - began) / count * 1e6, flush=True)
"""


class Worker:
    """A process that runs `work()` of its code on request; returns the microseconds for each of its `count` parts."""

    def __init__(self, tree: Path, code: str, *words: str) -> None:
        command = [sys.executable, "-c", code + REPEAT, *words]
        self.process = subprocess.Popen(command, cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self) -> None:
        self.process.communicate()


def measured(workers: list[Worker], rounds: int, seconds: float = 0.0) -> list[list[float]]:
    """The times of each worker, asked in turns for at least so many rounds and seconds."""
    found, end = list[list[float]](), time.monotonic() + seconds
    while len(found) < rounds or time.monotonic() < end:
        found.append([worker.ask() for worker in workers])
    for worker in workers:
        worker.end()
    return [list(column) for column in zip(*found, strict=True)]


def compare(key: str, then: Path, games: int = 4) -> None:
    _compare(key, then, games, SUBMIT, "chess_moves", "a command")
    _compare(key, then, games, FOLD, "chess_pushes", "an event")


def _compare(key: str, then: Path, games: int, work: str, beside: str, each: str) -> None:
    from .reference import chess

    trees = [Worker(tree, WORKER + work, key, str(games)) for tree in (then, HERE)]
    found = measured([*trees, *([Worker(HERE, REFERENCE, beside)] if chess else [])], RUNS + 1)
    before, now, *other = [median(times[1:]) for times in found]  # the first run only warms up
    shares = f"; of python-chess {other[0] / before:.2f} and {other[0] / now:.2f}" if other else ""
    line(f"{key}: rate now / then", f"{before / now:.2f}", f"{before:.2f} and {now:.2f} us {each}{shares}")


def checkout(commit: str, folder: Path) -> None:
    """The files of a commit, beside the repository and without its history."""
    packed = subprocess.run(["git", "archive", commit], cwd=HERE, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as files:
        files.extractall(folder, filter="data")


def compare_each(title: str, names: Iterable[str], commit: str, compare: Callable[[str, Path], None]) -> None:
    """Print a heading and compare each name with a checkout of the commit."""
    heading(title)
    with tempfile.TemporaryDirectory() as folder:
        checkout(commit, Path(folder))
        for name in names:
            compare(name, Path(folder))


def main(commit: str, *keys: str) -> None:
    compare_each(
        f"Engine: one command a submission, and the fold of its events, now and at {commit}",
        keys or GAMES,
        commit,
        compare,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
