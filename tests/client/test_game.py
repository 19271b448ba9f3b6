"""A player at a table: whole games, lost answers, races, seats that change hands, keys that are lost."""

import json

import pytest

from client.errors import NotSignedError, SeatGoneError
from client.http import ApiError, NoAnswerError
from engine import selfplay
from engine.record.signed import acts, keys

from .dishonest import Proxy, lose
from .fake_server import CLOCK, FakeServer
from .people import At, key_of, seated

TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]  # always ends the turn


@pytest.fixture
def sit(tmp_path):
    """A house with a game and its players in their seats."""
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
def test_a_whole_game(sit, key, seats):
    """Played to its end; every player's copy is the whole log, its openings fit its seals, its state the end's."""
    house, players = sit(key, seats)
    play_on(house, players)
    for player in players:
        player.sync()
        assert [entry.line for entry in player.log.entries] == house.lines
        assert player.table.outcome == house.table.outcome
        assert player.wait() is False
        assert len(player.openings()) == (len(house.openings) if key == "bids" else 0)


def test_a_player_continues_from_the_folder(sit, tmp_path):
    """Another process reads the checked log and the note from the folder, and plays on with the same nonce."""
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


def test_a_lost_answer_is_read_in_the_log(sit):
    """The act was logged, the answer lost: the log is read before anything is sent again, and shows it."""
    house, players = sit("pig")
    size, posted, house.lost = len(house.lines), len(house.posted), 1
    entry = players[0].move([{"do": "roll"}])
    assert entry.seq == size
    assert len(house.lines) == size + 1
    assert len(house.posted) == posted + 1
    assert players[0].memory.pending() == []


def test_an_act_never_answered_is_sent_again_by_the_next_process(tmp_path):
    """Nobody answers and the process dies; the next one sends the same bytes before it does anything else."""
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


def test_one_nonce_a_game(tmp_path):
    """A join that was refused and tried again brings the same nonce, so the server cannot choose among several."""
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
    """Both bid on the same head; the second bid still means the same, and its text and salt stay as they were."""
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


def test_an_answer_to_another_question_is_not_signed_again(sit):
    """If it would not mean the same any more, the player is told and decides anew."""
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


# --- the other acts ------------------------------------------------------------------------------------------------


def test_a_refused_move_says_why_and_changes_nothing(sit):
    """The rule's code comes through, nothing is logged, nothing is left to be sent again."""
    house, players = sit("pig")
    with pytest.raises(ApiError) as caught:
        players[0].move([{"do": "hold"}])
    assert caught.value.code == "nothing-to-hold"
    assert players[0].memory.pending() == []
    assert players[0].evidence == []
    assert len(house.lines) == 4


def test_leaving_and_resigning(sit, tmp_path):
    """Before the start a seat is given up, after it the game; the last one left has won."""
    lobby = FakeServer("pig", 2)
    one = At(lobby, tmp_path / "lobby", 0)
    one.join()
    one.leave()
    assert one.seat is None
    house, players = sit("pig")
    players[1].resign()
    assert house.table.outcome["places"] == [[0], [1]]


# --- seats that change hands ------------------------------------------------------------------------------------------


def test_a_seat_is_offered_and_taken(sit, tmp_path):
    """Until it is taken its holder plays on and may close it; then the new one plays, and reads the seat's openings."""
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
    """After two stretches that the clock ended anybody may sit there, and the clock begins anew."""
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
    """ "I am back" ends the absence, in turn or not; said twice it changes nothing."""
    house, players = sit("pig")
    be_absent(house, players[1])
    players[0].back()
    assert not house.table.is_absent(0)
    with pytest.raises(ApiError) as caught:
        players[0].back()
    assert caught.value.code == "same-offer"


def test_a_player_who_has_lost_the_seat_is_told_and_stops(sit, tmp_path):
    """The old holder hears who has it since when; nothing is signed any more, nor waited for, also by a new process."""
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


def test_a_new_holder_drops_a_key_of_their_own(sit, tmp_path):
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


def test_a_bot_says_that_it_is_one(tmp_path):
    """The player signs whether it is a bot, and the entry repeats it."""
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


def test_a_recovery_key_is_replaced_by_itself_alone(sit, tmp_path):
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


def test_a_seat_taken_over_leaves_nothing_to_recover(tmp_path):
    """The recovery key goes with the rest."""
    house, recovery = FakeServer("pig", 2), key_of(50)
    owner = At(house, tmp_path, 0)
    owner.join(recovery=recovery.jwk)
    At(house, tmp_path, 1).join()
    owner.offer()
    At(house, tmp_path, 7).take(0)
    with pytest.raises(SeatGoneError, match="seat-taken-over"):
        owner.recover(recovery, [key_of(61).jwk])


def test_keys_come_and_go(sit, tmp_path):
    """Another machine's key plays the seat until it is dropped."""
    house, players = sit("pig")
    players[0].add_key(key_of(61).jwk)
    there = At(house, tmp_path, 61, named=0)
    there.sync()
    there.move([{"do": "roll"}])
    players[0].drop_key(key_of(61).kid)
    with pytest.raises(SeatGoneError, match="dropped-key"):
        there.resign()


# --- which seat is ours -----------------------------------------------------------------------------------------------


def listed_by_a_rival(house, players, key):
    """Seat 2 lists the key of somebody else, which needs nobody's consent."""
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
    """Nobody names its seat, or a seat is named that does not list its key."""
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


def test_a_seat_that_we_left_and_that_lists_our_key_now_is_not_ours(tmp_path):
    """We have signed for it, but before its present holder came."""
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


def test_a_rival_who_lists_our_recovery_key_keeps_nobody_from_recovering(sit, tmp_path):
    """The named seat is recovered: its thief has dropped our key and offered it."""
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


@pytest.mark.parametrize("named", [None, 0, 1])
def test_a_key_that_has_signed_for_two_seats_plays_the_one_that_is_named(tmp_path, named):
    """Two machines of one person share a key file; without a name nothing is certain."""
    house, shared = FakeServer("pig", 2), key_of(60)
    for number, seat in ((0, 0), (1, 1)):
        player = At(house, tmp_path, number)
        player.join(seat)
        player.add_key(shared.jwk)
    for seat in (0, 1):
        house.force_act(shared.seed, acts.offer(**house.where(seat), open_=True))
    again = At(house, tmp_path, 60, named=named)
    again.sync()
    assert again.seat == named


def test_a_seat_that_lists_our_recovery_key_as_a_device_key_is_not_the_one_to_recover(tmp_path):
    """Nobody names our seat: a new machine that knows the recovery key finds none, and signs nothing at the rival's."""
    house, recovery = FakeServer("pig", 2), key_of(50)
    At(house, tmp_path, 0).join(recovery=key_of(51).jwk)
    rival = At(house, tmp_path, 1)
    rival.join()
    rival.add_key(recovery.jwk)
    there = At(house, tmp_path, 60, named=1)
    there.sync()
    assert there.recovers(recovery) is None
    posted = len(house.posted)
    with pytest.raises(NotSignedError):
        there.recover(recovery)
    assert len(house.posted) == posted


def test_one_act_recovers_a_seat_and_changes_its_code(tmp_path):
    """The stolen device may have shown the old code."""
    house, old, new = FakeServer("pig", 2), key_of(50), key_of(51)
    owner = At(house, tmp_path, 0)
    owner.join(recovery=old.jwk)
    found = At(house, tmp_path, 60, named=0)
    found.recover(old, new=new.jwk)
    occupant = house.table.occupants[0]
    assert ([kid for kid, _ in occupant.keys], occupant.recovery) == ([key_of(60).kid], (new.kid, new.public))
