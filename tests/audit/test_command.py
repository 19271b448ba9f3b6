"""`sealedmove audit FILE`: reads one file, prints one report, and exits with its verdict."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from client.commands.audit import main
from engine.record import base64url, keys
from tests.kit.play_record import OTHER_SEED, SERVER_SEED, Record


@pytest.fixture(scope="module")
def record():
    return Record("pig", seed=2).play(3)


@pytest.fixture
def run(tmp_path, record):
    (tmp_path / "game.txt").write_bytes(record.bundle())
    (tmp_path / "kept.txt").write_text(record.note(size=4), encoding="utf-8")

    def run(*options, file="game.txt"):
        return CliRunner().invoke(main, [str(tmp_path / file), *options])

    return run


def test_a_good_file_exits_with_0(run):
    """A line a check, then what nobody can know."""
    done = run()
    assert done.exit_code == 0
    assert done.output.startswith("holds: a running game\n  ok   chain")
    assert "No audit can know:\n- whose the keys are" in done.output


def test_json_is_one_object(run):
    """For programs."""
    done = run("--json")
    assert json.loads(done.output)["verdict"] == "holds"


def test_a_broken_file_exits_with_1(run, tmp_path, record):
    """And says where."""
    (tmp_path / "game.txt").write_bytes(record.bundle().replace(record.lines[3] + b"\n", b""))
    done = run()
    assert done.exit_code == 1
    assert "FAIL chain" in done.output
    assert "at entry" in done.output


def test_what_is_no_bundle_exits_with_2(run, tmp_path):
    """One sentence."""
    (tmp_path / "game.txt").write_bytes(b"\x1f\x8b" + bytes(10_000))
    done = run()
    assert (done.exit_code, done.output) == (2, "cannot judge: this file is not a bundle of Sealed Move\n")


def test_a_file_that_cannot_be_read_exits_with_2(run):
    """Nothing was judged."""
    for file in ("none.txt", "."):
        assert run(file=file).exit_code == 2


def test_keys_and_notes_that_the_caller_knows_are_compared(run, tmp_path, record):
    """Each alone turns the verdict."""
    kid = record.table.occupants[0].kid
    key = base64url.encode(keys.public_of(SERVER_SEED))
    other = base64url.encode(keys.public_of(OTHER_SEED))
    kept = str(tmp_path / "kept.txt")
    assert run("--server-key", key, "--key", f"0={kid}", "--note", kept).exit_code == 0
    assert run("--server-key", other).exit_code == 1
    assert run("--key", f"1={kid}").exit_code == 1


@pytest.mark.parametrize("options", [("--server-key", "abc"), ("--key", "0"), ("--key", "x=y"), ("--key", "0=abc")])
def test_options_that_are_none_exit_with_2(run, options):
    """Before anything is read."""
    assert run(*options).exit_code == 2


def test_it_needs_the_engine_alone():
    """Years later there may be no Flask and no database: nothing of the server is imported."""
    code = (
        "import sys, client.commands.audit; print([m for m in ('flask', 'sqlalchemy', 'server') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
