"""One closing line for several runs of the tests, in the form of pytest's: `python -m tests.running.closing FILE ...`

The line before it has the seconds of each run. Each run has written what its own closing line counts (`--counts FILE`).
A file that is missing is a run that was broken off. The status is 1 unless every run was complete and nothing failed.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

ORDER = ("failed", "passed", "skipped", "xfailed", "xpassed", "warnings", "error")  # of pytest's own line
BAD = ("failed", "error", "xpassed")
WIDTH = 80


def write(path: Path, stats: Mapping[str, Sequence[object]], seconds: float) -> None:
    """Write the counts of a run. Reports of a setup or teardown that went well have no name and are not counted."""
    counts = {name: len(stats[name]) for name in ORDER if stats.get(name)}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(counts | {"seconds": seconds}), "ascii")


def read(path: Path) -> Counter[str]:
    return Counter(json.loads(path.read_text("ascii")))


def seconds(paths: Sequence[Path], runs: Sequence[Mapping[str, float]]) -> str:
    """`daily: 300 s; rest: 1700 s`: their sum alone would hide which of them gets slower."""
    return "; ".join(f"{path.stem}: {counts['seconds']:.0f} s" for path, counts in zip(paths, runs, strict=True))


def line(counts: Mapping[str, float]) -> str:
    """`=== 1 failed, 12,000 passed in 1500.00s (0:25:00) ===`, as pytest writes it."""
    parts = [f"{counts[name]:.0f} {_named(name, counts[name])}" for name in ORDER if counts.get(name)]
    whole = round(counts["seconds"])
    took = f"{counts['seconds']:.2f}s ({whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02})"
    return f" {', '.join(parts) or 'no tests ran'} in {took} ".center(WIDTH, "=")


def _named(name: str, count: float) -> str:
    return "errors" if name == "error" and count > 1 else name


def main(words: Sequence[str]) -> int:
    paths = [Path(word) for word in words]
    if missing := [str(path) for path in paths if not path.is_file()]:
        print(f"a run of the tests was broken off: it left no {' and no '.join(missing)}")  # noqa: T201 - a command
        return 1
    runs = [read(path) for path in paths]
    counts = sum(runs, Counter[str]())
    print(seconds(paths, runs))  # noqa: T201 - a command
    print(line(counts))  # noqa: T201 - a command
    return 1 if any(counts.get(name) for name in BAD) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
