"""Games that a release has played hold forever: every file in `releases/` is audited by today's rules."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from engine.record.log import bundle
from tests.audit.bundles.__main__ import verdict_of

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "releases"
GAMES = sorted(path.parent.name for path in (ROOT / "engine/games").glob("*/meta.py"))
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def names():
    return sorted(str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("name", names())
def test_a_game_of_a_release_still_holds(name):
    """Despite all changes since, the verdict is the one of the day when the game was played."""
    assert verdict_of((FOLDER / name).read_bytes()) == {"verdict": "holds", "exit": 0, "stage": "finished"}


def test_the_version_has_a_game_of_each_kind():
    """A version is released with its games, and the one in preparation has them already."""
    lines = [bundle.read((FOLDER / name).read_bytes()).lines[0] for name in names() if name.startswith(f"{VERSION}/")]
    assert sorted({json.loads(line)["rules"]["game"] for line in lines}) == GAMES


def test_every_released_version_has_its_games():
    """From 0.2.0 on, no version of the changelog is without golden bundles."""
    released = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert released
    assert {version for version in released if version != "0.1.0"} <= {name.split("/")[0] for name in names()}
