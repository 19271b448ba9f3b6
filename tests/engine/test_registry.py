"""Games are found by their key; the others are left alone."""

import subprocess
import sys

import pytest

from engine import registry
from engine.errors import EngineFault, Refused

CODE = """
import sys
from engine import registry
assert registry.find("tikal").meta.key == "tikal"
print([name for name in sys.modules if name.startswith("engine.games.") and name.count(".") == 2])
"""


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Searches in folders of games made for the test, `{package: {folder: source}}`, and forgets them afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "_packages", ["engine.games"])
    forget()

    def packages(made):
        for package, folders in made.items():
            for folder, source in folders.items():
                (tmp_path / package / folder).mkdir(parents=True)
                (tmp_path / package / "__init__.py").touch()
                (tmp_path / package / folder / "__init__.py").write_text(source)
            registry.search(package)

    yield packages
    forget()


def forget():
    registry.games.cache_clear()
    registry._by_folder.cache_clear()


def test_only_the_game_that_is_asked_for_is_imported():
    """An audit is of one game, and each other game costs it some milliseconds."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout == "['engine.games.tikal']\n"


def test_a_game_whose_folder_is_called_otherwise_is_found_too(packages):
    """The key is the game's own word."""
    packages({"house_a": {"drawer": "from tests.kit.games.pig import game"}})
    assert registry.find("pig").meta.key == "pig"
    with pytest.raises(Refused, match="unknown-game"):
        registry.find("drawer")


def test_two_games_of_one_key_are_a_fault(packages):
    """Neither is taken for the other."""
    source = "from tests.kit.games.pig import game"
    packages({"house_b": {"pig": source}, "house_c": {"pig": source}})
    with pytest.raises(EngineFault, match="game-twice"):
        registry.find("pig")


def test_a_package_that_is_named_later_is_searched(packages):
    """What was unknown before is known then."""
    with pytest.raises(Refused, match="unknown-game"):
        registry.find("bids")
    packages({"house_d": {"bids": "from tests.kit.games.bids import game"}})
    assert registry.find("bids").meta.key == "bids"
