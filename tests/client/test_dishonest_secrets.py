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
    """A server with a game and its players in their seats."""
    return lambda key, seats=2, **given: seated(tmp_path, key, seats, **given)


def test_a_loaded_die_is_refused(sit):
    """The server logs another result than its key gives: the client signs nothing more."""
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
def test_public_events_with_a_secret_are_refused(sit, change, code):
    """A public bid, or an unknown event, is found while the game runs."""
    house, players = sit("bids")
    players[0].move([{"do": "bid", "amount": 1}])
    house.falsify(events=change(canonical.loads(house.lines[-1])["events"]))
    distrusts(players[1], code)


def test_a_false_opening_is_found(sit, tmp_path):
    """It shows a seat another card than its commitment."""
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
def test_an_opening_without_its_entry_is_found(sit, seq):
    """Of an entry without events, or of a missing one."""
    house, players = sit("bids")
    house.between = lambda path, value: [value[0] | {"seq": seq}] if path == "openings" else value
    distrusts(players[0], "wrong-opening", players[0].openings)


def test_an_opening_of_another_entry_is_found(sit):
    """It matches a commitment for this seat, but not the public events of this entry."""
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
    """In an open game the view must follow from the log."""
    house, players = sit("pig")
    house.between = lambda path, value: value | {"view": value["view"] | lie} if path == "view" else value
    distrusts(players[0], "other-view", players[0].view)
    assert players[0].evidence[-1]["shown"]["view"]["seat"] == 0


def test_false_active_seats_are_found(sit):
    """A seat that waits while its clock runs would lose its time."""
    house, players = sit("pig")
    house.between = lambda path, value: value | {"active": []} if path == "view" else value
    distrusts(players[0], "other-view", players[0].view)


def test_a_view_of_a_missing_entry_is_found(sit):
    """Otherwise no view could be checked."""
    house, players = sit("pig")
    house.between = lambda path, value: value | {"head": "A" * 43} if path == "view" else value
    distrusts(players[0], "other-view", players[0].view)


def test_an_old_view_is_requested_again(sit):
    """And a server that always shows an old one is reported."""
    house, players = sit("pig")
    old = house.get_view({})
    players[0].move(TURN)
    house.between = lambda path, value: old if path == "view" else value
    with pytest.raises(NoAnswerError):
        players[0].view()
    assert players[0].log.broken is None
