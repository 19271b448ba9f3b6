"""Golden games: whole games as readable text, which replaying must reproduce word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.commands.golden import files
from conformance import worlds
from engine import golden, registry

GOLDEN = list(files())


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_a_golden_game_comes_out_again(path: Path) -> None:
    """Playing the moves in the file gives the file; `make golden` shows the effect of a change."""
    text = path.read_text("utf-8")
    assert golden.write(golden.read(text)) == text


@pytest.mark.parametrize("key", sorted({table.key for table in worlds.tables()}))
def test_every_game_has_golden_games_of_every_rules_version(key: str) -> None:
    """Each version that still runs has at least one golden game."""
    scripts = [golden.read(path.read_text("utf-8")) for path in GOLDEN]
    first, last = registry.find(key).meta.rules
    for version in sorted(set(range(first, last + 1)) - {s.rules for s in scripts if s.game == key}):
        pytest.fail(missing(key, version), pytrace=False)


def missing(key: str, version: int) -> str:
    """What is wrong, and the command that cures it."""
    seats, folder = registry.find(key).meta.seats[0], registry.home(key).replace(".", "/")
    command = f"sealedmove golden --new {key} --seats {seats} --chance first > {folder}/golden/{version}.txt"
    return f"{key} has no golden game of rules version {version}. Run: mkdir -p {folder}/golden && {command}"
