"""Hostile or wrong submissions of missing entries are refused and do not change the log."""

import json

import pytest
import sqlalchemy as sa

from engine.errors import EngineFault
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.log.entry import read_entry
from engine.record.signed import note
from server.kernel import metrics, secrets
from server.kernel.db.models import Game, HandedText
from server.operate.stopped_games import resume
from tests.server.harness import BY, HOST, MASTER, Harness
from tests.server.lost import CLOCK, Backup, Lost, lost
from tests.server.test_compare import logged, relation, rows
from tests.server.test_missing import stored, taken

SEED = secrets.server_seed(MASTER, 1)


@pytest.fixture
def game(hall: Harness, tmp_path) -> Lost:
    """An open game whose last moves are lost, and which is stopped."""
    made = lost(hall, tmp_path)
    made.compare()
    return made


def refused(game: Lost, answer) -> tuple[int, str]:
    """The refusal, after checking that log, clocks, seats and outbox are unchanged."""
    assert game.now() == game.lines[: game.size]
    assert game.detail()["stopped"] is True
    with game.hall.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(HandedText)) == 0
    return answer.status_code, answer.get_json()["code"]


def note_on(game: Lost, lines: list[str], seed: bytes = SEED) -> str:
    """The checkpoint that the server, or somebody else, would sign for a log that ends with these lines."""
    return note.write(HOST, game.game, json.loads(lines[-1])["seq"] + 1, leaf(lines[-1].encode()), seed)


def chained(game: Lost, *bodies: dict) -> list[str]:
    """Lines that follow the log, valid but for a signature of the server."""
    last = read_entry(game.lines[game.size - 1].encode())
    made: list[bytes] = []
    for number, body in enumerate(bodies):
        prev = leaf(made[-1]) if made else last.hash
        first = {
            "v": 1,
            "game": game.game,
            "seq": game.size + number,
            "prev": canonical.to_base64url(prev),
            "at": last.at,
        }
        made.append(canonical.dumps(first | body))
    return [line.decode() for line in made]


# --- the note ---------------------------------------------------------------------------------------------------------


def test_entries_without_a_good_note_at_their_end_are_refused(game: Lost):
    """No checkpoint, or one of another key, game, size or end."""
    other = game.hall.game("pig", game.players)
    lines = game.lines[game.size :]
    notes = [
        "no note",
        note_on(game, lines, seed=b"\x05" * 32),
        note_on(game, lines, seed=secrets.server_seed(MASTER, 2)),
        note.write(HOST, other, len(game.lines), leaf(lines[-1].encode()), SEED),
        note.write("other.example", game.game, len(game.lines), leaf(lines[-1].encode()), SEED),
        game.note_on(len(game.lines) - 1),
        game.note_on(game.size),
        note.write(HOST, game.game, len(game.lines), bytes(32), SEED),
    ]
    for text in notes:
        assert refused(game, game.post(lines, text)) == (422, "unproven-lines")


def test_made_up_entries_prove_nothing(game: Lost):
    """Chained correctly, by somebody who does not have the server's key."""
    body = {"kind": "cancelled", "reason": "operator", "secret": None}
    lines = chained(game, body)
    assert refused(game, game.post(lines, note_on(game, lines, seed=b"\x05" * 32))) == (422, "unproven-lines")
    assert refused(game, game.post(lines, game.note)) == (422, "unproven-lines")


# --- the lines --------------------------------------------------------------------------------------------------------


def broken(game: Lost) -> dict[str, list[str]]:
    lines = game.lines[game.size :]
    theirs = game.hall.game("pig", game.players)
    other = game.hall.client.get(f"/v1/games/{theirs}/log").get_json()["entries"]
    return {
        "of another game": other,
        "the last of another game": [*lines[:-1], other[-1]],
        "one of another game": [*lines[:-2], other[-1], lines[-1]],
        "more before entry 0": [other[0], *game.lines],
        "a gap in them": [lines[0], *lines[2:]],
        "a gap before them": lines[1:],
        "in another order": [lines[1], lines[0], *lines[2:]],
        "one twice": [lines[0], *lines],
        "one changed": [lines[0].replace('"seq"', '"seat":0,"seq"', 1), *lines[1:]],
        "one dated otherwise, and good in itself": [lines[0].replace(":00Z", ":01Z", 1), *lines[1:]],
        "one spaced": [lines[0].replace(",", ", ", 1), *lines[1:]],
        "no entry": ["{}", *lines],
        "no JSON": ["x", *lines],
        "not ASCII": [lines[0].replace("moved", "m\u00f6ved"), *lines[1:]],
        "zero bytes": ["\0", *lines],
        "of a later version": [lines[0].replace('"v":1', '"v":2'), *lines[1:]],
        "deep": ["[" * 5000, *lines],
    }


@pytest.mark.slow
def test_entries_that_do_not_follow_each_other_are_refused(game: Lost):
    """Before any other check."""
    for what, lines in broken(game).items():
        code = "unproven-lines" if lines[-1] != game.lines[-1] else "broken-lines"
        assert refused(game, game.post(lines, game.note)) == (422, code), what


def test_no_entries_or_too_many_texts_are_refused(game: Lost):
    """An empty list, and invalid shapes."""
    for body in (
        {"entries": [], "note": game.note},
        {"entries": game.lines, "note": ""},
        {"entries": "x", "note": game.note},
        {"entries": game.lines, "note": game.note, "moves": [{"seq": -1, "text": "x"}]},
        {"entries": game.lines, "note": game.note, "moves": [{"seq": 1}]},
        {"entries": game.lines, "note": game.note, "more": 1},
    ):
        answer = game.hall.client.post(f"/v1/games/{game.game}/missing", json=body)
        assert refused(game, answer) == (422, "bad-fields")


@pytest.mark.parametrize("code", ["not-active", "not-due", "no-clock", "already-started", "wrong-secret"])
def test_a_signed_entry_that_breaks_the_rules_is_refused_and_reported(hall: Harness, tmp_path, caplog, code: str):
    """The server's key was abused, or its rules were broken: the checkpoint is good, and still nothing is taken."""
    game = lost(hall, tmp_path, clock=None if code == "no-clock" else CLOCK)
    seat = game.detail()["active"][0]
    made = {"events": [], "state": "A" * 43}
    other = game.players[1 - seat]
    signed = other.sign(other.payload(game.game, "move", commands=[{"do": "roll"}]))
    cases = {
        "not-active": {"kind": "moved", "seat": 1 - seat, "jws": signed, **made},
        "not-due": {"kind": "expired", "seat": seat, **made},
        "no-clock": {"kind": "granted", "seats": [seat], "seconds": 60, "why": "outage"},
        "already-started": {"kind": "left", "seat": 0, "jws": None},
        "wrong-secret": {"kind": "cancelled", "reason": "operator", "secret": "A" * 43},
    }
    lines = chained(game, cases[code])
    assert refused(game, game.post(lines, note_on(game, lines))) == (422, "line-refused")
    [said] = logged(caplog, "line-refused")
    assert (said["seq"], said["code"]) == (game.size, code)


def test_a_fault_of_the_rules_stops_the_game(game: Lost, monkeypatch):
    """Nothing is taken until it is fixed; then the game goes on when the operator continues it."""
    with monkeypatch.context() as broken_rules:

        def fault(*_given):
            raise EngineFault("engine-fault", error="planted")

        broken_rules.setattr("server.evidence.recover_entries.restore_entry", fault)
        assert refused(game, game.hand_in()) == (500, "engine-fault")
    with game.hall.services.database.read() as session:
        assert session.get_one(Game, game.game).faulted_at is not None
    assert taken(game.hand_in())[2] is True
    assert game.now() == game.lines
    resume(game.hall.services, BY, game.game)
    assert game.detail()["stopped"] is False


# --- two histories ----------------------------------------------------------------------------------------------------


def forked(hall: Harness, folder) -> Lost:
    """Somebody acted after the restore, before anybody had shown a checkpoint, so the log has another history."""
    made = lost(hall, folder)
    mover = made.players[made.detail()["active"][0]]
    hall.clock.forward(seconds=1)
    made.move(mover, [{"do": "roll"}])
    made.ours = made.now()
    return made


def test_entries_that_contradict_the_log_are_a_fork(any_hall: Harness, tmp_path, caplog):
    """Refused with the number of the first difference, reported once, stored as evidence; nothing changes."""
    game = forked(any_hall, tmp_path)
    assert relation(game.compare()) == ("newer", len(game.lines), True)
    before, count = stored(any_hall, game.game), metrics.FORKS._value.get()
    for _ in range(2):
        answer = game.hand_in(first=0)
        body = answer.get_json()
        assert (answer.status_code, body["code"], body["facts"]) == (409, "fork", {"size": game.size + 1})
    assert stored(any_hall, game.game) == before
    assert game.now() == game.ours
    assert metrics.FORKS._value.get() == count + 1
    assert rows(any_hall) == [(len(game.lines), "fork")]
    assert len(logged(caplog, "fork")) == 1
    assert game.detail()["stopped"] is True


def test_entries_that_follow_an_unknown_entry_are_a_fork(hall: Harness, tmp_path):
    """They hold none of our lines, and name another one before them."""
    game = forked(hall, tmp_path)
    assert game.hand_in(first=game.size + 1).get_json()["code"] == "fork"
    assert game.now() == game.ours


def test_a_shorter_contradicting_history_is_a_fork(hall: Harness, tmp_path):
    """Our log is longer, and the checkpoint of the lines is good but contradicts it; the game is not stopped."""
    game = forked(hall, tmp_path)
    assert game.hand_in(last=game.size).get_json()["code"] == "fork"
    assert game.now() == game.ours
    assert game.detail()["stopped"] is False


def test_entries_that_contradict_an_awaited_note_are_a_fork(hall: Harness, tmp_path):
    """Both are signed by the server; a submission does not decide which history counts."""
    game = lost(hall, tmp_path)
    between = note.write(HOST, game.game, game.size + 1, b"\x01" * 32, SEED)
    assert relation(game.compare(between))[0] == "newer"
    assert game.hand_in().get_json()["code"] == "fork"
    assert game.now() == game.lines[: game.size]


def test_entries_after_a_game_cancelled_here_are_refused(hall: Harness, two, tmp_path):
    """It was cancelled after the restore."""
    game = Lost(hall, two, two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"])
    backup = Backup(hall, tmp_path)
    game.size = 1
    two[0].join(game.game, 0)
    game.remember()
    backup.restore()
    two[0].post(f"/games/{game.game}/cancel")
    ours = game.now()
    no = game.hand_in(first=1).get_json()
    assert (no["code"], no["facts"]) == ("fork", {"size": len(ours)})
    assert game.now() == ours


def test_entries_after_the_end_of_a_game_are_refused_with_their_number(hall: Harness, two):
    """They hold all of our lines and one more, which only the server's key could sign for."""
    game = Lost(hall, two, two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"])
    two[0].post(f"/games/{game.game}/cancel")
    game.remember()
    ours = game.lines
    game.size = len(ours)
    lines = chained(game, {"kind": "left", "seat": 0, "jws": None})
    no = game.post(lines, note_on(game, lines)).get_json()
    assert (no["code"], no["facts"]) == ("fork", {"size": len(ours) + 1})
    assert game.now() == ours


@pytest.mark.slow
def test_entries_after_a_gap_are_refused(hall: Harness, tmp_path):
    """They may be good, but nothing proves what came between."""
    game = lost(hall, tmp_path)
    no = game.hand_in(first=game.size + 1).get_json()
    assert (no["code"], no["facts"]) == ("broken-lines", {"line": 0, "found": game.size + 1, "expected": game.size})
    assert game.now() == game.lines[: game.size]


# --- size -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_large_body_is_read_only_while_entries_are_missing(hall: Harness, tmp_path):
    """Before a checkpoint was shown it is too large; afterwards its lines are checked."""
    game = lost(hall, tmp_path)
    body = {"entries": ["x" * 2**18], "note": game.note}
    send = lambda: hall.client.post(f"/v1/games/{game.game}/missing", json=body)  # noqa: E731 - a line in a test
    assert (send().status_code, send().get_json()["code"]) == (413, "too-large")
    game.compare()
    assert send().get_json()["code"] == "unproven-lines"
    other = hall.game("pig", game.players)
    assert hall.client.post(f"/v1/games/{other}/missing", json=body).get_json()["code"] == "too-large"
    body["entries"] = ["x" * 2**20] * 33
    assert send().get_json()["code"] == "too-large"
    assert game.now() == game.lines[: game.size]
