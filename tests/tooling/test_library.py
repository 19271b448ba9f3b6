"""The client's library: its wheel, installed with its own dependencies alone, plays and follows a game."""

import os
import re
import shutil
import subprocess
import venv
import zipfile
from importlib import metadata

import pytest
from packaging.requirements import Requirement

from client import session
from client.caught_mails import Mailbox
from client.http import Api
from tests.e2e.instance import ROOT, Instance
from tests.kit.patience import PATIENCE, until
from tests.servers import patient

from . import library

PAGE = (ROOT / "docs/client-library.md").read_text("utf-8")
PLAY, FOLLOW = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return library.build(tmp_path_factory.mktemp("library"))


def needed(names):
    """The installed packages that these need, all the way down."""
    found, left = set(), list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            wants = map(Requirement, metadata.requires(name) or ())
            left += [one.name for one in wants if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """A fresh environment with the wheel and what its own metadata asks for."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, symlinks=True)
    site = next(folder.glob("lib/python3*/site-packages"))
    zipfile.ZipFile(wheel).extractall(site)
    (info,) = metadata.distributions(name="sealedmove-client", path=[str(site)])
    for name in needed(Requirement(one).name for one in info.requires):
        for path in metadata.files(name):
            if ".." not in path.parts:
                (site / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path.locate(), site / path)
    return folder / "bin/python"


def test_the_wheel_holds_the_engine_and_the_modules_of_the_contract(wheel):
    """No commands, no server."""
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("client/")}
    assert inside == {"client/__init__.py", *(f"{name.replace('.', '/')}.py" for name in library.modules())}
    assert "engine/games/tikal/guide.md" in zipfile.ZipFile(wheel).namelist()


def test_every_module_of_the_library_is_imported_without_the_rest(python):
    """Its wheel and its dependencies are enough."""
    for absent in ("flask", "sqlalchemy", "click", "rich", "server", "client.commands"):
        assert subprocess.run([python, "-Ic", f"import {absent}"], capture_output=True).returncode == 1
    code = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    done = subprocess.run([python, "-Ic", code, *library.modules()], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_page_names_modules_of_the_library():
    assert set(re.findall(r"^\| `(client\.\w+)`", PAGE, re.MULTILINE)) <= set(library.modules())


class Program:
    """A program of the page, in its own folder, with the fresh environment's Python."""

    def __init__(self, python, folder, code, **env):
        folder.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [python, "-c", code],
            cwd=folder,
            env={"PATH": os.environ["PATH"], **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def types(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def ends(self):
        """All that it printed."""
        out, problems = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, problems
        return out


@pytest.fixture
def house(tmp_path):
    instance = Instance(tmp_path / "var").start()
    yield instance
    instance.stop()


def signs_in(house, program, email, used=None):
    """The link from a mail, typed into the program; not the one with the token that was `used`. Returns its token."""
    mailbox = Mailbox(Api(house.mail_url), email)
    mail = mailbox.wait_for(lambda one: session.token_in(one["text"]) not in (None, used), "the link", PATIENCE)
    token = session.token_in(mail["text"])
    program.types(f"{house.url}/login/{token}")
    return token


@pytest.mark.slow
def test_the_programs_of_the_page_play_and_follow_a_game(house, python, tmp_path):
    """Two of them play against each other, one of which was killed once; a third checks and audits everything."""
    given = {"SITE": house.url, "EMAIL": "ada@players.example"}
    ada = Program(python, tmp_path / "ada", PLAY, **given)
    used = signs_in(house, ada, "ada@players.example")
    game = ada.process.stdout.readline().removeprefix("The link: ").strip()
    assert game, ada.ends()
    until(lambda: patient.get(f"{house.url}/v1/games/{game}").json()["head"]["seq"], "no seat is taken")
    ada.process.kill()
    ada.process.communicate()
    ada = Program(python, tmp_path / "ada", PLAY, GAME=game, **given)
    signs_in(house, ada, "ada@players.example", used)
    ben = Program(python, tmp_path / "ben", PLAY, SITE=house.url, EMAIL="ben@players.example", GAME=game)
    signs_in(house, ben, "ben@players.example")
    watch = Program(python, tmp_path / "watch", FOLLOW, SITE=house.url, GAME=game)
    assert ben.ends().splitlines()[-1] == ada.ends().splitlines()[-1]
    assert watch.ends().splitlines()[-1] == "holds"
