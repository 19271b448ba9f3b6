"""A server's data is on disk before it is judged, outlives the process, is bounded, and is exported as one file."""

import json
import re
import zipfile

import pytest

from client import evidence, signing
from client.errors import DistrustError
from client.evidence import Evidence
from client.memory import Pending
from client.signing import Place
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


def test_what_holds_is_not_kept(kept):
    """Nothing is left of an honest server."""
    judge(kept, "log", entries=["{}"])
    assert kept.names() == []
    assert kept.distrust() is None


def test_what_fails_is_kept_with_the_finding(kept, tmp_path):
    """As it was shown, with the time by our clock; another process reads both."""
    with pytest.raises(DistrustError):
        judge(kept, "log", NO, entries=["{}"], note="n")
    again = Evidence(tmp_path)
    (name,) = again.names()
    assert again.read(name) == {"when": "1970-01-01T00:16:40Z", "what": "log", "entries": ["{}"], "note": "n"}
    assert (again.distrust().code, again.distrust().says) == ("false", "it does not hold")


def test_it_is_there_before_it_is_judged(kept):
    """A judge that comes to no end, by a fault of ours or because the power fails, leaves it on the disk."""
    with pytest.raises(ZeroDivisionError):
        judge(kept, "log", ZeroDivisionError(), note="strange")
    assert kept.read(kept.names()[0])["note"] == "strange"
    assert kept.distrust() is None


def test_a_judge_of_the_log_that_crashes_leaves_what_it_was_given(tmp_path, monkeypatch):
    """In the middle of a player's look at the log; what was checked before stays as it was."""
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


def test_a_person_clears_it_and_the_files_stay(kept):
    """There is nothing that clears it otherwise."""
    with pytest.raises(DistrustError):
        judge(kept, "log", NO)
    kept.clear()
    kept.clear()
    assert kept.distrust() is None
    assert len(kept.names()) == 1


def test_it_is_bounded_in_number_and_bytes(kept, monkeypatch):
    """The oldest make room, but never those of a finding that stands."""
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


def test_another_process_that_found_something_stops_this_one(tmp_path):
    """The folder is what they share."""
    house, players = seated(tmp_path)
    with pytest.raises(DistrustError):
        judge(At(house, tmp_path, 0).memory.evidence, "view", NO)
    posted = len(house.posted)
    with pytest.raises(DistrustError):
        players[0].move(TURN)
    assert len(house.posted) == posted


@pytest.fixture
def forked(tmp_path):
    """A player of a hidden game who has found a fork, and the house that showed it."""
    house, players = seated(tmp_path, "bids")
    players[0].move([{"do": "bid", "amount": 3}])
    house.falsify(at="2026-11-21T10:00:01Z")
    with pytest.raises(DistrustError):
        players[0].sync()
    return house, players[0]


def test_everything_goes_out_as_one_file(forked, tmp_path):
    """Unpacked it is a folder with our log and note, the finding, and what was shown; with it a fork is proven."""
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


def test_no_secret_goes_out(forked, tmp_path):
    """Neither the nonce, nor the texts that seals still hide, nor a key; of what is unsettled only what was signed."""
    _, player = forked
    player.memory.keep_pending([unsettled_bid(player)])
    player.memory.evidence.export(tmp_path / "evidence.zip")
    with zipfile.ZipFile(tmp_path / "evidence.zip") as whole:
        everything = b"".join(whole.read(name) for name in whole.namelist())
        assert {name.partition("/")[0] for name in whole.namelist()} <= {
            "log", "note", "looks", "distrust", "signed", "evidence",
        }  # fmt: skip
        assert json.loads(whole.read("signed"))["payload"]["act"] == "move"
    assert player.memory.nonce().hex().encode() not in everything
    assert not re.search(rb'salt\\*"', everything)  # the name of a member, also of a text inside a text
    assert (tmp_path / "evidence.zip").stat().st_mode & 0o777 == 0o600


def unsettled_bid(player):
    text = signing.seal_text([{"do": "bid", "amount": 5}])
    place = Place("games.example", player.player.game, 0, 5, bytes(32))
    signed = signing.sealed_move(player.player.key, place, text)
    return Pending(signed.jws, 0.0, signed.text)


def test_a_house_that_is_honest_leaves_nothing(tmp_path):
    """After a whole evening."""
    _, players = seated(tmp_path, house=FakeServer("pig", 2))
    for _ in range(4):
        for player in players:
            player.wait()
            player.move(TURN)
    assert [player.evidence for player in players] == [[], []]
    assert [player.said for player in players] == [[], []]
