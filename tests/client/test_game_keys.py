"""The keys of a player: lost, recovered, added and dropped, and the seat that they sign for."""

import pytest

from client.errors import NotSignedError, SeatGoneError
from engine.record.signed import acts

from .fake_server import FakeServer
from .people import At, key_of, seated


@pytest.fixture
def sit(tmp_path):
    """A server with a game and its players in their seats."""
    return lambda key, seats=2, **given: seated(tmp_path, key, seats, **given)


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
