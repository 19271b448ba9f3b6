"""After a refusal the client signs nothing else for the place without asking."""

import json

import httpx
import pytest

from client.errors import UnsettledError
from client.http import ApiError
from client.outbox import MOST_UNSETTLED

from .dishonest import Proxy, jws_of, log_and_refuse, refuse, stale
from .fake_server import FakeServer
from .people import BID, HOLD, OTHER_BID, ROLL, At, distrusts

# --- false refusals in an open game ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code", ["not-active", "nothing-to-hold", "stale-head", "game-over", "no-such-game", "whatever"]
)
def test_a_refusal_that_our_own_rules_contradict_is_distrust(sit, tmp_path, code):
    """Log, rules and checkpoint allow the move; the refusal and the signed act are kept as evidence."""
    house, way, players = sit("pig")
    way.acts = refuse(code)
    distrusts(players[0], "false-refusal", lambda: players[0].move(ROLL), lambda: At(house, tmp_path, 0, way))
    kept = players[0].evidence[-1]
    assert json.loads(kept["problem"])["code"] == code
    assert kept["sent"] == jws_of(way.seen[-1])
    assert way.signed_for(4) == 1


def test_a_refused_act_that_was_logged_secretly_gets_no_second_signature(sit):
    """The proxy refuses A and shows the old log: in an open game that refusal is false, and B is not signed."""
    house, way, players = sit("pig")
    way.acts, way.reads["log"] = log_and_refuse(house, "not-active"), stale(house, 4)
    distrusts(players[0], "false-refusal", lambda: players[0].move(ROLL))
    assert house.table.size == 5
    assert way.signed_for(4) == 1


def test_a_false_refusal_of_a_join_is_distrust(tmp_path):
    """The log shows the seat as empty, and the refusal says that it is taken."""
    house = FakeServer("pig", 2)
    way = Proxy(house)
    way.acts = refuse("seat-taken")
    player = At(house, tmp_path, 0, way)
    distrusts(player, "false-refusal", player.join)
    assert way.signed_for(1) == 1


def test_a_refused_act_that_is_in_the_log_counts_as_logged(sit):
    """With any answer; the player is told."""
    house, way, players = sit("pig")
    way.acts = log_and_refuse(house, "not-active")
    entry = players[0].move(ROLL)
    assert entry.seq == 4
    assert players[0].said == ["the server refused entry 4 (not-active) but logged it"]
    assert players[0].memory.pending() == []


# --- honest refusals ------------------------------------------------------------------------------------------------


WRONG = [(HOLD, "nothing-to-hold"), ([{"try": HOLD[0]}], "nothing-done"), ([{"do": "jump"}], "bad-move")]


@pytest.mark.parametrize(("commands", "code"), WRONG)
def test_a_refusal_that_our_own_rules_share_is_settled(sit, commands, code):
    """Nobody can log it, so another move for the place is signed without a question."""
    house, _, players = sit("pig")
    with pytest.raises(ApiError) as caught:
        players[0].move(commands)
    assert caught.value.code == code
    players[0].move(ROLL)
    assert house.table.size == 5
    assert players[0].evidence == []


def test_a_move_out_of_turn_is_refused_by_the_client_s_rules_too(sit):
    """In an open game the log shows the active seats."""
    _, _, players = sit("pig")
    with pytest.raises(ApiError, match="not-active"):
        players[1].move(ROLL)
    assert players[1].log.broken is None


def test_a_refusal_for_reasons_outside_the_log_accuses_nobody(tmp_path):
    """The server decides whether an account may join: unsettled, and the very same join is sent again."""
    house = FakeServer("pig", 2)
    way = Proxy(house)
    way.acts = refuse("unregistered-key", 403, times=1)
    player = At(house, tmp_path, 0, way)
    with pytest.raises(ApiError, match="unregistered-key"):
        player.join(0)
    with pytest.raises(UnsettledError):
        player.join(1)
    assert player.join(0) == 0
    assert way.seen[0] == way.seen[1]


@pytest.mark.parametrize("code", ["not-found", "too-large", "bad-token"])
def test_a_refusal_before_the_game_accuses_nobody(sit, code):
    """It does not concern the act, which stays unsettled."""
    _, way, players = sit("pig")
    way.acts = refuse(code, 404, times=1)
    with pytest.raises(ApiError, match=code):
        players[0].move(ROLL)
    assert players[0].log.broken is None
    with pytest.raises(UnsettledError):
        players[0].resign()
    players[0].move(ROLL)


# --- refusals in a hidden game --------------------------------------------------------------------------------------


def test_after_a_refusal_in_a_hidden_game_another_move_needs_consent(sit):
    """Nobody can check the refusal, so the refused bid may still be logged."""
    _, way, players = sit("bids")
    way.acts = refuse("too-few-coins", times=1)
    with pytest.raises(ApiError, match="too-few-coins"):
        players[0].move(BID)
    with pytest.raises(UnsettledError) as caught:
        players[0].move(OTHER_BID)
    assert "for entry 4 this was signed before: move" in str(caught.value)
    assert '"amount":1' in str(caught.value)
    assert "refused with too-few-coins" in str(caught.value)
    assert "may still be logged" in str(caught.value)
    assert way.signed_for(4) == 1


def test_with_consent_both_moves_are_kept_until_the_place_is_taken(sit, tmp_path):
    """The second is logged; a new process knew both before, and neither afterwards."""
    house, way, players = sit("bids")
    way.acts = refuse("too-few-coins", times=2)
    for bid, either in ((BID, False), (OTHER_BID, True)):
        with pytest.raises(ApiError, match="too-few-coins"):
            players[0].move(bid, either=either)
    again = At(house, tmp_path, 0, way)
    again.sync()
    assert [act.refused for act in again.memory.pending()] == ["too-few-coins", "too-few-coins"]
    third = [{"do": "bid", "amount": 3}]
    with pytest.raises(UnsettledError, match=r'"amount":1.*"amount":2'):
        again.move(third)
    entry = again.move(third, either=True)
    assert entry.seq == 4
    assert again.memory.pending() == []


def test_the_same_move_again_is_the_same_bytes(sit):
    """The second try signs the text and salt of the first."""
    _, way, players = sit("bids")
    way.acts = refuse("too-few-coins", times=1)
    with pytest.raises(ApiError):
        players[0].move(BID)
    players[0].move(BID)
    assert way.seen[-1] == way.seen[-2]


def test_a_refused_act_may_appear_instead_of_the_second(sit):
    """The proxy refused A and kept it; B was signed with consent; then A appears in the log. The player hears
    that B is stale, and nothing is signed a third time.
    """
    house, way, players = sit("bids")
    way.acts = refuse("too-few-coins", times=1)
    with pytest.raises(ApiError):
        players[0].move(BID)
    kept = way.seen[-1]

    def put_a_first(request):
        way.acts = None
        house(httpx.Request("POST", request.url, content=kept))

    way.acts = put_a_first
    with pytest.raises(ApiError) as caught:
        players[0].move(OTHER_BID, either=True)
    assert caught.value.code == "stale-head"
    assert players[0].log.entries[4].body["jws"] == jws_of(kept)
    assert players[0].memory.pending() == []
    assert way.signed_for(5) == 0


def test_acts_for_one_place_are_limited(sit):
    """Repeated refusals of many acts cannot be an accident."""
    _, way, players = sit("bids")
    way.acts = refuse("too-few-coins")
    for amount in range(MOST_UNSETTLED):
        with pytest.raises(ApiError):
            players[0].move([{"do": "bid", "amount": amount}], either=True)
    with pytest.raises(UnsettledError):
        players[0].move([{"do": "bid", "amount": 9}], either=True)
    assert way.signed_for(4) == MOST_UNSETTLED
