"""`sealedmove audit FOLDER`: a row for every file, whatever is in it."""

import json
import os
import pwd
import re
import signal
from typing import get_args

import psutil
import pytest

from client import archive
from client.archive import FileResult
from client.pins import pins_at
from engine.record.encoding import canonical
from engine.record.signed import keys, note
from tests.audit.bundles.__main__ import FOLDER
from tests.kit.patience import PATIENCE
from tests.kit.play_record import GAME_ID, OTHER_SEED, SERVER, SERVER_SEED, Record

from .audits import ROOT, evil, pid_of_the_slow, rows, run, started, states

VERDICTS = json.loads((FOLDER / "verdicts.json").read_text())
OURS, OTHERS = (canonical.to_base64url(keys.public_of(seed)) for seed in (SERVER_SEED, OTHER_SEED))


def keep(home, seed):
    """Keep this key of the server, as a client that has seen one of its games."""
    pins_at(home, SERVER).check(SERVER, keys.public_of(seed), None)


def none(*_given):
    """Nobody has this number."""
    raise KeyError


# --- rows -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_bundle_of_the_vectors_gets_its_verdict():
    """Also in worker processes, beside files that are not bundles."""
    found, by_file = rows(FOLDER)
    named = {
        name: {"verdict": row["verdict"], "exit": archive.EXITS[row["verdict"]], "stage": row["stage"]}
        | ({"fails": row["fails"]} if row["fails"] else {})
        for name, row in by_file.items()
        if name in VERDICTS
    }
    assert named == VERDICTS
    others = {path.name for path in FOLDER.iterdir() if path.is_file()}
    assert by_file.keys() == VERDICTS.keys() | others
    assert sum(found["counts"].values()) == found["files"] == len(by_file)


def test_a_file_that_cannot_be_judged_is_a_row_with_a_reason(folder):
    """Nothing is left out, and nothing is opened that could block."""
    (folder / "empty.txt").touch()
    (folder / "notes.md").write_text("Games of 2026")
    (folder / "gone.txt").symlink_to(folder / "nothing")
    os.mkfifo(folder / "pipe.txt")
    (folder / "zero.txt").symlink_to("/dev/zero")
    found, by_file = rows(folder)
    assert (found["verdict"], found["counts"]) == ("unknown", {"fails": 0, "unknown": 5, "open": 0, "holds": 6})
    assert {name: (row["code"], row["why"]) for name, row in by_file.items() if row["verdict"] == "unknown"} == {
        "empty.txt": (None, "this file is not a Sealed Move bundle"),
        "notes.md": (None, "this file is not a Sealed Move bundle"),
        "gone.txt": ("unreadable", "not a regular file"),
        "pipe.txt": ("unreadable", "not a regular file"),
        "zero.txt": ("unreadable", "not a regular file"),
    }


def test_a_folder_that_cannot_be_listed_is_a_row(folder, monkeypatch):
    """Its files may be anything."""
    (folder / "closed").mkdir()
    scandir = os.scandir

    def refusing(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found, by_file = rows(folder)
    assert found["files"] == 7
    assert (by_file["closed"]["code"], by_file["closed"]["why"]) == ("unreadable", "Permission denied")


def test_a_link_to_a_folder_is_a_row(folder):
    """It is not followed, since it may lead in a circle; nor is it left out."""
    (folder / "again").symlink_to(folder)
    found, by_file = rows(folder)
    assert found["files"] == 7
    assert (by_file["again"]["code"], by_file["again"]["why"]) == ("unreadable", "a link to a folder is not followed")


def test_a_huge_file_is_a_row(folder):
    """It is not read beyond the bound, and has no hash."""
    with (folder / "huge.txt").open("wb") as file:
        file.write(b"sealedmove bundle 1\n")
        file.truncate(2**33)
    _, by_file = rows(folder)
    assert (by_file["huge.txt"]["verdict"], by_file["huge.txt"]["sha256"]) == ("unknown", "")
    assert "too large for this auditor" in by_file["huge.txt"]["why"]


def test_a_bug_of_the_auditor_is_a_row(folder, monkeypatch):
    """Nothing is called failed that was not judged."""

    def fault(*_given):
        raise ZeroDivisionError

    monkeypatch.setattr(archive, "audit", fault)
    found, by_file = rows(folder)
    assert found["verdict"] == "unknown"
    assert {row["code"] for row in by_file.values()} == {"auditor-fault"}


def test_a_name_of_any_letters_is_printed_safely(folder):
    """Names of files are bytes that somebody has chosen."""
    (folder / os.fsdecode(b"\x1b[31m\xff.txt")).touch()
    assert "'\\x1b[31m\\udcff.txt': this file is not" in run(folder).stdout
    assert rows(folder)[0]["files"] == 7


@pytest.mark.parametrize(
    ("verdicts", "status"),
    [("", 2), ("holds", 0), ("holds open", 3), ("open unknown holds", 2), ("unknown fails open holds", 1)],
)
def test_a_folder_has_the_gravest_verdict_of_its_files(verdicts, status):
    """A folder without files shows nothing, so it does not hold."""
    assert archive.exit_of([FileResult("game.txt", verdict) for verdict in verdicts.split()]) == status


def test_the_summary_lists_what_does_not_hold(folder, bundles):
    """The gravest first; then the counts, what the servers' keys were compared with, and the pace."""
    (folder / "notes.md").write_text("Games of 2026")
    (folder / "a.txt").write_bytes(Record("bids", seed=2).play(1).bundle())
    broken = bundles[0].replace(b'"seq":3', b'"seq":4', 1)
    (folder / "z.txt").write_bytes(broken)
    done = run(folder)
    fails, unknown, is_open, empty, counts, compared, pace = done.stdout.splitlines()
    assert done.exit_code == 1
    assert fails.startswith("fails    z.txt: chain")
    assert unknown == "unknown  notes.md: this file is not a Sealed Move bundle"
    assert is_open.startswith("open     a.txt: nothing fails")
    assert (empty, counts) == ("", "9 files: 6 hold, 1 open, 1 unknown, 1 fail.")
    assert compared == "Under a key that was compared with nothing: 8 files."
    assert pace.startswith("9 judged in ")
    assert pace.endswith(" a second; 0 judged before.")


def test_the_server_s_key_counts_for_every_file(folder):
    """As for one file."""
    assert run(folder, "--server-key", OURS).exit_code == 0
    assert rows(folder, "--server-key", OTHERS)[0]["counts"]["fails"] == 6


def test_each_server_s_key_is_compared_with_the_one_that_was_kept_of_it(folder, home):
    """As for one file. The summary counts them, each row has its own, and given keys come before kept ones."""
    record = Record("pig", server="elsewhere.example")
    signed = note.write("elsewhere.example", GAME_ID, len(record.lines), record.table.head, SERVER_SEED)
    (folder / "elsewhere.txt").write_bytes(record.bundle().replace(record.note().encode(), signed.encode()))
    kid = keys.thumbprint(keys.public_of(SERVER_SEED))
    keep(home, SERVER_SEED)
    lines = run(folder).stdout.splitlines()
    assert "Under a key that was compared with nothing: 1 file." in lines
    assert "Under the key that was kept of this server: 6 files." in lines
    _, by_file = rows(folder)
    assert by_file["2026/0.txt"]["server_key"] == {"kid": kid, "compared": "pin"}
    assert by_file["elsewhere.txt"]["server_key"] == {"kid": kid, "compared": None}
    assert rows(folder, "--server-key", OURS)[1]["2026/0.txt"]["server_key"]["compared"] == "given"


def test_a_kept_key_that_is_another_one_fails_the_file(folder, home):
    """The first key seen holds for all games of a server."""
    keep(home, OTHER_SEED)
    found, by_file = rows(folder)
    assert found["counts"]["fails"] == 6
    assert by_file["2026/0.txt"]["fails"] == {"note": 0}


def test_without_a_home_directory_nothing_was_kept(folder, monkeypatch):
    """A user of a machine that only audits may have none."""
    monkeypatch.delenv("SEALEDMOVE_HOME")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", none)
    assert "Under a key that was compared with nothing: 6 files." in run(folder).stdout
    assert run(folder / "2026" / "0.txt").exit_code == 0


@pytest.mark.parametrize("options", [("--key", "1=" + "A" * 43), ("--note", "kept.txt")])
def test_options_that_do_not_fit_a_folder_exit_with_2(folder, options):
    """A key of a seat and a checkpoint are about one game."""
    done = run(folder, *options)
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize("options", [("--limit", "5"), ("--state", "state")])
def test_options_of_a_folder_are_refused_for_a_file(folder, options):
    """Instead of being ignored."""
    assert run(folder / "2026" / "0.txt", *options).exit_code == 2


def test_the_page_explains_every_code():
    """Each reason for which nothing was judged is a row of docs/audit.md."""
    table = (ROOT / "docs/audit.md").read_text("utf-8").partition("| `code` | reason |\n")[2].partition("\n\n")[0]
    explained = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
    assert set(explained) == set(get_args(archive.Unjudged))


# --- files that harm the process that judges them ---------------------------------------------------------------------


@pytest.mark.slow
def test_a_file_that_hangs_does_not_stop_the_others(tmp_path, folder):
    """It is ended after its time, and said to be."""
    evil(tmp_path, folder, "0.txt", "slow")
    with started(tmp_path, folder, "--json", "--limit", "5") as process:
        found = json.loads(process.communicate(timeout=PATIENCE)[0])
    unknown = [(row["file"], row["code"], row["why"]) for row in found["rows"] if row["verdict"] == "unknown"]
    assert process.returncode == 2
    assert found["counts"]["holds"] == 6
    assert unknown == [("0.txt", "time-limit", "not judged within 5 s")]
    assert not psutil.pid_exists(pid_of_the_slow(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "how"), [("deadly", "by signal 9"), ("leaving", "with exit code 3")])
def test_a_file_that_ends_its_process_does_not_stop_the_others(tmp_path, folder, kind, how):
    """Each such file costs one worker."""
    for name in ("0.txt", "1.txt", "2.txt"):
        evil(tmp_path, folder, name, kind)
    with started(tmp_path, folder, "--json") as process:
        found = json.loads(process.communicate(timeout=PATIENCE)[0])
    unknown = [(row["file"], row["code"], row["why"]) for row in found["rows"] if row["verdict"] == "unknown"]
    assert process.returncode == 2
    assert found["counts"]["holds"] == 6
    why = f"the process that judged it ended {how}"
    assert unknown == [(name, "worker-lost", why) for name in ("0.txt", "1.txt", "2.txt")]


@pytest.mark.slow
def test_a_killed_worker_is_a_row(tmp_path, folder, home):
    """As when the machine runs out of memory; it is not remembered as judged."""
    evil(tmp_path, folder, "0.txt", "slow")
    with started(tmp_path, folder, "--json") as process:
        os.kill(pid_of_the_slow(tmp_path), signal.SIGKILL)
        found = json.loads(process.communicate(timeout=PATIENCE)[0])
    assert {row["file"]: row["code"] for row in found["rows"] if row["code"]} == {"0.txt": "worker-lost"}
    assert found["counts"]["holds"] == 6
    assert states(home) == []
