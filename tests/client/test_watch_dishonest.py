"""`sealedmove watch` against servers with invalid data, and against the watcher's own knowledge."""

import json
import shutil
from email.message import EmailMessage

import pytest
from click.testing import CliRunner

from client.commands import compare, watch
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.signed import keys, note, server_keys
from tests.client.replay_server import KEY, URL, ReplayServer, forked, page_with, pig, watching
from tests.kit.games.bids import BidsOptions
from tests.kit.games.pig import PigOptions
from tests.kit.play_record import GAME_ID, OTHER_SEED, SERVER, SERVER_SEED, Record, rewrite


@pytest.fixture
def run(monkeypatch, tmp_path):
    return watching(monkeypatch, tmp_path)


# --- invalid data -----------------------------------------------------------------------------------------------------


def dishonest():
    """Answers of dishonest servers: the change of the page, and the code of the finding."""
    record = pig()
    lines = [line.decode() for line in record.lines]
    gap = [*lines[:3], *lines[4:6]]
    dated = rewrite(record.lines, lambda body: body | ({"at": "2026-11-21T10:00:30Z"} if body["seq"] == 5 else {}))
    jws = json.loads(lines[4])["jws"]
    unsigned = lines[4].replace(jws[-40:-10], jws[-40:-10].swapcase())
    die = rewrite(record.lines, lambda body: body | ({"events": []} if body["kind"] == "moved" else {}))
    yield "a line that is not an entry", {"entries": ["{}"]}, "bad-version"
    yield "an entry left out", {"entries": gap, "note": record.note(size=6)}, "wrong-seq"
    yield "another die", {"entries": [line.decode() for line in die]}, "wrong-events"
    yield "a time that goes back", {"entries": [line.decode() for line in dated]}, "time-goes-back"
    yield "a move that nobody signed", {"entries": [*lines[:4], unsigned]}, "bad-signature"
    yield "the note of another log", {"note": forked(record, len(lines))}, "fork"
    yield "a note by another key", {"note": forked(record, 3, OTHER_SEED)}, "unsigned-note"
    yield "a note in another form", {"note": "I promise"}, "bad-note"
    yield "a note on more than is shown", {"entries": lines[:0], "note": record.note()}, "nothing-known"
    yield "another game", {"entries": [lines[0].replace(GAME_ID[-4:], "0002")]}, "other-game"
    yield "another server", {"entries": [lines[0].replace("games.example", "rogue.example")]}, "other-game"
    yield "no beginning", {"entries": lines[3:]}, "no-beginning"


@pytest.mark.parametrize(("members", "code"), [one[1:] for one in dishonest()], ids=[one[0] for one in dishonest()])
def test_invalid_data_ends_the_watch(run, tmp_path, members, code):
    """Exit 1; the answer is kept beside the entries checked before."""
    shown = ReplayServer(pig(), grows=False)
    shown.between = page_with(**members)
    done = run(shown, "--once")
    assert done.exit_code == 1, done.output
    assert f"FAILS: {code}" in done.stdout
    folder = tmp_path / f"evidence-{GAME_ID}-1"
    assert f"The evidence is in {folder.name}\n" in done.stdout
    (kept,) = [json.loads(path.read_bytes()) for path in (folder / "evidence").iterdir()]
    assert kept["entries"][: len(members.get("entries", ()))] == members.get("entries", [])
    assert kept["note"] == members.get("note", shown.record.note())
    assert json.loads((folder / "distrust").read_bytes())["code"] == code


@pytest.mark.parametrize("members", [{"entries": [7]}, {"entries": None}, {"note": None}])
def test_an_answer_that_is_not_a_page_of_a_log_judges_nothing(run, members):
    """It did not come from the server; with --once nothing is judged."""
    shown = ReplayServer(pig(), grows=False)
    shown.between = page_with(**members)
    done = run(shown, "--once")
    assert done.exit_code == 2
    assert "the answer is not a page of a log" in done.stdout


def test_evidence_outlives_the_process(run, tmp_path):
    """It is in the copy, which is not continued, even if the server is honest now."""
    shown, copy = ReplayServer(pig(), grows=False), tmp_path / "copy"
    shown.between = page_with(note=forked(shown.record, 4))
    assert run(shown, "--once", "--keep", copy).exit_code == 1
    assert list((copy / GAME_ID / "evidence").iterdir())
    done = run(ReplayServer(pig()), "--once", "--keep", copy)
    assert done.exit_code == 1
    assert "FAILS: fork" in done.stdout
    assert f"The evidence is in {copy / GAME_ID}\n" in done.stdout


def test_a_past_rewritten_during_the_watch_is_a_fork(run, tmp_path):
    """The next entry names another one before it; `compare` finds the fork in the kept log."""
    record = pig()
    other = Record("pig", seed=2, options=PigOptions(goal=8)).play(1)
    other.now += 1
    other.play()
    shown = ReplayServer(record, 3)

    def switch(what, content):
        if shown.size == 7 and shown.record is record:
            shown.record = other
        return content

    shown.between = switch
    copy = tmp_path / "copy"
    done = run(shown, "--keep", copy)
    assert done.exit_code == 1
    assert "broken-chain" in done.stdout
    proven = CliRunner().invoke(compare.main, [str(copy / GAME_ID), "--server-key", KEY])
    assert proven.exit_code == 1
    assert "the server has shown two histories" in proven.stdout


def test_a_bundle_of_another_log_fails(run, tmp_path):
    """The log was good during the watch; the public bundle is another one."""
    shown = ReplayServer(pig())
    other = pig()
    other.lines = rewrite(other.lines, lambda body: body | ({"at": "2026-11-21T10:59:59Z"} if body["seq"] > 5 else {}))
    shown.bundle = other.bundle
    done = run(shown, "--once")
    assert done.exit_code == 1
    assert "FAILS: rewritten: entry " in done.stdout
    assert (tmp_path / f"evidence-{GAME_ID}-1" / "bundle.txt").read_bytes() == other.bundle()


def test_a_bundle_that_fails_the_audit_fails_the_watch(run, tmp_path):
    """In a hidden game only the end shows the cards."""
    record = Record("bids", seed=2, options=BidsOptions(lots=2)).play()
    shown = ReplayServer(record)
    shown.bundle = lambda: record.bundle().replace(canonical.dumps(record.openings[1]) + b"\n", b"")
    done = run(shown, "--once")
    assert done.exit_code == 1
    assert "FAIL seals" in done.stdout
    assert "the bundle does not hold" in done.stdout
    assert (tmp_path / f"evidence-{GAME_ID}-1" / "bundle.txt").read_bytes() == shown.bundle()


def test_an_unreadable_outcome_does_not_crash_the_watch(run):
    """Of a hidden game it is judged only in the bundle."""
    record = Record("bids", seed=2, options=BidsOptions(lots=2)).play()
    strange = {"places": [[63]], "points": [["x", [1]], ["y", []]], "out": [], "reason": "nonsense", "won": True}
    lines = rewrite(record.lines, lambda body: body | ({"outcome": strange} if "outcome" in body else {}))
    record.lines = lines
    done = run(ReplayServer(record), "--once")
    assert done.exit_code == 1
    assert "The end, according to the server: nonsense." in done.stdout


def restored(shown, sizes):
    """The server shows this many entries, one number for each look."""
    left = iter(sizes)

    def between(what, content):
        if what != "log":
            return content
        shown.size = next(left, len(shown.record.lines))
        return shown.page({"after": shown.asked[-1][1]["after"]})

    shown.grows, shown.between = False, between
    return shown


def test_a_watcher_submits_missing_entries(run):
    """To a server restored from a backup, and the game goes on."""
    shown = restored(ReplayServer(pig(), 6), [6, 4])
    done = run(shown)
    assert done.exit_code == 0, done.output
    assert shown.posted[-2:] == ["compare", "missing"]


def test_a_server_that_lacks_a_text_is_waited_for(run):
    """Only its player has the text of a sealed move: this is reported, and not a failure."""
    record = Record("bids", seats=3, seed=2, options=BidsOptions(lots=2)).play()
    shown = restored(ReplayServer(record, 8), [8, 6, 6, 6, 6, 8])
    shown.takes = False
    done = run(shown)
    assert done.exit_code == 0, done.output
    assert done.stdout.count("the server has lost entries from 6 on") == 1
    assert done.stdout.count("the server has its entries again") == 1


def test_a_server_that_withholds_signed_entries_fails(run, tmp_path):
    """It lacks nothing that would excuse it."""
    shown = restored(ReplayServer(pig(), 6), [6, 4, 4, 4, 4])
    shown.takes = False
    done = run(shown)
    assert done.exit_code == 1
    assert "FAILS: shortened-log" in done.stdout


def test_a_server_that_goes_on_without_lost_entries_is_a_fork(run):
    """The checkpoint of the new entry 4 contradicts the log that was shown."""
    record = pig()
    other = Record("pig", seed=2, options=PigOptions(goal=8)).play(1)
    other.now += 1
    other.play()
    shown = ReplayServer(record, 6, grows=False)
    answers = iter([None, (record, 4), (other, 6)])

    def restored(what, content):
        now = next(answers, None)
        if now:
            shown.record, shown.size = now
        return shown.page({"after": shown.asked[-1][1]["after"]})

    shown.between = restored
    done = run(shown)
    assert done.exit_code == 1
    assert "FAILS: fork" in done.stdout


# --- the watcher's knowledge ------------------------------------------------------------------------------------------


def test_entry_0_must_name_the_known_server_key(run, tmp_path):
    """Or a key of the known document."""
    made = server_keys.document(SERVER, [SERVER_SEED], [None], spec="", software="", contact=None)
    (tmp_path / "ours.json").write_text(json.dumps(made))
    other = canonical.to_base64url(keys.public_of(OTHER_SEED))
    assert run(ReplayServer(pig()), "--once", "--server", "ours.json").exit_code == 0
    assert run(ReplayServer(pig()), "--once", "--server-key", KEY).exit_code == 0
    done = run(ReplayServer(pig()), "--once", "--server-key", other)
    assert done.exit_code == 1
    assert "FAILS: other-server-key" in done.stdout


def kept(path, text):
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "games@games.example", "Your move"
    mail.set_content(text, cte="base64")
    path.write_bytes(mail.as_bytes())
    return path


def test_a_kept_note_must_be_continued(run, tmp_path):
    """From a mail; another history, or fewer entries than it counts, fail."""
    record = pig()
    good = kept(tmp_path / "good.eml", record.note(size=4))
    assert run(ReplayServer(record), "--once", "--note", good).exit_code == 0
    done = run(ReplayServer(record), "--once", "--note", kept(tmp_path / "fork.eml", forked(record, 4)))
    assert done.exit_code == 1
    assert "FAILS: fork" in done.stdout
    done = run(
        ReplayServer(record, 4, grows=False), "--once", "--note", kept(tmp_path / "cut.eml", record.note(size=6))
    )
    assert done.exit_code == 1
    assert "FAILS: cut: your checkpoint counts 6 entries, but the server shows 4" in done.stdout


def test_a_kept_note_by_another_key_fails(run, tmp_path):
    """It was not signed by this game's server."""
    done = run(ReplayServer(pig()), "--once", "--note", kept(tmp_path / "a.eml", forked(pig(), 4, OTHER_SEED)))
    assert done.exit_code == 1
    assert "FAILS: unsigned-note: your checkpoint" in done.stdout


def test_a_note_of_another_game_is_the_wrong_file(run, tmp_path):
    """Exit 2, as for a mail without a checkpoint, before any request."""
    other = note.write(SERVER, "0193f3c2-0000-7000-8000-000000000002", 4, b"\7" * 32, SERVER_SEED)
    for text in (other, "hello"):
        shown = ReplayServer(pig())
        done = run(shown, "--once", "--note", kept(tmp_path / "a.eml", text))
        assert done.exit_code == 2
        assert "a.eml: " in done.stderr
        assert not shown.asked


def test_impossible_times_are_warnings(run):
    """Not verdicts: clocks of honest people are wrong too."""
    shown = ReplayServer(pig(2), grows=False)
    shown.time = lambda: 0
    done = run(shown, "--once")
    assert done.exit_code == 0
    assert (
        "       ! entry 0 is dated 2026-11-21T10:00:00Z, but by this clock it is only 1970-01-01T00:00:00Z"
        in done.stdout
    )


def test_an_entry_dated_before_a_look_without_it_is_reported(run):
    """The server held it back, or backdated it."""
    shown = ReplayServer(pig(), 5)
    shown.time = lambda: ReplayServer.time(shown) + 3600
    done = run(shown)
    assert done.exit_code == 0
    assert "it did not exist yet" in done.stdout


def test_later_pages_do_not_count_as_late(run):
    """If a log has pages, the second is not late."""
    shown = ReplayServer(pig(), grows=False)
    shown.limit, shown.time = 3, lambda: ReplayServer.time(shown) + 3600
    assert "by this clock" not in run(shown, "--once").stdout


@pytest.mark.parametrize(("version", "code"), [(b'"v":2', 2), (b'"v":1', 0)])
def test_a_later_version_is_not_judged(run, version, code):
    """Exit 2, as in the audit."""
    shown = ReplayServer(pig(2), grows=False)
    shown.between = lambda what, content: content.replace(b'\\"v\\":1', version.replace(b'"', b'\\"'))
    assert run(shown, "--once").exit_code == code


@pytest.mark.parametrize("given", [("games.example", GAME_ID), ("ftp://x", GAME_ID), (URL, "../x"), (URL, "1")])
def test_invalid_arguments_exit_with_2(given):
    """Before any request."""
    assert CliRunner().invoke(watch.main, list(given)).exit_code == 2


def test_the_first_server_key_is_pinned(run, tmp_path):
    """With a folder for several games: a game under another key of the server is refused."""
    copy = tmp_path / "copy"
    assert run(ReplayServer(pig()), "--once", "--keep", copy).exit_code == 0
    shutil.rmtree(copy / GAME_ID)
    line = (
        pig(0, start=False).lines[0].replace(KEY.encode(), canonical.to_base64url(keys.public_of(OTHER_SEED)).encode())
    )
    text = note.write(SERVER, GAME_ID, 1, leaf(line), OTHER_SEED)
    shown = ReplayServer(pig(), grows=False)
    shown.between = page_with(entries=[line.decode()], note=text)
    assert run(shown, "--once").stdout.startswith("    0  ")
    done = run(shown, "--once", "--keep", copy)
    assert done.exit_code == 1
    assert "FAILS: other-server-key" in done.stdout
