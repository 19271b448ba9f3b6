"""A server's data is stored before it is checked, outlives the process, is limited, and is exported as one file."""

import json
import re
import zipfile

import pytest

from client import evidence, signing
from client.errors import DistrustError
from client.evidence import Evidence
from client.memory import Pending
from client.signing import ActPlace
from engine.record.audit import consistency
from engine.record.log.entry import read_entry
from engine.record.signed import note

from .fake_server import FakeServer
from .people import At, seated

TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]
NO = DistrustError("false", "it does not hold")


@pytest.fixture
def kept(tmp_path):
    return Evidence(tmp_path)


def judge(kept, what, verdict=None, **shown):
    with kept.judging(1000.0, what, **shown):
        if verdict is not None:
            raise verdict


def test_valid_data_is_not_kept(kept):
    """An honest server leaves nothing."""
    judge(kept, "log", entries=["{}"])
    assert kept.names() == []
    assert kept.distrust() is None


def test_invalid_data_is_kept_with_the_finding(kept, tmp_path):
    """Unchanged, with the local time; another process reads both."""
    with pytest.raises(DistrustError):
        judge(kept, "log", NO, entries=["{}"], note="n")
    again = Evidence(tmp_path)
    (name,) = again.names()
    assert again.read(name) == {"when": "1970-01-01T00:16:40Z", "what": "log", "entries": ["{}"], "note": "n"}
    assert (again.distrust().code, again.distrust().says) == ("false", "it does not hold")


def test_data_is_stored_before_it_is_checked(kept):
    """A check that crashes, or a power cut, leaves it on disk."""
    with pytest.raises(ZeroDivisionError):
        judge(kept, "log", ZeroDivisionError(), note="strange")
    assert kept.read(kept.names()[0])["note"] == "strange"
    assert kept.distrust() is None


def test_a_crash_while_checking_the_log_keeps_the_data(tmp_path, monkeypatch):
    """While a player reads the log; entries checked before stay unchanged."""
    house, players = seated(tmp_path)
    players[0].move(TURN)

    def crash(*_given):
        raise MemoryError

    monkeypatch.setattr("client.log.follow", crash)
    with pytest.raises(MemoryError):
        players[1].sync()
    assert players[1].evidence[-1]["entries"] == [house.lines[-1].decode()]
    assert (players[1].log.size, players[1].table.size) == (4, 4)
    monkeypatch.undo()
    players[1].sync()
    assert players[1].log.size == 5


def test_the_first_finding_stands(kept):
    """Later findings are added to it."""
    for code in ("first", "second"):
        with pytest.raises(DistrustError):
            judge(kept, "log", DistrustError(code, "so"))
    assert kept.distrust().code == "first"
    assert len(json.loads((kept.game / "distrust").read_bytes())["evidence"]) == 2


def test_only_a_person_clears_a_finding(kept):
    """The files stay."""
    with pytest.raises(DistrustError):
        judge(kept, "log", NO)
    kept.clear()
    kept.clear()
    assert kept.distrust() is None
    assert len(kept.names()) == 1


def test_evidence_is_limited_in_number_and_bytes(kept, monkeypatch):
    """The oldest is deleted first, but never that of an active finding."""
    monkeypatch.setattr(evidence, "MOST_BYTES", 50_000)
    with pytest.raises(DistrustError):
        judge(kept, "log", NO, note="the proof")
    for number in range(100):
        with pytest.raises(ZeroDivisionError):
            judge(kept, "log", ZeroDivisionError(), note=f"{number} " + "x" * 4000)
    shown = [kept.read(name)["note"] for name in kept.names()]
    assert "the proof" in shown
    assert any(text.startswith("99 ") for text in shown)
    assert sum((kept.folder / name).stat().st_size for name in kept.names()) < 55_000
    monkeypatch.undo()
    for _ in range(100):
        with pytest.raises(ZeroDivisionError):
            judge(kept, "log", ZeroDivisionError(), note="x")
    assert len(kept.names()) <= evidence.MOST_FILES
    assert "the proof" in [kept.read(name)["note"] for name in kept.names()]


def test_a_finding_of_another_process_stops_this_one(tmp_path):
    """They share the folder."""
    house, players = seated(tmp_path)
    with pytest.raises(DistrustError):
        judge(At(house, tmp_path, 0).memory.evidence, "view", NO)
    posted = len(house.posted)
    with pytest.raises(DistrustError):
        players[0].move(TURN)
    assert len(house.posted) == posted


@pytest.fixture
def forked(tmp_path):
    """A player of a hidden game who has found a fork, and the server that showed it."""
    house, players = seated(tmp_path, "bids")
    players[0].move([{"do": "bid", "amount": 3}])
    house.falsify(at="2026-11-21T10:00:01Z")
    with pytest.raises(DistrustError):
        players[0].sync()
    return house, players[0]


def test_the_export_is_one_file_that_proves_the_fork(forked, tmp_path):
    """Unpacked it holds the log and checkpoint, the finding, and the server's data."""
    house, player = forked
    player.memory.evidence.export(tmp_path / "evidence.zip")
    with zipfile.ZipFile(tmp_path / "evidence.zip") as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    (shown,) = (json.loads(data) for name, data in parts.items() if name.startswith("evidence/"))
    assert json.loads(parts["distrust"])["code"] == "fork"
    lines = parts["log"].split(b"\n")[:-1]
    mine = consistency.of_lines("mine", lines, read_entry(lines[0]), [parts["note"].decode()])
    theirs = consistency.of_note("theirs", shown["note"])
    assert consistency.compare(mine, theirs).relation == "fork"
    for text in (shown["note"], parts["note"].decode()):
        assert consistency.is_signed(consistency.of_note("a note", text).marks[5], mine.server_key)
    assert note.read(shown["note"]).size == len(house.lines)


def test_the_export_contains_no_secret(forked, tmp_path):
    """No key, no file of the nonce, no text of a hidden move; of unsettled acts only the signed part."""
    _, player = forked
    with player.memory.changing_pending() as acts:
        acts.append(unsettled_bid(player))
    player.memory.evidence.export(tmp_path / "evidence.zip")
    with zipfile.ZipFile(tmp_path / "evidence.zip") as whole:
        everything = b"".join(whole.read(name) for name in whole.namelist())
        assert {name.partition("/")[0] for name in whole.namelist()} <= {
            "log", "note", "looks", "distrust", "signed", "evidence",
        }  # fmt: skip
        assert json.loads(whole.read("signed"))["payload"]["act"] == "move"
    assert player.memory.nonce().hex().encode() not in everything
    assert not re.search(rb'salt\\*"', everything)  # names of members, also in nested texts
    assert (tmp_path / "evidence.zip").stat().st_mode & 0o777 == 0o600


def exported(player, folder):
    """The evidence in the exported file, the oldest first."""
    player.memory.evidence.export(folder / "evidence.zip")
    with zipfile.ZipFile(folder / "evidence.zip") as whole:
        return [json.loads(whole.read(name)) for name in whole.namelist() if name.startswith("evidence/")]


def test_private_events_are_kept_and_not_exported(tmp_path):
    """They came with the false one, and are of our own hand; the finding is exported."""
    house, players = seated(tmp_path, "bids")
    house.between = lambda path, value: [value[0] | {"salt": "A" * 43}] if path == "openings" else value
    with pytest.raises(DistrustError):
        players[0].openings()
    assert players[0].evidence[-1]["openings"]
    (shown,) = exported(players[0], tmp_path)
    assert shown == {"when": "2026-11-21T10:00:00Z", "what": "openings", "seat": 0}


def test_the_reason_for_refusing_a_sealed_move_is_not_exported(tmp_path):
    """It may describe a hand; that of an open move is."""
    _, players = seated(tmp_path, "bids")
    for status, sent in ((409, "not a JWS"), (422, unsettled_bid(players[0]).jws)):
        with players[0].log.judging("refusal", sent=sent, status=status, problem="so they say") as case:
            case.keep = True
    shown = {one["status"]: one.get("problem") for one in exported(players[0], tmp_path)}
    assert shown == {409: "so they say", 422: None}


def unsettled_bid(player):
    text = signing.seal_text([{"do": "bid", "amount": 5}])
    place = ActPlace("games.example", player.player.game, 0, 5, bytes(32))
    signed = signing.sealed_move(player.player.key, place, text)
    return Pending(signed.jws, 0.0, signed.text)


def test_an_honest_server_leaves_no_evidence(tmp_path):
    """After a whole game."""
    _, players = seated(tmp_path, house=FakeServer("pig", 2))
    for _ in range(4):
        for player in players:
            player.wait()
            player.move(TURN)
    assert [player.evidence for player in players] == [[], []]
    assert [player.said for player in players] == [[], []]
