"""Reports of a run of the tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.kit.patience import PATIENCE, until
from tests.running import closing, left_out, memory, times

ROOT = Path(__file__).parents[2]
TESTS = """
import pytest

def test_plain(): pass

@pytest.mark.slow
@pytest.mark.browser
def test_slow(): pass

@pytest.mark.parametrize("at", [1, pytest.param(2, marks=[pytest.mark.long, pytest.mark.postgresql])])
def test_again(at): pass
"""


def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Pytest, as `make` starts it."""
    command = [sys.executable, "-m", "pytest", *words]
    return subprocess.run(command, cwd=ROOT, env=os.environ | more, capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture
def folder():
    """Of tests of a run that a test starts; removed again."""
    made = ROOT / "tests" / "tooling" / f".made_{os.getpid()}"
    made.mkdir()
    yield made
    shutil.rmtree(made)


STARTS = """
import os, pathlib, subprocess, tempfile, time
import psutil, pytest
from tests.e2e.instance import Instance
from tests.kit.patience import until
from tests.running import MARK

def watching():  # the process that ends what the run leaves, found by the run's mark
    mark = os.environ[MARK].split()[-1]
    return next(one for one in psutil.process_iter(["cmdline"]) if mark in (one.info["cmdline"] or ()))

def looked_twice():  # it sleeps between two looks, and each sleep is a switch
    watch = watching()
    before = watch.num_ctx_switches().voluntary
    until(lambda: watch.num_ctx_switches().voluntary > before + 2)

@pytest.mark.timeout(1000)
@pytest.mark.parametrize("number", range(2))
def test_starts(number, redis_server_url, postgres_cluster_url, tmp_path):
    subprocess.Popen(["sh", "-c", "sleep 1000 & sleep 1000"], env={"PATH": os.environ["PATH"]}, start_new_session=True)
    HOUSE
    looked_twice()
    pathlib.Path(__file__).with_name(f"up{number}").write_text(tempfile.mkdtemp())
    time.sleep(1000)
"""


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("processes", "whole", "number"),
    [("0", False, "INT"), ("2", True, "INT"), ("2", False, "TERM"), ("2", True, "KILL")],
)
def test_nothing_outlives_an_interrupted_run(folder, processes, whole, number):
    """Servers, a daemon, a session with a child, a whole server, and files in memory: gone, after Ctrl-C, SIGTERM or
    SIGKILL.

    The whole group of the run gets the signal, as from a terminal, or only the process that was started.
    """
    house = "Instance(tmp_path / 'house').start()" if whole else ""
    (folder / "test_made.py").write_text(STARTS.replace("HOUSE", house))
    words = [sys.executable, "-m", "pytest", str(folder), "-n", processes, "-p", "no:cacheprovider"]
    environment = {name: value for name, value in os.environ.items() if name != "TMPDIR"} | {"MADE_FOR": folder.name}
    with (folder / "said.txt").open("wb") as said:
        run = subprocess.Popen(words, cwd=ROOT, env=environment, stdout=said, stderr=said, start_new_session=True)
    try:
        up = [folder / f"up{at}" for at in range(min(2, max(1, int(processes))))]
        wait_for(up, run, folder / "said.txt")
        kept = [Path(path.read_text()) for path in up if memory.has_room()]
        assert all(path.is_dir() and path.is_relative_to(memory.MEMORY) for path in kept)
        ours = started_by(run, folder.name)
        assert {"postgres", "sleep"} <= set(ours.values()), ours
        (os.killpg if whole else os.kill)(run.pid, getattr(signal, f"SIG{number}"))
        run.wait(PATIENCE)
        left = psutil.wait_procs(ours, timeout=PATIENCE)[1]
        assert [ours[process] for process in left] == []
        until(lambda: not any(path.parent.exists() for path in kept), "files in memory outlive the run")
    finally:
        run.kill()
        run.wait()


def started_by(run, word) -> dict[psutil.Process, str]:
    """The names of its descendants, and of processes with this word in their environment."""
    below, found = set(psutil.Process(run.pid).children(recursive=True)), {}
    for process in (*below, *psutil.process_iter()):
        with suppress(psutil.Error):
            if process in below or (process.pid != run.pid and process.environ().get("MADE_FOR") == word):
                found[process] = process.name()
    return found


def wait_for(paths, run, said) -> None:
    while not all(path.exists() for path in paths):
        assert run.poll() is None, said.read_text()
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_run_reports_what_it_left_out(folder, processes):
    """By marker, with the command for the rest; in one process and in several. A complete run reports nothing."""
    (folder / "test_made.py").write_text(TESTS)
    words = (str(folder), "-n", processes, "-p", "no:cacheprovider")
    said = run(*words, "-m", "not slow and not long").stdout
    assert "LEFT OUT: 2 tests (1 slow and 1 long; among them 1 postgresql, 1 browser). `make test-rest` runs" in said
    assert "2 passed" in said.splitlines()[-1]
    whole = run(*words, "--times").stdout
    assert "LEFT OUT" not in whole
    assert "4 passed" in whole.splitlines()[-1]
    assert "4 tests  tests/tooling" in whole


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_missing_browser_is_reported_in_one_sentence(processes):
    """No test runs: the person who named it wants the tests of the pages."""
    ended = run("tests/tooling/test_running.py", "-n", processes, CHROMIUM="/nonexistent")
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    said = [line for line in (ended.stdout + ended.stderr).splitlines() if line]
    assert said == ["ERROR: CHROMIUM names /nonexistent, which is not a program that can be started"]


def test_tests_left_out_are_counted_by_marker():
    counts = left_out.counted([{"slow"}, {"long", "postgresql"}, {"long"}])
    assert counts == {"all": 3, "slow": 1, "long": 2, "postgresql": 1}
    assert left_out.sentence(counts).startswith("LEFT OUT: 3 tests (1 slow and 2 long; among them 1 postgresql).")


def test_the_slowest_come_first():
    seconds = Counter({"tests/a/test_x.py::test_1": 1.0, "tests/a/test_x.py::test_2": 2.0, "tests/b/y.py::test": 2.5})
    assert [line.split()[-1] for line in times.by_folder(seconds)] == ["tests/a", "tests/b"]
    assert [line.split()[0] for line in times.slowest(seconds)] == ["2.5", "2.0", "1.0"]


def test_one_line_closes_several_runs(tmp_path, capsys):
    """It adds up their counts, under the seconds of each; a failure in one is a failure of all."""
    first, second, none = tmp_path / "new" / "1.json", tmp_path / "2.json", tmp_path / "3.json"
    closing.write(first, {"passed": [1] * 900, "skipped": [1], "": [1] * 2000}, 99.5)
    assert closing.main([str(first), str(first)]) == 0
    assert "= 1800 passed, 2 skipped in 199.00s (0:03:19) =" in capsys.readouterr().out
    closing.write(second, {"failed": [1], "error": [1, 1], "passed": [1]}, 0.5)
    assert closing.main([str(first), str(second)]) == 1
    seconds, line = capsys.readouterr().out.splitlines()
    assert seconds == "1: 100 s; 2: 0 s"
    assert "= 1 failed, 901 passed, 1 skipped, 2 errors in 100.00s (0:01:40) =" in line
    assert closing.main([str(first), str(none)]) == 1
    assert "was broken off" in capsys.readouterr().out
