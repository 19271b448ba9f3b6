"""Games are found by their key, without loading others."""

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
    registry.forget()

    def packages(made):
        for package, folders in made.items():
            for folder, source in folders.items():
                (tmp_path / package / folder).mkdir(parents=True)
                (tmp_path / package / "__init__.py").touch()
                (tmp_path / package / folder / "__init__.py").write_text(source)
            registry.search(package)

    yield packages
    registry.forget()


def test_only_the_requested_game_is_imported():
    """An audit needs one game, and each other one would cost some milliseconds."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout == "['engine.games.tikal']\n"


def test_a_game_is_found_in_a_folder_with_another_name(packages):
    """The key is defined by the game."""
    packages({"house_a": {"drawer": "from tests.kit.games.pig import game"}})
    assert registry.find("pig").meta.key == "pig"
    with pytest.raises(Refused, match="unknown-game"):
        registry.find("drawer")


def test_two_games_of_one_key_are_a_fault(packages):
    """Neither is mistaken for the other."""
    source = "from tests.kit.games.pig import game"
    packages({"house_b": {"pig": source}, "house_c": {"pig": source}})
    with pytest.raises(EngineFault, match="game-twice"):
        registry.find("pig")


def test_a_package_added_later_is_searched(packages):
    """A game that was unknown is found afterwards."""
    with pytest.raises(Refused, match="unknown-game"):
        registry.find("bids")
    packages({"house_d": {"bids": "from tests.kit.games.bids import game"}})
    assert registry.find("bids").meta.key == "bids"


BROKEN = {"no_module": "import nowhere_at_all", "no_game": "", "bad": "def (", "no_meta": "game = 1", "raises": "1 / 0"}


def test_a_game_that_cannot_be_loaded_costs_only_itself(packages):
    """Whatever is wrong with it, all others are found, and one sentence gives the game and the reason."""
    packages({"house_e": {**BROKEN, "bids": "from tests.kit.games.bids import game"}})
    assert {"bids", "tikal"} < set(registry.games())
    flaws = {folder.partition(".")[2]: why for folder, why in registry.flaws().items()}
    assert flaws.keys() == BROKEN.keys()
    assert flaws["no_module"] == (
        "the game in `house_e.no_module` cannot be loaded: "
        "ModuleNotFoundError: No module named 'nowhere_at_all' (__init__.py:1)"
    )
    assert all(folder in why and type(why) is str and "\n" not in why for folder, why in flaws.items())
    with pytest.raises(Refused, match="game-out"):
        registry.find("raises")
    assert registry.home("bids") == "house_e.bids"
