"""Games are found by their key, without loading others."""

import subprocess
import sys

import pytest

from engine import registry
from engine.errors import Refused
from tests.kit import installed

CODE = """
import sys
from engine import registry
assert registry.find("tikal").meta.key == "tikal"
print([name for name in sys.modules if name.startswith("engine.games.") and name.count(".") == 2])
"""


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Installs packages of games made for the test, `{package: {key: source}}`, alone, and removes them afterwards."""
    elsewhere = [place for place in sys.path if place != str(installed.FOLDER)]
    monkeypatch.setattr(sys, "path", [str(tmp_path), *elsewhere])
    registry.forget()

    def packages(made):
        for package, games in made.items():
            for key, source in games.items():
                (tmp_path / package / key).mkdir(parents=True)
                (tmp_path / package / "__init__.py").touch()
                (tmp_path / package / key / "__init__.py").write_text(source)
            installed.package(tmp_path, {key: f"{package}.{key}:game" for key in games}, package, "2.1")
        registry.forget()

    yield packages
    monkeypatch.undo()
    registry.forget()


def test_only_the_requested_game_is_imported():
    """An audit needs one game, and each other one would cost some milliseconds."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout == "['engine.games.tikal']\n"


def test_a_game_names_the_package_that_brings_it(packages):
    """With its version; those of this project have none."""
    packages({"house_a": {"pig": "from tests.kit.games.pig import game"}})
    assert registry.source("pig") == registry.Source("pig", "house_a.pig", "game", "house_a", "2.1")
    assert registry.source("tikal").package == ""
    assert registry.find("pig").meta.key == "pig"


def test_an_entry_point_has_the_name_of_its_game(packages):
    """So a game is found without loading others."""
    packages({"house_b": {"drawer": "from tests.kit.games.pig import game"}})
    says = "the game in `house_b.drawer` of house_b 2.1 has the key `pig`, and its entry point is called `drawer`"
    assert registry.flaw("drawer") == f"{says}: name both alike"
    for key, code in (("pig", "unknown-game"), ("drawer", "game-out")):
        with pytest.raises(Refused, match=code):
            registry.find(key)


def test_of_two_games_with_one_key_the_first_is_served(packages):
    """By the names of their packages, and a game of this project before all: the flaw names the other one."""
    pig = "from tests.kit.games.pig import game"
    packages({"house_c": {"pig": pig}, "house_d": {"pig": pig, "tikal": "from engine.games.tikal import game"}})
    assert (registry.home("pig"), registry.home("tikal")) == ("house_c.pig", "engine.games.tikal")
    assert dict(registry.flaws()) == {
        "house_d.pig": "the game in `house_d.pig` of house_d 2.1 has the key `pig` of the game in `house_c.pig` "
        "of house_c 2.1: only that one is served",
        "house_d.tikal": "the game in `house_d.tikal` of house_d 2.1 has the key `tikal` of the game in "
        "`engine.games.tikal`: only that one is served",
    }


def test_a_package_installed_later_is_found_after_a_restart(packages):
    """`forget` does in a test what a restart does."""
    with pytest.raises(Refused, match="unknown-game"):
        registry.find("bids")
    packages({"house_e": {"bids": "from tests.kit.games.bids import game"}})
    assert registry.find("bids").meta.key == "bids"


BROKEN = {"no_module": "import nowhere_at_all", "no_game": "", "bad": "def (", "no_meta": "game = 1", "raises": "1 / 0"}


def test_a_game_that_cannot_be_loaded_costs_only_itself(packages):
    """Whatever is wrong with it, all others are found, and one sentence gives the game and the reason."""
    packages({"house_f": {**BROKEN, "bids": "from tests.kit.games.bids import game"}})
    assert {"bids", "tikal"} < set(registry.games())
    flaws = {home.partition(".")[2]: why for home, why in registry.flaws().items()}
    assert flaws.keys() == BROKEN.keys()
    assert flaws["no_module"] == (
        "the game in `house_f.no_module` of house_f 2.1 cannot be loaded: "
        "ModuleNotFoundError: No module named 'nowhere_at_all' (__init__.py:1)"
    )
    assert all(home in why and type(why) is str and "\n" not in why for home, why in flaws.items())
    with pytest.raises(Refused, match="game-out"):
        registry.find("raises")
    assert registry.home("bids") == "house_f.bids"


def test_a_game_needs_a_folder_of_its_own(packages, tmp_path):
    """Its guide and its golden games are files beside its rules."""
    (tmp_path / "lonely.py").write_text("from tests.kit.games.pig import game")
    installed.package(tmp_path, {"pig": "lonely:game"}, "lonely")
    registry.forget()
    assert "no attribute '__path__'" in registry.flaw("pig")
