"""Entries that break the rules of order: too early, too many, by the wrong player."""

import pytest

from engine.record.encoding import canonical
from engine.record.log.entry import read_entry
from engine.record.signed import acts
from engine.record.signed.keys import sign_jws

from .fake_server import CLOCK, FakeServer
from .people import At, distrusts, key_of, seated

TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]  # always ends the turn


@pytest.fixture
def sit(tmp_path):
    """A server with a game and its players in their seats."""
    return lambda key, seats=2, **given: seated(tmp_path, key, seats, **given)


# --- time -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["pig", "bids"])
def test_a_default_move_before_the_deadline_is_refused(sit, tmp_path, key):
    """By the stretch; in a hidden game, before the earliest possible time."""
    house, players = sit(key)
    due = house.table.deadline(0)
    house.expire(0)
    house.falsify(at="2026-11-22T10:59:59Z")
    house.now = due
    distrusts(players[0], "not-due", again=lambda: At(house, tmp_path, 0))


def test_a_default_move_at_the_deadline_is_accepted(sit):
    """At the very second."""
    house, players = sit("pig")
    house.expire(0)
    assert canonical.loads(house.lines[-1])["at"] == "2026-11-22T11:00:00Z"
    players[0].sync()
    assert players[0].log.size == 5


def test_a_default_move_that_ignores_bank_or_granted_time_is_refused(tmp_path):
    """Both extend the stretch."""
    for bank, granted in ((600, 0), (0, 900)):
        house = FakeServer("pig", 2, clock=CLOCK | {"bank": bank, "cap": 600})
        _, players = seated(tmp_path / str(bank), house=house)
        if granted:
            house.grant([0], granted)
        players[0].sync()
        assert house.table.deadline(0) == house.now + CLOCK["move"] + CLOCK["grace"] + bank + granted
        house.expire(0)
        house.falsify(at=canonical.instant(house.now - 1))
        distrusts(players[0], "not-due")


def test_a_seat_that_came_back_is_not_played_as_absent(sit):
    """After "I am back" a new stretch begins, with the whole time."""
    house, players = sit("pig")
    while not house.table.is_absent(0):
        house.expire(0) if 0 in house.table.active else players[1].move(TURN)
    players[1].move(TURN)
    absent = house.table.deadline(0)
    players[0].back()
    assert house.table.deadline(0) > absent
    due = house.table.deadline(0)
    house.expire(0)
    assert house.now == due
    house.falsify(at=canonical.instant(absent))
    distrusts(players[0], "not-due")


@pytest.mark.parametrize(("seats", "code"), [([0], "seat-gone"), ([2], "nothing-owed"), ([0, 1], "seat-gone")])
def test_time_granted_to_a_seat_without_a_deadline_is_refused(sit, seats, code):
    """It has resigned, or owes nothing."""
    house, players = sit("pig", 3)
    players[0].resign()
    house.expire(0)
    house.force("granted", seats=seats, seconds=60, why="host")
    distrusts(players[1], code)


def test_time_granted_in_a_game_without_a_clock_is_refused(tmp_path):
    """There is no deadline to extend."""
    house = FakeServer("pig", 2, clock=None)
    _, players = seated(tmp_path, house=house)
    house.force("granted", seats=[0], seconds=60, why="host")
    distrusts(players[0], "no-clock")


def test_a_take_before_the_offer_has_waited_is_refused(tmp_path):
    """A thief's accomplice takes the seat a second too early, and the server logs it."""
    house = FakeServer("pig", 2, handover={"by": "both", "wait": 3600})
    _, players = seated(tmp_path, house=house)
    players[0].offer()
    house.now += 3599
    payload = acts.take(**house.where(0), key=key_of(9).jwk, recovery=None, bot=False)
    house.force_act(key_of(9).seed, payload)
    distrusts(players[0], "offer-waits")


def test_more_time_than_the_game_allows_is_refused(sit):
    """A creator gives an ally more than `grants`; after an outage more is allowed."""
    house, players = sit("pig")
    house.grant([0], 2**20)
    house.grant([0], 60, "outage")
    players[0].sync()
    house.force("granted", seats=[0], seconds=1, why="host")
    distrusts(players[0], "too-much-granted")


def test_a_take_of_a_seat_that_is_not_free_is_refused(sit, tmp_path):
    """Neither offered nor absent: its holder notices, and keeps the evidence."""
    house, players = sit("pig")
    payload = acts.take(**house.where(0), key=key_of(9).jwk, recovery=None, bot=False)
    house.force_act(key_of(9).seed, payload)
    distrusts(players[0], "not-free", again=lambda: At(house, tmp_path, 0))
    assert players[0].evidence[-1]["entries"] == [house.lines[-1].decode()]


def test_a_take_after_the_offer_was_withdrawn_is_refused(sit):
    """The holder was back before."""
    house, players = sit("pig")
    players[0].offer()
    players[0].back()
    payload = acts.take(**house.where(0), key=key_of(9).jwk, recovery=None, bot=False)
    house.force_act(key_of(9).seed, payload)
    distrusts(players[0], "not-free")


def test_an_offer_that_the_holder_has_not_signed_is_refused(sit):
    """Signed with the next player's key."""
    house, players = sit("pig")
    house.force_act(key_of(1).seed, acts.offer(**house.where(0), open_=True))
    distrusts(players[0], "wrong-seat")


def test_a_move_of_a_dropped_key_is_refused(sit):
    """A thief still has it, and the server accepts it."""
    house, players = sit("pig")
    players[0].add_key(key_of(61).jwk)
    players[0].drop_key(key_of(61).kid)
    house.force_act(key_of(61).seed, acts.offer(**house.where(0), open_=True))
    distrusts(players[0], "dropped-key")


def test_a_recovery_key_that_does_more_than_recover_is_refused(tmp_path):
    """It resigns."""
    house = FakeServer("pig", 2)
    player = At(house, tmp_path, 0)
    player.join(recovery=key_of(50).jwk)
    At(house, tmp_path, 1).join()
    payload = acts.resign(**house.where(0))
    house.force("resigned", seat=0, jws=sign_jws(key_of(50).seed, payload), events=[], state="A" * 43)
    distrusts(player, "recovery-only")


def test_a_device_key_cannot_change_the_recovery_key(tmp_path):
    """Dropping or replacing it is refused, even if the server logs it."""
    for number, make in enumerate(
        (
            lambda where: acts.key(**where, drop=key_of(50).kid),
            lambda where: acts.replace_keys(**where, recovery=key_of(51).jwk),
        )
    ):
        house = FakeServer("pig", 2)
        player = At(house, tmp_path / str(number), 0)
        player.join(recovery=key_of(50).jwk)
        house.force_act(key_of(0).seed, make(house.where(0)))
        distrusts(player, ("not-a-key", "not-recovery")[number])


# --- one entry above each limit ---------------------------------------------------------------------------------------


def plain(house, seed, payload):
    """A signed act, logged by the honest rules."""
    house._act({"jws": sign_jws(seed, payload)})
    assert house.table.head == read_entry(house.lines[-1]).hash


@pytest.mark.slow
def test_one_join_too_many_is_refused(tmp_path):
    """Endless joins and leaves would make the record huge."""
    house = FakeServer("pig", 2)
    watching = At(house, tmp_path, 0)
    seed = key_of(9).seed
    for _ in range(256):
        plain(house, seed, acts.join(**house.where(1), key=key_of(9).jwk, nonce=bytes(32), recovery=None, bot=False))
        plain(house, seed, acts.leave(**house.where(1)))
    watching.sync()
    house.force_act(seed, acts.join(**house.where(1), key=key_of(9).jwk, nonce=bytes(32), recovery=None, bot=False))
    distrusts(watching, "too-many-joins")


@pytest.mark.parametrize(("signer", "other", "code"), [(1, 50, "too-many-keys"), (50, 1, "too-many-recoveries")])
def test_one_key_too_many_is_refused(tmp_path, signer, other, code):
    """Counted for device keys, and separately for the recovery key."""
    house = FakeServer("pig", 2)
    At(house, tmp_path, 1).join(1, recovery=key_of(50).jwk)
    watching = At(house, tmp_path, 0)
    for number in range(16):
        plain(house, key_of(signer).seed, changed(house, signer, number))
    watching.sync()
    plain(house, key_of(other).seed, changed(house, other, 30))
    watching.sync()
    house.force_act(key_of(signer).seed, changed(house, signer, 31))
    distrusts(watching, code)


def changed(house, signer, number):
    """A key act of seat 1: another key beside the own one, which the recovery key (50) names together with it."""
    new = key_of(100 + number).jwk
    if signer != 50:
        return acts.key(**house.where(1), add=new)
    return acts.replace_keys(**house.where(1), only=[key_of(1).jwk, new])


def test_one_offer_too_many_is_refused(sit):
    """Withdrawing is never refused for number."""
    house, players = sit("pig")
    for _ in range(16):
        plain(house, key_of(1).seed, acts.offer(**house.where(1), open_=True))
        plain(house, key_of(1).seed, acts.offer(**house.where(1), open_=False))
    players[0].sync()
    house.force_act(key_of(1).seed, acts.offer(**house.where(1), open_=True))
    distrusts(players[0], "too-many-offers")


def test_one_take_too_many_is_refused(sit):
    """A seat goes through nine pairs of hands at most."""
    house, players = sit("pig")
    for number in range(8):
        holder = key_of(1) if number == 0 else key_of(99 + number)
        plain(house, holder.seed, acts.offer(**house.where(1), open_=True))
        new = key_of(100 + number)
        plain(house, new.seed, acts.take(**house.where(1), key=new.jwk, recovery=None, bot=False))
    plain(house, key_of(107).seed, acts.offer(**house.where(1), open_=True))
    players[0].sync()
    house.force_act(key_of(120).seed, acts.take(**house.where(1), key=key_of(120).jwk, recovery=None, bot=False))
    distrusts(players[0], "too-many-takes")
