"""The one-file auditor: identical to the byte wherever it is built, with all that an audit years later needs."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from client import archive_progress
from tests.audit.bundles.__main__ import FOLDER
from tests.kit import installed
from tests.running import MARK
from tests.tooling import auditor
from tests.tooling.auditor import LIBRARIES, NAME, ROOT

VERDICTS = json.loads((FOLDER / "verdicts.json").read_text())
RELEASES = ROOT / "tests/audit/releases"
GAMES = sorted(path.parent.name for path in (ROOT / "engine/games").glob("*/meta.py"))
ALONE = {name: os.environ[name] for name in (MARK,) if name in os.environ}  # no variable that a person has set

# Runs the auditor, refuses it the network and other programs, and prints which files its modules come from.
WATCHED = """
import runpy, sys
def refuse(event, given):
    if event.startswith(("socket.connect", "socket.bind", "socket.get", "subprocess.", "os.exec", "os.posix_spawn")):
        raise PermissionError(event)
sys.addaudithook(refuse)
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print(*filter(None, (getattr(one, "__file__", None) for one in sys.modules.values())), sep="\\n", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The output of `make auditor`, and the tiny games of the vectors as an installed package."""
    folder = tmp_path_factory.mktemp("auditor")
    auditor.main(folder)
    installed.into(folder / LIBRARIES)
    return folder


def python(*words):
    """A bare Python without packages or an environment."""
    bare = [sys._base_executable, "-I", "-S", *map(str, words)]
    return subprocess.run(bare, cwd="/", env=ALONE, capture_output=True, text=True)


def test_every_bundle_of_the_vectors_gets_its_verdict_in_an_empty_environment(folder, tmp_path):
    """Without network and packages: all modules are Python's own, inside the file, or beside it."""
    words = (folder / NAME, FOLDER, "--json", "--state", tmp_path / "state")
    done = python("-c", WATCHED, *words)
    rows = {row["file"]: row for row in json.loads(done.stdout)["rows"]}
    found = {
        name: {"verdict": row["verdict"], "stage": row["stage"]} | ({"fails": row["fails"]} if row["fails"] else {})
        for name, row in rows.items()
        if name in VERDICTS
    }
    named = {
        name: {key: verdict[key] for key in ("verdict", "stage", "fails") if key in verdict}
        for name, verdict in VERDICTS.items()
    }
    assert found == named
    assert (done.returncode, len(found)) == (1, len(VERDICTS))
    places = {str(folder / NAME), str(folder / LIBRARIES), str(Path(os.__file__).parent)}
    strange = [line for line in done.stderr.splitlines() if not line.startswith(tuple(places))]
    assert strange == []
    assert "site-packages" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["good/livingstone-finished.txt", "broken/another-secret.txt", "good/hidden-running.txt"]
)
def test_one_file_exits_with_its_verdict(folder, name):
    """As `sealedmove audit` does."""
    done = python(folder / NAME, FOLDER / name)
    assert done.returncode == VERDICTS[name]["exit"]
    assert done.stdout.startswith(VERDICTS[name]["verdict"])


@pytest.mark.slow
def test_every_game_of_every_release_passes_the_one_file_audit(folder, tmp_path):
    """It has the rules of all games, and the same hash of its code as the installed command."""
    done = python(folder / NAME, RELEASES, "--json", "--state", tmp_path / "state")
    found = json.loads(done.stdout)
    assert found["auditor"] == archive_progress.auditor()
    rows = {row["file"]: row["verdict"] for row in found["rows"]}
    kept = {str(path.relative_to(RELEASES)) for path in RELEASES.glob("*/*.txt")}
    assert {name for name, verdict in rows.items() if verdict == "holds"} == kept
    inside = zipfile.ZipFile(folder / NAME).namelist()
    assert sorted(name.split("/")[2] for name in inside if name.endswith("/meta.py")) == GAMES


@pytest.mark.slow
def test_two_builds_are_the_same_to_the_byte(folder, tmp_path):
    """The second is of a copy with other times and modes, in another place, by a process with other settings."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if name.startswith(
            ("engine/", "client/", "tests/tooling/", "tests/__init__", "LICENSE", "NOTICE", "pyproject")
        ):
            target = tmp_path / "copy" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
            target.chmod(0o600)
            os.utime(target, (10**9, 10**9))
    env = ALONE | {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "7", "HOME": str(tmp_path)}
    build = [sys.executable, "-B", "-m", "tests.tooling.auditor", tmp_path]
    subprocess.run(build, cwd=tmp_path / "copy", env=env, umask=0o077, capture_output=True, check=True)
    assert (tmp_path / NAME).read_bytes() == (folder / NAME).read_bytes()


def test_the_file_contains_nothing_of_the_build_machine(folder):
    """Names are relative and sorted, all times are equal, and no folder of this machine is named."""
    entries = zipfile.ZipFile(folder / NAME).infolist()
    assert [entry.filename for entry in entries] == sorted({entry.filename for entry in entries})
    assert {entry.date_time for entry in entries} == {auditor.EPOCH}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert {entry.filename.split("/")[0] for entry in entries} == {
        "LICENSE", "NOTICE", "__main__.py", "click", "client", "engine",
    }  # fmt: skip
    assert str(ROOT).encode() not in (folder / NAME).read_bytes()


def test_the_hash_is_written_beside_the_file(folder, capsys):
    """In the form that `sha256sum --check` reads; the build prints the same line."""
    line = (folder / f"{NAME}.sha256").read_text()
    assert line == f"{hashlib.sha256((folder / NAME).read_bytes()).hexdigest()}  {NAME}\n"
    assert subprocess.run(["sha256sum", "--check", f"{NAME}.sha256"], cwd=folder, capture_output=True).returncode == 0


def test_without_its_libraries_the_auditor_names_them(folder, tmp_path):
    """Exit 2: nothing was judged. It prints the packages and versions to install."""
    shutil.copyfile(folder / NAME, tmp_path / NAME)
    done = python(tmp_path / NAME, FOLDER / "good/open-finished.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"pip install --target {LIBRARIES} msgspec==" in done.stderr
