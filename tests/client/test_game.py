"""A player at a table: whole games, lost answers and races."""

import errno
import json
from unittest.mock import Mock

import pytest

from client.commands.base import problem_of
from client.commands.give import _chosen
from client.errors import NotSignedError, SeatGoneError
from client.http import ApiError, NoAnswerError
from client.memory import Memory
from engine import selfplay
from engine.record.signed import keys

from .dishonest import Proxy, lose
from .fake_server import CLOCK, FakeServer
from .people import At, key_of, seated

TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]  # always ends the turn


@pytest.fixture
def sit(tmp_path):
    """A server with a game and its players in their seats."""
    return lambda key, seats=2, **given: seated(tmp_path, key, seats, **given)


def test_time_is_given_to_each_seat_once_in_the_order_of_the_log():
    assert _chosen(Mock(), (3, 2, 3)) == [1, 2]


@pytest.mark.parametrize("error", [FileNotFoundError("no such file"), UnicodeDecodeError("utf-8", b"!", 0, 1, "no")])
def test_a_file_that_cannot_be_read_is_a_refusal(error):
    shown = problem_of(error)
    assert shown is not None
    assert (shown.value["code"], shown.exit) == ("file", 1)


def play_on(house, players, most=10_000):
    """Random moves, one command each, until the end."""
    choice = selfplay.lanes(bytes(32), "choice")
    for _ in range(most):
        if house.table.is_over:
            return
        player = players[house.table.active[0]]
        assert player.wait()
        listed = player.legal()
        player.move([listed[choice.roll(len(listed))]["command"]])


@pytest.mark.parametrize(("key", "seats"), [("pig", 2), ("bids", 3)])
def test_a_whole_game_at_a_table(sit, key, seats):
    """At its end every player has the whole log, openings that fit the commitments, and the final state."""
    house, players = sit(key, seats)
    play_on(house, players)
    for player in players:
        player.sync()
        assert [entry.line for entry in player.log.entries] == house.lines
        assert player.table.outcome == house.table.outcome
        assert player.wait() is False
        assert len(player.openings()) == (len(house.openings) if key == "bids" else 0)


def test_a_player_continues_from_the_folder(sit, tmp_path):
    """Another process reads the checked log and the checkpoint, and plays on with the same nonce."""
    house, players = sit("pig")
    play_on(house, players, most=6)
    again = At(house, tmp_path, 0)
    assert again.log.size == players[0].log.size
    assert again.log.note == players[0].log.note
    again.sync()
    assert again.seat == 0
    play_on(house, [again, players[1]])
    assert house.table.stage == "finished"


# --- answers that are lost ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["keep_lines", "keep_note"])
def test_a_full_disk_leaves_no_gap_in_the_stored_log(sit, tmp_path, monkeypatch, name):
    """The player goes on, and a later process continues from the folder; the server is not blamed for the gap."""
    house, players = sit("pig")
    player = players[house.table.active[0]]
    with monkeypatch.context() as disk:
        disk.setattr(Memory, name, Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
        with pytest.raises(OSError, match="No space"):
            player.move(TURN)
    play_on(house, players, most=4)
    player.sync()
    again = At(house, tmp_path, player.player.key.seed[0])
    assert again.player.log.entries == player.player.log.entries
    assert again.sync() == []


def test_after_a_lost_answer_the_log_is_read_first(sit):
    """The act was logged, so it is not sent again."""
    house, players = sit("pig")
    size, posted, house.lost = len(house.lines), len(house.posted), 1
    entry = players[0].move([{"do": "roll"}])
    assert entry.seq == size
    assert len(house.lines) == size + 1
    assert len(house.posted) == posted + 1
    assert players[0].memory.pending() == []


def test_an_act_never_answered_is_sent_again_by_the_next_process(tmp_path):
    """The process ended without an answer; the next one sends the same bytes before anything else."""
    house = FakeServer("pig", 2)
    way = Proxy(house)
    _, players = seated(tmp_path, house=house, way=way)
    way.acts, before = lose(), len(way.seen)
    with pytest.raises(NoAnswerError):
        players[0].move([{"do": "roll"}])
    way.acts = None
    again = At(house, tmp_path, 0, way)
    again.sync()
    assert again.log.entries[-1].kind == "moved"
    assert len(way.seen) > before + 2
    assert len(set(way.seen[before:])) == 1
    assert again.memory.pending() == []


def test_a_repeated_join_has_the_same_nonce(tmp_path):
    """So the server cannot choose among several."""
    house = FakeServer("pig", 2)
    one, two = At(house, tmp_path, 0), At(house, tmp_path, 1)
    one.sync()
    two.join(0)
    with pytest.raises(ApiError) as caught:
        one.join(0)
    assert caught.value.code == "seat-taken"
    one.join(1)
    nonces = {read_jws(body)["nonce"] for body in house.posted[1:]}
    assert len(nonces) == 1


def read_jws(body):
    return keys.read_jws(json.loads(body)["jws"]).payload


# --- races ----------------------------------------------------------------------------------------------------------


def test_a_bid_overtaken_by_another_is_signed_again(sit):
    """Both bid on the same head; the second bid means the same, and keeps its text and salt."""
    house, players = sit("bids")
    for player in players:
        player.sync()
    players[0].move([{"do": "bid", "amount": 1}])
    stale = players[1].player
    stale.sync = lambda wait=0: []
    entry = stale.move([{"do": "bid", "amount": 2}])
    first, second = (json.loads(body) for body in house.posted[-2:])
    assert first["jws"] != second["jws"]
    assert first["text"] == second["text"]
    assert entry.body["jws"] == second["jws"]


def test_a_move_with_a_new_meaning_is_not_signed_again(sit):
    """The player gets an error and decides again."""
    house, players = sit("pig")
    players[0].sync()
    elsewhere = At(house, players[0].memory.folder / "elsewhere", 0)
    elsewhere.sync()
    elsewhere.move([{"do": "roll"}])
    stale = players[0].player
    stale.sync = lambda wait=0: []
    posted = len(house.posted)
    with pytest.raises(ApiError) as caught:
        stale.move([{"do": "hold"}])
    assert caught.value.code == "stale-head"
    assert len(house.posted) == posted + 1


def test_a_move_for_an_earlier_position_is_not_signed(sit):
    """If the program names the position that it has seen."""
    house, players = sit("pig")
    players[0].sync()
    seen = players[0].log.size
    elsewhere = At(house, players[0].memory.folder / "elsewhere", 0)
    elsewhere.sync()
    elsewhere.move([{"do": "roll"}])
    posted = len(house.posted)
    with pytest.raises(ApiError) as caught:
        players[0].move([{"do": "roll"}], seen=seen)
    assert caught.value.code == "stale-head"
    assert len(house.posted) == posted
    mover = players[house.table.active[0]]  # by the die
    assert mover.move([{"do": "roll"}], seen=seen + 1).seq == seen + 1


# --- other acts -----------------------------------------------------------------------------------------------------


def test_a_refused_move_gives_the_reason_and_changes_nothing(sit):
    """The error has the rule's code, nothing is logged, nothing is left to send."""
    house, players = sit("pig")
    with pytest.raises(ApiError) as caught:
        players[0].move([{"do": "hold"}])
    assert caught.value.code == "nothing-to-hold"
    assert players[0].memory.pending() == []
    assert players[0].evidence == []
    assert len(house.lines) == 4


def test_leaving_and_resigning(sit, tmp_path):
    """Before the start a player leaves the seat, after it the game; the last remaining player wins."""
    lobby = FakeServer("pig", 2)
    one = At(lobby, tmp_path / "lobby", 0)
    one.join()
    one.leave()
    assert one.seat is None
    house, players = sit("pig")
    players[1].resign()
    assert house.table.outcome["places"] == [[0], [1]]


# --- seats that change hands ------------------------------------------------------------------------------------------


def test_an_offered_seat_is_played_until_it_is_taken(sit, tmp_path):
    """And the offer may be withdrawn; then the new holder plays, and reads the seat's openings."""
    house, players = sit("bids", 2)
    with pytest.raises(NotSignedError) as caught:
        At(house, tmp_path, 7).take()
    assert caught.value.code == "not-free"
    players[1].offer()
    players[1].back()
    players[1].offer()
    players[1].move([{"do": "bid", "amount": 1}])
    new = At(house, tmp_path, 7)
    assert new.take() == 1
    assert new.table.occupants[1].kid == new.player.key.kid
    assert len(new.openings()) == len(house.openings)
    play_on(house, [players[0], new])
    assert house.table.stage == "finished"


def be_absent(house, other):
    """Seat 0 misses its turns until it counts as absent."""
    while not house.table.is_absent(0):
        house.expire(0) if 0 in house.table.active else other.move(TURN)


def test_an_absent_seat_is_taken(sit, tmp_path):
    """After two missed turns anybody may take it, with a full clock."""
    house, players = sit("pig")
    be_absent(house, players[1])
    new = At(house, tmp_path, 7)
    players[1].move(TURN)
    house.now += 600
    assert new.take(0) == 0
    assert house.table.deadline(0) == house.now + CLOCK["move"] + CLOCK["grace"]
    assert new.wait()
    new.move(TURN)


def test_an_absent_player_comes_back(sit):
    """ "I am back" ends the absence, in turn or not; repeated it changes nothing."""
    house, players = sit("pig")
    be_absent(house, players[1])
    players[0].back()
    assert not house.table.is_absent(0)
    with pytest.raises(ApiError) as caught:
        players[0].back()
    assert caught.value.code == "same-offer"


def test_a_player_who_has_lost_the_seat_stops(sit, tmp_path):
    """They read who has held it since when, and neither sign nor wait, in a new process too."""
    house, players = sit("pig")
    players[0].offer()
    At(house, tmp_path, 7).take(0)
    posted = len(house.posted)
    for one in (players[0], At(house, tmp_path, 0)):
        for act in (one.resign, one.offer, one.wait, one.openings, lambda one=one: one.move([{"do": "roll"}])):
            with pytest.raises(SeatGoneError) as caught:
                act()
            assert (caught.value.code, caught.value.seat, caught.value.seq) == ("seat-taken-over", 0, 5)
        assert one.said == [f"seat 1 was taken over with entry 5 ({house.at}): our key no longer plays it"]
        assert one.seat is None
        assert one.sync() == []
    assert len(house.posted) == posted


def test_a_new_holder_cannot_drop_their_only_key(sit, tmp_path):
    """The error says that, and not that the seat was taken over earlier."""
    house, players = sit("pig")
    players[0].offer()
    new = At(house, tmp_path, 7)
    new.take(0)
    new.add_key(key_of(61).jwk)
    there = At(house, tmp_path, 61)
    there.sync()
    new.drop_key(key_of(61).kid)
    with pytest.raises(SeatGoneError, match="dropped-key"):
        there.offer()
