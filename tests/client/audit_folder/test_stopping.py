"""An audit of a folder that is stopped continues: after a stop nothing is judged twice."""

import json
import os
import pty
import signal

import psutil
import pytest

from client import archive, archive_progress
from client.commands import audit as command
from client.pins import pins_at
from engine import registry
from engine.record.encoding import canonical
from engine.record.signed import keys
from tests.kit import installed
from tests.kit.patience import PATIENCE, until
from tests.kit.play_record import OTHER_SEED, SERVER

from .audits import evil, pid_of_the_slow, rows, run, started, states


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
    progress = archive_progress.Progress(archive_progress.path_of(folder), archive_progress.header(None))
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
    """A file that holds without one may fail with it."""
    other = canonical.to_base64url(keys.public_of(OTHER_SEED))
    assert rows(folder, "--server-key", other)[0]["counts"]["fails"] == 6


def test_another_kept_key_begins_anew(folder, home, halfway):
    """A verdict follows from the keys that this machine has kept, too."""
    pins_at(home, SERVER).check(SERVER, keys.public_of(OTHER_SEED), None)
    found, _ = rows(folder)
    assert (found["counts"]["fails"], found["judged_before"]) == (6, 0)


def test_the_auditor_is_named_by_all_that_a_verdict_follows_from(tmp_path, monkeypatch):
    """Its name changes with a game of an installed package."""
    names = [archive_progress.auditor()]
    (tmp_path / "further").mkdir()
    installed.package(tmp_path, {"further": "further:game"})
    monkeypatch.syspath_prepend(tmp_path)
    for code in ("1 / 0", "2 / 0"):  # which nobody runs here
        (tmp_path / "further" / "__init__.py").write_text(code)
        registry.forget()
        names += [archive_progress.auditor(), archive_progress.auditor()]
    monkeypatch.undo()
    registry.forget()
    assert (names[1], names[3]) == (names[2], names[4])
    assert len(set(names)) == 3


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
