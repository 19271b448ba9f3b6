"""docs/add-a-game.md works: its package is built, installed, tried, served, played and audited as the page says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from engine.record.log import bundle
from engine.record.log.entry import read_entry
from tests.e2e.instance import ROOT, Instance
from tests.e2e.test_players import played_out, signed_in, table
from tests.kit.patience import PATIENCE
from tests.servers import patient

PAGE = (ROOT / "docs/add-a-game.md").read_text("utf-8")
EXAMPLE = ROOT / "examples/oysters"
CODE = re.compile(r"```(?:python|toml)\n(.*?)\n```", re.DOTALL)
COMMANDS = re.compile(r"```sh\n(.*?)```", re.DOTALL)
OURS = ("engine", "server", "workers", "client", "conformance", "sealedmove.py", "pyproject.toml", "README.md")
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_QUIET": "1"}  # 0 is pip's yes
LICENCES = ("LICENSE", "NOTICE")


def test_the_code_of_the_page_is_that_of_the_example() -> None:
    """Word for word, so that the page stays true."""
    files = [_plain(path.read_text("utf-8")) for path in EXAMPLE.rglob("*") if path.suffix in (".py", ".toml")]
    blocks = CODE.findall(PAGE)
    assert len(blocks) > 10
    assert [block for block in blocks if not any(_plain(block) in text for text in files)] == []


def _plain(code: str) -> str:
    """Without blanks and commas: the formatter places them by the indentation."""
    return re.sub(r"[\s,]+", "", code)


def test_the_rules_of_the_example_are_as_short_as_the_page_says() -> None:
    """Lines that are not empty."""
    rules = (EXAMPLE / "sealedmove_oysters/rules.py").read_text("utf-8")
    assert 150 <= sum(bool(line.strip()) for line in rules.splitlines()) <= 250


class Environment:
    """A new environment of Python with our wheel, without a checkout and a network. Other packages are this one's."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin = folder, folder / "venv/bin"
        venv.create(folder / "venv", symlinks=True)
        (site,) = (folder / "venv").glob("lib/python3*/site-packages")
        (site / "others.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")
        self._has("pip", f"{sys.executable} -m pip --python {self.bin}/python")
        self._has("pytest", f"{self.bin}/python -m pytest")
        self._has("gunicorn", f"{self.bin}/python -m gunicorn")
        for name in (*OURS, *LICENCES):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            (folder / "source").mkdir(exist_ok=True)
            copy(ROOT / name, folder / "source" / name)
        shutil.copytree(EXAMPLE, folder / "oysters")

    def _has(self, name: str, program: str) -> None:
        (self.bin / name).write_text(f'#!/bin/sh\nexec {program} "$@"\n')
        (self.bin / name).chmod(0o755)

    def run(self, command: str, where: str = "oysters") -> str:
        env = {**os.environ, **OFFLINE, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        env |= {"PYTEST_ADDOPTS": "-q -p no:cacheprovider", "PYTHONPATH": ""}
        words = {"shell": True, "capture_output": True, "text": True, "check": False}
        done = subprocess.run(command, cwd=self.folder / where, env=env, **words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = Environment(tmp_path_factory.mktemp("author"))
    made.run("pip install .", "source")
    shutil.rmtree(made.folder / "source")
    return made


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_an_author_can_follow_the_page(environment: Environment) -> None:
    """Each command is run as it is printed: the golden game comes out as in the example, suite and vectors pass."""
    printed = "".join(environment.run(line) for block in COMMANDS.findall(PAGE) for line in block.splitlines())
    assert re.search(r"^1\d\d\d passed", printed, re.MULTILINE)
    assert "Oysters, 3 seats, 20 random games" in printed
    golden = "sealedmove_oysters/golden/last.txt"
    assert (environment.folder / "oysters" / golden).read_text("utf-8") == (EXAMPLE / golden).read_text("utf-8")


@pytest.fixture
def house(environment: Environment, tmp_path: Path) -> Iterator[Instance]:
    """A real server of that environment, with two house players of each level."""
    environment.run("pip wheel --wheel-dir wheels . && pip install --force-reinstall wheels/*.whl")
    instance = Instance(tmp_path / "var", PLAYERS_EACH="2", PLAYERS_ALONE="own")
    yield instance.start(environment.bin / "sealedmove", tmp_path)
    instance.stop()


@pytest.mark.slow
def test_a_server_serves_the_game_of_an_installed_wheel(environment: Environment, house: Instance) -> None:
    """It shows the package, its own players play a whole game, and the log pins the rules and passes the audit."""
    shown = {one["key"]: one["package"] for one in patient.get(f"{house.url}/v1/types").json()}
    assert shown["oysters"] == {"name": "sealedmove-oysters", "version": "1.0"}
    assert shown["tikal"] is None
    page = patient.get(f"{house.url}/play/oysters").text
    assert "This game comes from the package sealedmove-oysters 1.0, with version 1 of its rules." in page
    with httpx.Client(timeout=PATIENCE) as web:
        ann = signed_in(house, web, "Ann")
        data = played_out(ann, house, table(ann, "oysters", {0: "easy", 1: "fair"}, 2))
    assert read_entry(bundle.read(data).lines[0]).body["rules"] == {"game": "oysters", "version": 1, "data": None}
    (environment.folder / "game.txt").write_bytes(data)
    assert environment.run("sealedmove audit game.txt", ".").startswith("holds")
