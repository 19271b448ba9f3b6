"""A player at a table: whole games, lost answers and races."""

import json

import pytest

from client.errors import NotSignedError, SeatGoneError
from client.http import ApiError, NoAnswerError
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


# --- keys -------------------------------------------------------------------------------------------------------------


def test_a_join_states_whether_the_player_is_a_bot(tmp_path):
    """It is signed, and the entry repeats it."""
    house = FakeServer("pig", 2)
    At(house, tmp_path, 0, bot=True).join()
    At(house, tmp_path, 1).join()
    assert [occupant.bot for occupant in house.table.occupants] == [True, False]


def test_an_owner_comes_back_with_the_recovery_key(tmp_path):
    """The device is lost: one act of the recovery key makes another device's key the only one."""
    house, recovery = FakeServer("pig", 2), key_of(50)
    lost = At(house, tmp_path, 0)
    lost.join(recovery=recovery.jwk)
    At(house, tmp_path, 1).join()
    found = At(house, tmp_path, 60, named=0)
    found.recover(recovery)
    assert found.seat == 0
    with pytest.raises(SeatGoneError) as caught:
        lost.move([{"do": "roll"}])
    assert caught.value.code == "dropped-key"
    assert lost.said == ["our key was dropped from seat 1 by entry 4"]
    found.move([{"do": "roll"}])


def test_only_a_recovery_key_can_replace_itself(sit, tmp_path):
    """The old one then signs nothing more, and the new one does."""
    house, old, new = FakeServer("pig", 2), key_of(50), key_of(51)
    owner = At(house, tmp_path, 0)
    owner.join(recovery=old.jwk)
    owner.replace_recovery(old, new.jwk)
    posted = len(house.posted)
    with pytest.raises(SeatGoneError, match="dropped-key"):
        owner.recover(old, [key_of(61).jwk])
    assert len(house.posted) == posted
    owner.recover(new, [key_of(0).jwk, key_of(62).jwk])
    assert {kid for kid, _ in house.table.occupants[0].keys} == {key_of(0).kid, key_of(62).kid}


def test_a_seat_taken_over_cannot_be_recovered(tmp_path):
    """Its recovery key ends with the other keys."""
    house, recovery = FakeServer("pig", 2), key_of(50)
    owner = At(house, tmp_path, 0)
    owner.join(recovery=recovery.jwk)
    At(house, tmp_path, 1).join()
    owner.offer()
    At(house, tmp_path, 7).take(0)
    with pytest.raises(SeatGoneError, match="seat-taken-over"):
        owner.recover(recovery, [key_of(61).jwk])


def test_an_added_key_plays_until_it_is_dropped(sit, tmp_path):
    """On another machine."""
    house, players = sit("pig")
    players[0].add_key(key_of(61).jwk)
    there = At(house, tmp_path, 61, named=0)
    there.sync()
    there.move([{"do": "roll"}])
    players[0].drop_key(key_of(61).kid)
    with pytest.raises(SeatGoneError, match="dropped-key"):
        there.resign()


# --- our own seat -----------------------------------------------------------------------------------------------------


def listed_by_a_rival(house, players, key):
    """Seat 2 lists somebody else's key, which needs no consent."""
    players[1].add_key(key.jwk)
    assert house.table.seats_of(key.kid)[-1] == 1


def test_a_seat_that_only_lists_our_key_is_not_ours(sit):
    """A rival lists the key of a player who has signed for a seat; the player still plays that seat."""
    house, players = sit("pig")
    listed_by_a_rival(house, players, key_of(0))
    assert players[0].seat == 0
    players[0].resign()
    assert house.table.gone == (0,)


def test_a_new_device_plays_the_seat_that_the_account_names(sit, tmp_path):
    """Its key is listed at two seats and has signed for neither; after its first signature no name is needed."""
    house, players = sit("pig")
    players[0].add_key(key_of(60).jwk)
    listed_by_a_rival(house, players, key_of(60))
    there = At(house, tmp_path, 60, named=0)
    there.sync()
    there.offer()
    assert house.table.is_open(0)
    assert At(house, tmp_path, 60).seat == 0


@pytest.mark.parametrize("named", [None, 2])
def test_a_new_device_signs_nothing_if_its_seat_is_not_certain(tmp_path, named):
    """No seat is named, or one that does not list its key."""
    house, players = seated(tmp_path, seats=3)
    players[0].add_key(key_of(60).jwk)
    listed_by_a_rival(house, players, key_of(60))
    there = At(house, tmp_path, 60, named=named)
    there.sync()
    posted = len(house.posted)
    for act in (there.resign, there.offer, lambda: there.move([{"do": "roll"}])):
        with pytest.raises(NotSignedError, match="not-certain"):
            act()
    assert there.seat is None
    assert len(house.posted) == posted


def test_a_seat_that_we_left_is_not_ours_though_it_lists_our_key(tmp_path):
    """We signed for it before its present holder joined."""
    house = FakeServer("pig", 3)
    player = At(house, tmp_path, 0)
    player.join(1)
    player.leave()
    player.join(0)
    rival = At(house, tmp_path, 1)
    rival.join(1)
    rival.add_key(key_of(0).jwk)
    player.sync()
    assert player.seat == 0


def test_a_rival_who_lists_our_recovery_key_does_not_prevent_recovery(sit, tmp_path):
    """The named seat is recovered, although its thief has dropped our key and offered it."""
    house, recovery = FakeServer("pig", 2), key_of(50)
    owner = At(house, tmp_path, 0)
    owner.join(recovery=recovery.jwk)
    At(house, tmp_path, 1).join(recovery=recovery.jwk)
    owner.add_key(key_of(66).jwk)
    thief = At(house, tmp_path, 66, named=0)
    thief.sync()
    thief.drop_key(key_of(0).kid)
    thief.offer()
    owner.sync()
    owner.recover(recovery)
    assert house.table.occupants[0].keys == ((key_of(0).kid, key_of(0).public),)
    assert not house.table.is_open(0)
    with pytest.raises(SeatGoneError, match="dropped-key"):
        thief.resign()


def test_one_act_recovers_a_seat_and_changes_its_code(tmp_path):
    """The stolen device may have shown the old code."""
    house, old, new = FakeServer("pig", 2), key_of(50), key_of(51)
    owner = At(house, tmp_path, 0)
    owner.join(recovery=old.jwk)
    found = At(house, tmp_path, 60, named=0)
    found.recover(old, new=new.jwk)
    occupant = house.table.occupants[0]
    assert ([kid for kid, _ in occupant.keys], occupant.recovery) == ([key_of(60).kid], (new.kid, new.public))
