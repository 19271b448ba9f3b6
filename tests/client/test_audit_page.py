"""The commands of docs/audit.md are run, with the files that it describes."""

import json
import re
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from client.commands.audit import main
from engine.record.audit.run import MOST_BYTES
from engine.record.signed import server_keys
from tests.client.proxy import proxy
from tests.kit.play_record import SERVER, SERVER_SEED, Record

__all__ = ["proxy"]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "audit.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (\w+).*?\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))


@pytest.fixture(scope="module")
def record():
    return Record("livingstone", seed=2).play()


@pytest.fixture
def run(tmp_path, record, proxy):
    """Run the commands of a section in a folder with a bundle, a turn mail and the server's document."""
    mail = EmailMessage()
    mail["From"], mail["Subject"] = f"games@{SERVER}", "Your move"
    mail.set_content(f"Ada, it is your move.\n\n{record.note(size=9)}")
    document = server_keys.document(SERVER, [SERVER_SEED], [None], spec="", software="", contact=None)
    (tmp_path / "game.txt").write_bytes(record.bundle())
    (tmp_path / "turn.eml").write_bytes(mail.as_bytes())
    (tmp_path / "server.json").write_text(json.dumps(document))
    environment = {
        "HTTP_PROXY": proxy,
        "NO_PROXY": "",
        "PYTHONPATH": str(ROOT),
        "PATH": str(Path(sys.executable).parent),
    }

    def run(section):
        commands = "".join(re.findall(r"^```sh\n(.*?)^```", SECTIONS[section], re.DOTALL | re.MULTILINE))
        commands = commands.replace("https://", "http://")
        return subprocess.run(
            ["/bin/sh", "-eu"], input=commands, cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    return run


@pytest.mark.slow
def test_the_audit_commands_run(run):
    """With the bundle alone and with all options, which settle the question of the server's key."""
    done = run("Audit")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("holds: a finished game") == 2
    assert done.stdout.count(f"is the key of {SERVER}") == 1


def test_the_compare_commands_run(run):
    """The mail is cut off after its beginning."""
    done = run("Compare")
    assert done.returncode == 0, done.stderr
    assert "game.txt continues turn.eml: the same for 9 entries of" in done.stdout


def test_the_certificate_commands_run(run, tmp_path):
    """The page is drawn."""
    done = run("Certificate")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("CERTIFICATE OF A GAME: HOLDS")
    assert (tmp_path / "page.svg").read_text("utf-8").startswith("<svg ")


def test_the_watch_commands_run(run, record):
    """All existing entries are checked; the proxy shows a running hidden game."""
    done = run("Watch")
    assert done.returncode == 3, done.stderr
    assert "open: a running game" in done.stdout


def test_the_codes_and_limits_match_the_commands():
    """The page and the help of `audit` agree."""
    told = CliRunner().invoke(main, ["--help"]).output
    table = re.findall(r"^\| (\d) \| `(\w+)` \|", SECTIONS["Audit"], re.MULTILINE)
    assert [verdict for _, verdict in table] == ["holds", "fails", "unknown", "open"]
    for number, verdict in table:
        assert re.search(rf"\b{number}: {verdict}\.", told)
    assert f"longer than {MOST_BYTES // 2**20} MiB" in SECTIONS["Audit"]
