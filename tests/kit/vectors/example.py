"""The example of docs/spec/record.md: a game of Pig to 5 points, ended by the second move.

`python -m tests.kit.vectors.example` writes it to openapi/vectors/example.txt; the specification quotes it.
"""

from __future__ import annotations

from pathlib import Path

from tests.kit.games.pig import PigOptions
from tests.kit.play_record import Record

FILE = Path(__file__).parents[3] / "openapi" / "vectors" / "example.txt"
SEED = 6


def example() -> Record:
    record = Record("pig", 2, SEED, options=PigOptions(goal=5))
    for seat in (0, 1):
        record.move(seat, [{"do": "roll"}, {"do": "hold"}])
    return record


if __name__ == "__main__":
    FILE.write_bytes(example().bundle())
