"""The npm package: it packs, installs in a bare folder, and its program plays a game that the server accepts."""

import json
import re
import subprocess
import sys
import tarfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from client import session
from client.caught_mails import Mailbox
from client.http import Api
from tests.client.fake_server import FakeServer
from tests.e2e.instance import Instance
from tests.generated import tools
from tests.kit.patience import PATIENCE, until
from tests.servers import patient
from tests.tooling import npm_library
from tests.tooling.test_library import PAGE, PLAY, Program, signs_in

pytestmark = pytest.mark.slow  # tsc and npm take seconds
(PROGRAM,) = re.findall(r"^```js\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
OWN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return npm_library.build(tmp_path_factory.mktemp("npm"))


@pytest.fixture(scope="module")
def bare(package, tmp_path_factory):
    """A folder with nothing but the package."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "package.json").write_text('{"private": true, "type": "module"}', "utf-8")
    install = [
        tools.BIN / "node",
        npm_library.NPM,
        "install",
        "--offline",
        "--no-audit",
        "--no-fund",
        "--silent",
        package,
    ]
    subprocess.run(install, cwd=folder, env=tools.environment(), check=True)
    (folder / "play.mjs").write_text(PROGRAM, "utf-8")
    return folder


@pytest.fixture
def house(tmp_path):
    instance = Instance(tmp_path / "var").start()
    yield instance
    instance.stop()


def test_the_package_has_types_and_no_dependencies_and_cannot_be_published(package):
    with tarfile.open(package) as packed:
        names = packed.getnames()
        about = json.load(packed.extractfile("package/package.json"))
        texts = [packed.extractfile(name).read().decode() for name in names if name.endswith(".js")]
    assert about["private"] is True
    assert not {"dependencies", "peerDependencies", "scripts"} & about.keys()
    assert {"package/index.d.ts", "package/game.d.ts", "package/LICENSE", "package/record/check.js"} <= {*names}
    assert not [one for one in texts if "../server/" in one]


def test_what_does_not_hold_is_never_signed_on(bare):
    """The laws of a game's log in the package, as it is installed; `tests/tooling/npm_library.mjs`."""
    test = bare / "laws.test.mjs"
    test.write_bytes(Path(__file__).with_name("npm_library.mjs").read_bytes())
    given = {"BUNDLES": tools.ROOT / "conformance/vectors/bundles/good", "TABLES": bare / "tables.json"}
    given["TABLES"].write_text(json.dumps(tables()), "utf-8")
    done = subprocess.run(
        [tools.BIN / "node", "--test", test],
        cwd=bare,
        env=tools.environment() | {name: str(path) for name, path in given.items()},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout


def tables():
    """Logs of tables that wait for players; the time of `ahead` is years from now."""
    waiting, unsigned, ahead = FakeServer("pig", 3), FakeServer("pig", 3, unsigned=True), Ahead("pig", 3)
    houses = {"waiting": waiting, "unsigned": unsigned, "ahead": ahead}
    return {
        name: {"id": house.id, "lines": [line.decode() for line in house.lines], "note": house.note()}
        for name, house in houses.items()
    }


class Ahead(FakeServer):
    at = "2099-01-01T00:00:00Z"


@pytest.mark.timeout(900)
def test_the_program_of_the_page_signs_in_by_a_code_and_plays_a_game_that_holds(house, bare, tmp_path):
    """Against the Python program of the same page, killed once; the bundle is then audited."""
    with started(bare, SITE=house.url) as jo:
        used = allows(house, *jo.stdout.readline().split())
        game = jo.stdout.readline().strip()
        until(lambda: patient.get(f"{house.url}/v1/games/{game}").json()["head"]["seq"], "no seat is taken")
    with started(bare, SITE=house.url, GAME=game) as jo:
        allows(house, *jo.stdout.readline().split(), used)
        assert jo.stdout.readline().strip() == game
        given = {"SITE": house.url, "GAME": game, "PYTHONPATH": str(tools.ROOT)}
        ben = Program(sys.executable, tmp_path / "ben", PLAY, EMAIL="ben@players.example", **given)
        signs_in(house, ben, "ben@players.example")
        assert ben.ends()
        said, problems = jo.communicate(timeout=PATIENCE)
    assert jo.returncode == 0, problems
    (tmp_path / "game.txt").write_bytes(patient.get(f"{house.url}/v1/games/{game}/bundle").content)
    audit = [Path(sys.executable).with_name("sealedmove"), "audit", tmp_path / "game.txt"]
    assert "holds" in subprocess.run(audit, capture_output=True, text=True, check=True).stdout
    shown = patient.get(f"{house.url}/v1/games/{game}").json()
    assert said.strip() == f"{shown['head']['seq'] + 1} entries hold"


@contextmanager
def started(folder, **more):
    """The program of the page, killed at the end."""
    pipes, env = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}, tools.environment() | more
    with subprocess.Popen([tools.BIN / "node", "play.mjs"], cwd=folder, env=env, **pipes) as program:
        try:
            yield program
        finally:
            program.kill()


def allows(house, page, code, used=None):
    """A person signs in, types the code, and allows what the program asks for; returns the token of their link.

    They do not sign in with the link that was `used`.
    """
    email = "jo@players.example"
    with patient.client(headers=OWN) as browser:
        browser.post(f"{house.url}/login", data={"email": email})
        mailbox = Mailbox(Api(house.mail_url), email)
        mail = mailbox.wait_for(lambda one: session.token_in(one["text"]) not in (None, used), "the link", PATIENCE)
        token = session.token_in(mail["text"])
        browser.post(f"{house.url}/login/{token}", data={"name": "Jo"})
        scopes = ["read", "play", "account"]
        form = {"code": code, "scopes": scopes, "days": "30", "do": "allow"}
        assert browser.post(f"{page}/answer", data=form).status_code == 200
    return token
