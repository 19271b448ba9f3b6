"""`sealedmove audit FOLDER`: a row for every file, whatever is in it; after a stop nothing is judged twice."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import psutil
import pytest
from click.testing import CliRunner

from client import archive, archive_progress
from client.archive import Row
from client.commands import audit as command
from client.commands.audit import main
from engine.record.encoding import canonical
from engine.record.signed import keys
from tests.audit.bundles.__main__ import FOLDER
from tests.kit.patience import PATIENCE, until
from tests.kit.play_record import OTHER_SEED, SERVER_SEED, Record

ROOT = Path(__file__).parents[2]
VERDICTS = json.loads((FOLDER / "verdicts.json").read_text())
EVIL = {
    "slow": "import os, pathlib, time; pathlib.Path(os.environ['PID']).write_text(str(os.getpid())); time.sleep(3600)",
    "deadly": "import os; os.kill(os.getpid(), 9)",
    "leaving": "import os; os._exit(3)",
}


@pytest.fixture(scope="module")
def bundles():
    """Six games, each with another hash."""
    return [Record("pig", seed=seed).play(3).bundle() for seed in range(6)]


@pytest.fixture
def folder(tmp_path, bundles):
    folder = tmp_path / "archive"
    for number, data in enumerate(bundles):
        (folder / "2026").mkdir(parents=True, exist_ok=True)
        (folder / "2026" / f"{number}.txt").write_bytes(data)
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The person's own folder."""
    monkeypatch.setenv("SEALEDMOVE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def states(home):
    return sorted((home / "audits").glob("*"))


def run(folder, *options):
    return CliRunner().invoke(main, [str(folder), *map(str, options)])


def rows(folder, *options):
    """The summary as JSON and its rows by file."""
    found = json.loads(run(folder, "--json", *options).stdout)
    return found, {row["file"]: row for row in found["rows"]}


def evil(tmp_path, folder, name, kind):
    """A bundle of a game whose rules do something terrible to the process that loads them."""
    for key, code in EVIL.items():
        (tmp_path / "evil" / key).mkdir(parents=True, exist_ok=True)
        (tmp_path / "evil" / key / "__init__.py").write_text(code)
    (tmp_path / "evil" / "__init__.py").touch()
    data = Record("pig").bundle().replace(b'"game":"pig"', b'"game":"%s"' % kind.encode(), 1)
    assert kind.encode() in data
    (folder / name).write_bytes(data)


@contextmanager
def started(tmp_path, folder, *options, **given):
    """The real command as a process of its own, with the games of `evil`."""
    words = [sys.executable, "-m", "sealedmove", "audit", folder, "--search", "tests.kit.games,evil", *options]
    env = os.environ | {"PYTHONPATH": f"{ROOT}:{tmp_path}", "PID": str(tmp_path / "pid")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | given
    process = subprocess.Popen([*map(str, words)], env=env, cwd=tmp_path, text=True, **pipes)
    try:
        yield process
    finally:
        for child in psutil.Process(process.pid).children() if process.poll() is None else ():
            child.kill()
        process.kill()
        process.communicate()


def pid_of_the_slow(tmp_path):
    """The worker that hangs."""
    path = tmp_path / "pid"
    return int(until(lambda: path.exists() and path.read_text(), "no worker has begun"))


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
    assert archive.exit_of([Row("game.txt", verdict) for verdict in verdicts.split()]) == status


def test_the_summary_lists_what_does_not_hold(folder, bundles):
    """The gravest first; then the counts, and the pace."""
    (folder / "notes.md").write_text("Games of 2026")
    (folder / "a.txt").write_bytes(Record("bids", seed=2).play(1).bundle())
    broken = bundles[0].replace(b'"seq":3', b'"seq":4', 1)
    (folder / "z.txt").write_bytes(broken)
    done = run(folder)
    fails, unknown, is_open, empty, counts, pace = done.stdout.splitlines()
    assert done.exit_code == 1
    assert fails.startswith("fails    z.txt: chain")
    assert unknown == "unknown  notes.md: this file is not a Sealed Move bundle"
    assert is_open.startswith("open     a.txt: nothing fails")
    assert (empty, counts) == ("", "9 files: 6 hold, 1 open, 1 unknown, 1 fail.")
    assert pace.startswith("9 judged in ")
    assert pace.endswith(" a second; 0 judged before.")


def test_the_server_s_key_counts_for_every_file(folder):
    """As for one file."""
    ours, other = (canonical.to_base64url(keys.public_of(seed)) for seed in (SERVER_SEED, OTHER_SEED))
    assert run(folder, "--server-key", ours).exit_code == 0
    assert rows(folder, "--server-key", other)[0]["counts"]["fails"] == 6


@pytest.mark.parametrize("options", [("--key", "1=" + "A" * 43), ("--note", "kept.txt"), ("--search", "no.such")])
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


# --- stopping and continuing ------------------------------------------------------------------------------------------


def judged(home):
    """The number of verdicts on disk."""
    return sum(len(path.read_bytes().splitlines()) - 1 for path in states(home))


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_a_stopped_audit_continues(tmp_path, folder, home, number):
    """It exits with 130 and leaves no process; the next run judges only what is not judged."""
    evil(tmp_path, folder, "slow.txt", "slow")
    with started(tmp_path, folder, "--json") as process:
        until(lambda: judged(home) == 6, "not all the others are judged")
        worker = pid_of_the_slow(tmp_path)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    stopped = json.loads(out)
    assert (process.returncode, stopped["stopped"], stopped["verdict"]) == (130, True, None)
    assert (stopped["files"], len(stopped["rows"])) == (7, 6)
    assert str(states(home)[0]) in err
    assert not psutil.pid_exists(worker)
    continues(tmp_path, folder, home)


def continues(tmp_path, folder, home):
    (folder / "slow.txt").unlink()
    with started(tmp_path, folder, "--json") as process:
        done = json.loads(process.communicate(timeout=PATIENCE)[0])
    assert (process.returncode, done["verdict"], done["judged"], done["judged_before"]) == (0, "holds", 0, 6)
    assert states(home) == []


@pytest.mark.slow
def test_a_killed_audit_continues(tmp_path, folder, home):
    """Every verdict is on disk as it comes. A worker that hangs then ends itself."""
    evil(tmp_path, folder, "slow.txt", "slow")
    with started(tmp_path, folder, "--limit", "5") as process:
        until(lambda: judged(home) == 6, "not all the others are judged")
        worker = pid_of_the_slow(tmp_path)
        process.kill()
        process.wait(PATIENCE)
        until(lambda: not psutil.pid_exists(worker), "the worker is still there")
    continues(tmp_path, folder, home)


@pytest.mark.slow
def test_ctrl_c_at_a_terminal_reaches_all_processes_and_prints_one_line(tmp_path, folder):
    """A terminal sends it to the workers too; none of them prints a traceback. The bar shows the pace."""
    evil(tmp_path, folder, "slow.txt", "slow")
    ours, theirs = pty.openpty()
    with started(tmp_path, folder, stderr=theirs, start_new_session=True) as process:
        pid_of_the_slow(tmp_path)
        os.close(theirs)
        shown = b""
        while b"6/7" not in shown:
            shown += os.read(ours, 4096)
        os.killpg(process.pid, signal.SIGINT)
        out = process.communicate(timeout=PATIENCE)[0]
        while b"begin anew" not in shown:
            shown += os.read(ours, 4096)
    os.close(ours)
    assert process.returncode == 130
    assert b"Auditing  [" in shown
    assert b"/s" in shown
    assert b"Traceback" not in shown
    assert out.splitlines()[0] == "7 files: 6 hold."


def test_ctrl_c_during_the_audit_of_one_file_exits_with_130(folder, monkeypatch):
    """Exit 1 would mean that the game fails."""

    def stop(*_given, **_named):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "audit", stop)
    done = run(folder / "2026" / "0.txt")
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "Stopped.\n")


@pytest.fixture
def halfway(folder, home):
    """The progress of an audit that was stopped after four files."""
    progress = archive_progress.Progress(archive_progress.path_of(folder), archive_progress.head(None))
    for number in range(4):
        progress.add(archive.judge(folder, archive.Known(), f"2026/{number}.txt"))
    progress.close(is_done=False)
    return progress.path


def test_progress_is_by_content(folder, halfway):
    """A renamed file is known, a changed one is judged again."""
    (folder / "2026" / "0.txt").rename(folder / "first.txt")
    changed = folder / "2026" / "1.txt"
    changed.write_bytes(changed.read_bytes().replace(b'"seq":3', b'"seq":4', 1))
    found, by_file = rows(folder)
    assert (found["judged"], found["judged_before"]) == (3, 3)
    assert by_file["first.txt"]["verdict"] == "holds"
    assert by_file["2026/1.txt"]["verdict"] == "fails"
    assert not halfway.exists()


def test_a_line_that_was_cut_off_is_judged_again(folder, halfway):
    """As after a loss of power."""
    halfway.write_bytes(halfway.read_bytes()[:-10])
    assert rows(folder)[0]["judged_before"] == 3


@pytest.mark.parametrize("head", ['{"auditor":"an older one","server":""}', "", "no JSON"])
def test_another_auditor_begins_anew(folder, halfway, head):
    """Its rules may judge otherwise."""
    _, *lines = halfway.read_text().splitlines()
    halfway.write_text("\n".join([head, *lines, ""]))
    found, _ = rows(folder)
    assert (found["verdict"], found["judged"]) == ("holds", 6)


def test_another_server_key_begins_anew(folder, halfway):
    """What held without one may fail with it."""
    other = canonical.to_base64url(keys.public_of(OTHER_SEED))
    assert rows(folder, "--server-key", other)[0]["counts"]["fails"] == 6


def test_the_auditor_is_named_by_all_that_a_verdict_follows_from(tmp_path, monkeypatch):
    """Its name changes with a game of a further package."""
    (tmp_path / "further").mkdir()
    module = tmp_path / "further" / "__init__.py"
    module.write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    before = archive_progress.auditor(["further"])
    module.write_text("GAME = 1")
    assert len({before, archive_progress.auditor(["further"]), archive_progress.auditor()}) == 3
    assert archive_progress.auditor(["further"]) == archive_progress.auditor(["further"])


def test_verdicts_that_lie_in_the_audited_folder_are_believed_by_nobody(folder, halfway, home):
    """The maker of the folder may have put them there."""
    broken = folder / "2026" / "0.txt"
    planted = halfway.read_bytes()
    broken.write_bytes(broken.read_bytes().replace(b'"seq":3', b'"seq":4', 1))
    halfway.unlink()
    for place in (folder / halfway.name, folder / "audits" / halfway.name):
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(planted)
    found, by_file = rows(folder)
    assert (found["judged"], found["judged_before"]) == (8, 0)
    assert by_file["2026/0.txt"]["verdict"] == "fails"


def test_progress_can_be_kept_elsewhere(tmp_path, folder, halfway):
    """`--state` names the file."""
    elsewhere = tmp_path / "elsewhere.jsonl"
    halfway.rename(elsewhere)
    assert rows(folder, "--state", elsewhere)[0]["judged_before"] == 4
    assert not elsewhere.exists()


def test_without_a_place_for_progress_everything_is_judged_with_a_warning(folder, home):
    """A read-only machine can audit, too."""
    home.parent.mkdir(exist_ok=True)
    home.write_text("in the way")
    done = run(folder)
    assert done.exit_code == 0
    assert done.stderr.startswith("Warning: progress is not kept, so a stopped audit would begin anew: ")


def test_where_a_process_cannot_be_started_the_others_judge_all(folder, monkeypatch):
    """A machine may have room for one only."""
    monkeypatch.setattr(archive, "cores", lambda: 3)
    fork, forks = os.fork, []

    def full():
        if forks:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        forks.append(True)
        return fork()

    monkeypatch.setattr(os, "fork", full)
    assert rows(folder)[0]["counts"]["holds"] == 6
    forks.append(True)
    done = run(folder)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Resource temporarily unavailable" in done.stderr
