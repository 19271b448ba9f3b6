"""Clients that are generated from the document: their types hold, and they play a whole game."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.instance import ROOT, Instance
from tests.generated import generators, tools
from tests.kit.patience import PATIENCE

LONGEST = 150


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Instance]:
    instance = Instance(tmp_path / "var").start()
    yield instance
    instance.stop()


@pytest.mark.slow
def test_types_of_both_clients_and_of_the_examples_hold(generated):
    """mypy and tsc, as strict as they go."""
    generated.check()


@pytest.mark.slow
@pytest.mark.timeout(1800)  # whole games take their time where many tests run
@pytest.mark.parametrize("other", ["typescript", "go"])
def test_two_generated_clients_play_a_whole_game_that_holds(
    generated, house: Instance, tmp_path: Path, other: str, request: pytest.FixtureRequest
):
    """A Python program and one in another language at one table of Tikal; the game is then audited."""
    second = (
        [request.getfixturevalue("go_program")] if other == "go" else [tools.BIN / "node", ROOT / "examples/play.ts"]
    )
    bundle = tmp_path / "game.txt"
    places = {"SITE": house.url, "MAIL": house.mail_url, "BUNDLE": str(bundle)}
    python = [sys.executable, ROOT / "examples" / "play.py"]
    with subprocess.Popen(python, env=generated.environment() | places, stdout=subprocess.PIPE, text=True) as pia:
        assert pia.stdout is not None
        game = pia.stdout.readline().strip()
        guest = subprocess.run(
            [*second, game], env=tools.environment() | places, capture_output=True, text=True, timeout=2 * PATIENCE
        )
        assert guest.returncode == 0, guest.stderr
        said, _ = pia.communicate(timeout=2 * PATIENCE)
    assert pia.returncode == 0
    assert told(said) == told(guest.stdout)
    judged = subprocess.run(
        [Path(sys.executable).with_name("sealedmove"), "audit", bundle], capture_output=True, text=True
    )
    assert judged.returncode == 0, judged.stdout
    assert "holds" in judged.stdout


@pytest.mark.slow
@pytest.mark.skipif(not generators.are_installed(), reason="`make generators` installs it")
@pytest.mark.skipif(not shutil.which("javac"), reason="needs a JDK")
def test_the_client_for_java_compiles():
    """With a JDK of the machine: wheels bring only its runtime."""
    generators.generate("java")
    generators.compile_java()
    assert list(generators.CLASSES.rglob("TikalMovePayload.class"))


def told(said: str) -> tuple[str, list[list[int]]]:
    """The end of the game, and the places: the languages differ in spaces, also within a tie."""
    reason, _, places = said.strip().partition(", places ")
    return reason, json.loads(places)


@pytest.mark.slow
def test_both_languages_print_a_tie_alike():
    """Dice may cause one."""
    assert told("over: explored, places [[0, 1]]\n") == told("over: explored, places [[0,1]]\n")


@pytest.mark.parametrize("name", ["play.py", "play.ts", "play.go"])
def test_an_example_is_short(name: str):
    """So that a newcomer can read it at once."""
    assert len((ROOT / "examples" / name).read_text("utf-8").splitlines()) <= LONGEST
