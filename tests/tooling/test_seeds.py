"""Random values of tests come from one seed, which a failure prints."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.patience import PATIENCE

ROOT = Path(__file__).parents[2]
ALONE = os.environ | {"PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # plugins take a second to import
DRAWS = """
import os, random, secrets, uuid
import pytest
from nacl.signing import SigningKey

@pytest.fixture(scope="module")
def shared():
    return secrets.token_hex(4)

def test_first(shared):
    print("drawn", shared)

def test_it(shared):
    print("drawn", shared, secrets.token_hex(4), uuid.uuid4(), SigningKey.generate().encode().hex(), random.random())
    assert "told" == "every failure"
"""


@pytest.fixture
def run(tmp_path):
    """The output of pytest for a file with the plugin."""

    def run(text, *options):
        (tmp_path / "test_file.py").write_text(text)
        command = [sys.executable, "-m", "pytest", "-p", "tests.kit.seeds", "-p", "no:cacheprovider", "-rs"]
        command += ["--rootdir", tmp_path, tmp_path / "test_file.py", *options]
        return subprocess.run(command, cwd=ROOT, env=ALONE, capture_output=True, text=True, timeout=PATIENCE).stdout

    return run


def drawn(said):
    return [line for line in said.splitlines() if line.startswith("drawn ")]


def test_the_same_seed_draws_the_same_values(run):
    """By `secrets`, `uuid`, PyNaCl and `random`; another seed draws others, and the header names it."""
    usual, again, other = run(DRAWS), run(DRAWS, "--seed", "1"), run(DRAWS, "--seed", "2")
    assert len(drawn(usual)) == 1
    assert drawn(usual) == drawn(again) != drawn(other)
    assert ("seed: 1 (--seed)" in usual, "seed: 2 (--seed)" in other) == (True, True)


def test_a_test_draws_the_same_alone_and_after_others(run):
    """Shared fixtures included."""
    assert drawn(run(DRAWS)) == drawn(run(DRAWS, "-k", "test_it"))


def test_a_failure_prints_how_to_repeat_it(run):
    """Even among many seeds: its seed alone draws the same."""
    many = run(DRAWS, "--seeds", "3", "--seed", "5", "-k", "test_it")
    assert [line for line in many.splitlines() if line.startswith("--seed ")] == [
        f"--seed {seed} 'test_file.py::test_it'" for seed in (5, 6, 7)
    ]
    alone = run(DRAWS, "--seed", "6", "-k", "test_it")
    assert drawn(alone)[0].split()[3:] == drawn(many)[1].split()[3:]


def test_a_test_that_draws_nothing_runs_once(run):
    """With the first of many seeds."""
    text = "import random\n\ndef test_idle():\n    pass\n\ndef test_draws():\n    random.random()\n"
    assert "5 passed, 3 skipped" in run(text, "--seeds", "4")


def test_files_are_shuffled_by_the_seed(tmp_path):
    """The same seed gives the same order, and the order within a file stays."""
    for letter in "abcdefgh":
        (tmp_path / f"test_{letter}.py").write_text("def test_2(): ...\ndef test_1(): ...\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.kit.seeds",
        "-p",
        "no:cacheprovider",
        "--co",
        "-q",
        "--shuffle",
    ]

    def order(seed):
        given = [*command, "--rootdir", tmp_path, tmp_path, "--seed", seed]
        done = subprocess.run(given, cwd=ROOT, env=ALONE, capture_output=True, text=True, timeout=PATIENCE)
        return [line.partition("::")[::2] for line in done.stdout.splitlines() if "::" in line]

    one = order("1")
    assert one == order("1") != order("2")
    assert one != sorted(one)
    assert [test for _, test in one] == ["test_2", "test_1"] * 8


def test_a_forked_process_draws_from_the_system(run):
    """So it does not draw the next values of its test."""
    text = """
import os, secrets

def test_it():
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, secrets.token_bytes(8))
        os._exit(0)
    os.wait()
    assert os.read(read, 8) != secrets.token_bytes(8)
"""
    assert "1 passed" in run(text)
