"""Commands submitted now and at an earlier commit, in turns: `python -m tests.bench.against COMMIT [GAME ...]`.

Each of the two is a process of its own, in a checkout of its own, and plays its own random games again; they are asked
by turns, so that a slow moment of the machine meets both, and processor time is counted. Where python-chess is
installed (`make bench` does it), each tells its share of that rate, too.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from statistics import median

from .timing import heading, line

GAMES = ("livingstone", "tikal", "lewis_clark", "discoveries")
RUNS = 9
HERE = Path(__file__).parents[2]

WORKER = """
import gc, sys, time
from engine import registry, selfplay
from tests.bench.engine_speed import resubmit
game = registry.find(sys.argv[1])
walks = []
for number in range(int(sys.argv[2])):
    seed = selfplay.seed_of("bench", number)
    walks.append((seed, list(selfplay.walk(game, min(4, game.meta.seats[1]), game.meta.options(), seed))))
commands = sum(len(steps) - 1 for _, steps in walks)
for _ in sys.stdin:
    gc.collect()
    began = time.process_time()
    for seed, steps in walks:
        resubmit(game, seed, steps)
    print((time.process_time() - began) / commands * 1e6, flush=True)
"""

REFERENCE = """
import gc, sys, time
from tests.bench.reference import chess_moves
work, moves = chess_moves()
for _ in sys.stdin:
    gc.collect()
    began = time.process_time()
    work()
    print((time.process_time() - began) / moves * 1e6, flush=True)
"""


class Worker:
    """A process that does its work once whenever it is asked, and says how many microseconds a command took."""

    def __init__(self, tree: Path, code: str, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *words], cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self) -> None:
        self.process.communicate()


def measured(workers: list[Worker]) -> list[float]:
    """The median of each, after one run that nobody counts."""
    rounds = [[worker.ask() for worker in workers] for _ in range(RUNS + 1)][1:]
    for worker in workers:
        worker.end()
    return [median(column) for column in zip(*rounds, strict=True)]


def compare(key: str, then: Path, games: int = 4) -> None:
    from .reference import chess

    trees = [Worker(tree, WORKER, key, str(games)) for tree in (then, HERE)]
    before, now, *reference = measured([*trees, *([Worker(HERE, REFERENCE)] if chess else [])])
    beside = f"; of python-chess {reference[0] / before:.2f} and {reference[0] / now:.2f}" if reference else ""
    line(f"{key}: rate now / then", f"{before / now:.2f}", f"{before:.1f} and {now:.1f} us a command{beside}")


def checkout(commit: str, folder: Path) -> None:
    """The files of a commit, beside the repository and without its history."""
    packed = subprocess.run(["git", "archive", commit], cwd=HERE, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as files:
        files.extractall(folder, filter="data")


def main(commit: str, *keys: str) -> None:
    heading(f"Engine: one command a submission, now and at {commit}")
    with tempfile.TemporaryDirectory() as folder:
        checkout(commit, Path(folder))
        for key in keys or GAMES:
            compare(key, Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
