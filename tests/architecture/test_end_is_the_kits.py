"""Only the kit asks a game for its end, active seats and views, because the kit knows resignations and the cap."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [
    path
    for folder in ("engine", "server", "workers", "client")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not path.is_relative_to(ROOT / "engine" / "games") and path != ROOT / "engine" / "kit" / "play.py"
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_kit_asks_a_game_itself(path):
    """`game.active`, `game.outcome` and `game.view` know the game's own rules only."""
    assert not re.findall(r"\bgame\.(?:active|outcome|view|standing|turns)\(", path.read_text("utf-8"))
