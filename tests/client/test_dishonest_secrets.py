"""A log with loaded dice, false openings or false positions: nothing is signed."""

import pytest

from client import openings
from client.errors import DistrustError
from client.http import NoAnswerError
from engine.record.compose import decision
from engine.record.encoding import canonical

from .people import ROLL, At, distrusts, seated

TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]  # always ends the turn


@pytest.fixture
def sit(tmp_path):
    """A house with a game and its players in their seats."""
    return lambda key, seats=2, **given: seated(tmp_path, key, seats, **given)


def test_a_loaded_die_is_refused(sit):
    """The server logs another result than the key throws: the next signature is not given."""
    house, players = sit("pig")
    players[0].move(ROLL)
    draws = canonical.loads(house.lines[-1])["draws"]
    draws["got"][0][1] = (draws["got"][0][1] + 1) % 6
    house.falsify(draws=draws)
    distrusts(players[1], "wrong-draw")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (
            lambda events: [event | ({"amount": 1} if event["is"] == "BidSealed" else {}) for event in events],
            "told-secret",
        ),
        (lambda events: [*events, {"is": "YouLose"}], "bad-event"),
        (lambda events: [event | {"seat": 1, "extra": 1} for event in events], "bad-event"),
    ],
)
def test_public_events_of_a_hidden_game_tell_no_secret(sit, change, code):
    """A bid that is told to everybody, or an event that no rule knows, is found while the game runs."""
    house, players = sit("bids")
    players[0].move([{"do": "bid", "amount": 1}])
    house.falsify(events=change(canonical.loads(house.lines[-1])["events"]))
    distrusts(players[1], code)


def test_a_false_opening_is_found(sit, tmp_path):
    """A seat is told another card than was sealed for it."""
    house, players = sit("bids")

    def lie(path, value):
        if path == "openings":
            dealt = next(event for event in value[0]["events"] if event["is"] == "FavouriteDealt")
            dealt["colour"] = "red" if dealt["colour"] != "red" else "blue"
        return value

    house.between = lie
    distrusts(players[0], "wrong-opening", players[0].openings, lambda: At(house, tmp_path, 0))
    assert players[0].evidence[-1]["openings"][0]["seq"] == 3


@pytest.mark.parametrize("seq", [1, 99, -1, "3", None])
def test_an_opening_of_no_entry_is_found(sit, seq):
    """Of an entry that has no events, or that is not there."""
    house, players = sit("bids")
    house.between = lambda path, value: [value[0] | {"seq": seq}] if path == "openings" else value
    distrusts(players[0], "wrong-opening", players[0].openings)


def test_an_opening_of_another_entry_is_found(sit):
    """Sealed for us, but not what everybody was told of this entry."""
    _house, players = sit("bids")
    entry = players[0].log.entries[-1]
    assert entry.kind == "started"
    salt, events = bytes(32), [{"is": "LotShown", "colour": "red"}]
    entry.body["seals"][0] = decision.seal(salt, events)
    told = {"seq": entry.seq, "salt": canonical.to_base64url(salt), "events": events}
    with pytest.raises(DistrustError, match="differ from the public ones"):
        openings.check(players[0].table, entry, 0, told)


@pytest.mark.parametrize("lie", [{"pot": 9}, {"scores": [9, 0]}])
def test_a_false_view_is_found(sit, lie):
    """In an open game the position shown must be the one that the log gives."""
    house, players = sit("pig")
    house.between = lambda path, value: value | {"view": value["view"] | lie} if path == "view" else value
    distrusts(players[0], "other-view", players[0].view)
    assert players[0].evidence[-1]["shown"]["view"]["seat"] == 0


def test_the_active_seats_are_a_part_of_the_view(sit):
    """A seat that is told to wait while its clock runs would lose its time."""
    house, players = sit("pig")
    house.between = lambda path, value: value | {"active": []} if path == "view" else value
    distrusts(players[0], "other-view", players[0].view)


def test_a_view_of_an_entry_that_is_not_there_is_found(sit):
    """With a head of its own no position could ever be checked."""
    house, players = sit("pig")
    house.between = lambda path, value: value | {"head": "A" * 43} if path == "view" else value
    distrusts(players[0], "other-view", players[0].view)


def test_an_old_view_is_asked_for_again(sit):
    """A server that always shows an earlier position shows none."""
    house, players = sit("pig")
    old = house.get_view({})
    players[0].move(TURN)
    house.between = lambda path, value: old if path == "view" else value
    with pytest.raises(NoAnswerError):
        players[0].view()
    assert players[0].log.broken is None
