"""`sealedmove audit FILE`: reads one file, prints one report, and exits with its verdict."""

import json
import resource
import subprocess
import sys
from email.message import EmailMessage

import pytest
from click.testing import CliRunner

from client.commands.audit import main
from engine.record.encoding import canonical
from engine.record.signed import keys, server_keys
from tests.kit.play_record import OTHER_SEED, SERVER, SERVER_SEED, Record


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
    """The report has a line for each check, then the limitations."""
    done = run()
    assert done.exit_code == 0
    assert done.output.startswith("holds: a running game, under a key that was compared with nothing\n  ok   chain")
    assert "No audit can know:\n- the people behind these keys" in done.output


def test_json_is_one_object(run):
    """For programs."""
    done = run("--json")
    assert json.loads(done.output)["verdict"] == "holds"


def test_a_broken_file_exits_with_1(run, tmp_path, record):
    """The report names the entry."""
    (tmp_path / "game.txt").write_bytes(record.bundle().replace(record.lines[3] + b"\n", b""))
    done = run()
    assert done.exit_code == 1
    assert "FAIL chain" in done.output
    assert "at entry" in done.output


def test_a_file_that_is_not_a_bundle_exits_with_2(run, tmp_path):
    """One sentence."""
    (tmp_path / "game.txt").write_bytes(b"\x1f\x8b" + bytes(10_000))
    done = run()
    assert (done.exit_code, done.output) == (2, "cannot judge: this file is not a Sealed Move bundle\n")


def test_a_file_that_cannot_be_read_exits_with_2(run):
    """Nothing was judged."""
    assert run(file="none.txt").exit_code == 2


def test_keys_and_notes_that_the_caller_knows_are_compared(run, tmp_path, record):
    """Each alone can change the verdict."""
    kid = record.table.occupants[0].kid
    key = canonical.to_base64url(keys.public_of(SERVER_SEED))
    other = canonical.to_base64url(keys.public_of(OTHER_SEED))
    kept = str(tmp_path / "kept.txt")
    assert run("--server-key", key, "--key", f"1={kid}", "--note", kept).exit_code == 0
    assert run("--server-key", other).exit_code == 1
    assert run("--key", f"2={kid}").exit_code == 1


def document(*seeds):
    made = server_keys.document(SERVER, seeds, [None] * len(seeds), spec="", software="", contact=None)
    return json.dumps(made)


def test_a_server_s_document_is_compared(run, tmp_path):
    """The key must be one that the document lists, not the last one."""
    (tmp_path / "ours.json").write_text(document(SERVER_SEED, OTHER_SEED))
    (tmp_path / "theirs.json").write_text(document(OTHER_SEED))
    held = run("--server", str(tmp_path / "ours.json"))
    assert held.exit_code == 0
    assert "is the key of" not in held.output
    failed = run("--server", str(tmp_path / "theirs.json"))
    assert failed.exit_code == 1
    assert "a server key that is not among those given" in failed.output


@pytest.mark.parametrize("text", ["", "{", "[]", '{"server": "games.example", "keys": []}', "[" * 100_000])
def test_an_invalid_document_exits_with_2(run, tmp_path, text):
    """The error names the file."""
    (tmp_path / "server.json").write_text(text)
    done = run("--server", str(tmp_path / "server.json"))
    assert done.exit_code == 2
    assert "server.json: " in done.stderr
    assert not done.stdout


def test_the_document_and_the_key_are_not_given_together(run, tmp_path):
    """The two could contradict each other."""
    (tmp_path / "ours.json").write_text(document(SERVER_SEED))
    key = canonical.to_base64url(keys.public_of(SERVER_SEED))
    assert run("--server", str(tmp_path / "ours.json"), "--server-key", key).exit_code == 2


def mailed(text, **given):
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "games@games.example", "Your move"
    mail.set_content(f"Ada has moved.\n\n{text}", **given)
    return mail.as_bytes()


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64", "8bit"])
def test_a_kept_mail_is_a_kept_note(run, tmp_path, record, encoding):
    """As the mail program saved it."""
    kept = tmp_path / "turn.eml"
    kept.write_bytes(mailed(record.note(size=4), cte=encoding))
    assert run("--note", str(kept)).exit_code == 0
    other = Record("pig", seed=3).play(3)
    kept.write_bytes(mailed(other.note(size=4), cte=encoding))
    done = run("--note", str(kept))
    assert done.exit_code == 1
    assert "the log was rewritten" in done.output


def test_a_mail_without_a_note_judges_nothing(run, tmp_path):
    """The mail is the wrong one; the game has not failed."""
    (tmp_path / "turn.eml").write_bytes(mailed("See you!"))
    done = run("--note", str(tmp_path / "turn.eml"))
    assert done.exit_code == 2
    assert done.output == "cannot judge: the text given as a checkpoint has no readable checkpoint of this game\n"


def test_a_hidden_game_that_runs_exits_with_3(run, tmp_path):
    """Nothing fails, and some parts cannot be seen yet."""
    (tmp_path / "game.txt").write_bytes(Record("bids", seed=2).play(1).bundle())
    done = run()
    assert done.exit_code == 3
    assert done.output.startswith("open: a running game")


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))


@pytest.mark.parametrize("begins", [b"", b"sealedmove bundle 1\n"])
@pytest.mark.parametrize("goes_on", [b"\n", b"\0", b"a\n", b"["])
def test_a_huge_file_is_answered_in_bounded_memory(tmp_path, begins, goes_on):
    """200 MB of any content, by an auditor limited to one gigabyte including Python itself."""
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.write(begins)
        for _ in range(200):
            file.write(goes_on * (2**20 // len(goes_on)))
    done = subprocess.run(
        [sys.executable, "-m", "sealedmove", "audit", path], preexec_fn=limited, capture_output=True, text=True
    )
    path.unlink()
    assert done.returncode == 2
    assert done.stdout.startswith("cannot judge: ")


def test_an_endless_file_is_answered(run):
    """It is read only until it cannot be a bundle any more."""
    assert run(file="/dev/zero").exit_code == 2


SEAT_0 = ("--key", "0=" + "A" * 43)  # the first seat is 1


@pytest.mark.parametrize(
    "options", [("--server-key", "abc"), ("--key", "1"), ("--key", "x=y"), ("--key", "1=abc"), SEAT_0]
)
def test_invalid_options_exit_with_2(run, options):
    """They are refused before anything is read."""
    assert run(*options).exit_code == 2


def test_it_needs_the_engine_alone():
    """Years later there may be no Flask and no database: nothing of the server is imported."""
    code = (
        "import sys, client.commands.audit; print([m for m in ('flask', 'sqlalchemy', 'server') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
