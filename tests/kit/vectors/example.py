"""The example of docs/spec/record.md: a game of Pig to 5 points, ended by the second move.

`python -m tests.kit.vectors.example` writes it to conformance/vectors/example.txt and into the specification.
"""

from __future__ import annotations

from pathlib import Path

from tests.kit.games.pig import PigOptions
from tests.kit.play_record import Record

ROOT = Path(__file__).parents[3]
FILE = ROOT / "conformance" / "vectors" / "example.txt"
SPEC = ROOT / "docs" / "spec" / "record.md"
SEED = 25


def example() -> Record:
    record = Record("pig", 2, SEED, options=PigOptions(goal=5))
    for seat in (0, 1):
        record.move(seat, [{"do": "roll"}, {"do": "hold"}])
    return record


def quoted(spec: str, text: str) -> str:
    """The specification with this bundle as its example."""
    before, _, rest = spec.partition("```\nsealedmove bundle 1\n")
    return f"{before}```\n{text}```{rest.partition('```')[2]}"


if __name__ == "__main__":
    FILE.write_bytes(example().bundle())
    SPEC.write_text(quoted(SPEC.read_text("utf-8"), FILE.read_text("utf-8")), "utf-8")
