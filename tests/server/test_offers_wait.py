"""Offers wait before anyone may take the seat, so that its holder can withdraw one that a thief of a key has signed."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from server.kernel.text import iso, moment
from tests.server.harness import Harness, Player, seed_of, sqlite_url
from tests.server.test_seats import code, make_absent, running, shown, standing
from tests.server.test_tricks import RECOVERY, guarded, jwk

WAIT = 3600


@pytest.fixture
def trio(hall: Harness) -> list[Player]:
    """Ada, Ben and Cy; two of them play."""
    return [hall.player(number) for number in range(3)]


def free_lists(hall: Harness, game: str) -> tuple[list[int], bool]:
    """The free seats that a list of games names, and whether the filter finds the game."""
    (listed,) = hall.client.get("/v1/games").get_json()["games"]
    found = hall.client.get("/v1/games?free=true").get_json()["games"]
    assert listed["id"] == game
    return listed["free_seats"], [one["id"] for one in found] == [game]


@pytest.mark.parametrize(
    ("wish", "wait"),
    [
        ({"clock": {"move": 600, "bank": 60}}, 3600),
        ({"clock": {"move": 7200}}, 7200),
        ({"clock": {"move": 30 * 86400}}, 7 * 86400),
        ({"clock": None}, 7 * 86400),
        ({"handover": "none"}, 0),
        ({"handover": "absent"}, 0),
        ({"handover": "offer", "offer_wait": 0}, 0),
        ({"offer_wait": 30 * 86400}, 30 * 86400),
        ({"clock": {"move": 7200}, "offer_wait": None}, 7200),
    ],
)
def test_an_offer_waits_as_long_as_a_turn_unless_the_creator_chooses(hall: Harness, trio: list[Player], wish, wait):
    """At least an hour and at most seven days; the game, its lists and entry 0 show the same number."""
    made = trio[0].post("/games", {"type": "bids", "seats": 2, **wish})
    assert made.status_code == 201, made.get_data(as_text=True)
    (listed,) = hall.client.get("/v1/games").get_json()["games"]
    assert (made.get_json()["offer_wait"], listed["offer_wait"]) == (wait, wait)
    assert json.loads(made.get_json()["created"])["handover"] == {"by": wish.get("handover", "both"), "wait": wait}


def test_an_offered_seat_can_be_taken_in_the_second_its_wait_ends(hall: Harness, trio: list[Player]):
    """A second earlier it is refused with that time, and is in no list of free seats."""
    game = running(hall, trio, offer_wait=WAIT)
    trio[1].offer(game)
    until = iso(hall.clock() + timedelta(seconds=WAIT))
    hall.clock.forward(seconds=WAIT - 1)
    before = hall.head(game)
    refused = trio[2].take(game, 1)
    assert code(refused) == (409, "offer-waits")
    assert refused.get_json()["facts"] == {"seat": 1, "free_from": until}
    assert (standing(hall, game), shown(hall, game)["free_from"]) == ((True, False, False), until)
    assert free_lists(hall, game) == ([], False)
    assert hall.head(game) == before
    hall.clock.forward(seconds=1)
    assert (standing(hall, game), shown(hall, game)["free_from"]) == ((True, False, True), None)
    assert free_lists(hall, game) == ([1], True)
    assert trio[2].take(game, 1).status_code == 201


def test_the_host_that_writes_the_entry_decides_when_a_wait_is_over(tmp_path, open_house):
    """A host whose clock is behind still refuses; no entry is dated before the end of the wait."""
    ahead, behind = (open_house(sqlite_url(tmp_path)) for _ in range(2))
    people = [ahead.player(number) for number in range(3)]
    game = running(ahead, people, offer_wait=WAIT)
    people[1].offer(game)
    begun = ahead.clock()
    ahead.clock.forward(seconds=WAIT)
    behind.clock.forward(seconds=WAIT - 30)
    late = replace(people[2], harness=behind)
    assert code(late.take(game, 1)) == (409, "offer-waits")
    taken = people[2].take(game, 1)
    assert (taken.status_code, json.loads(taken.get_json()["entry"])["at"]) == (
        201,
        iso(begun + timedelta(seconds=WAIT)),
    )
    moved = replace(people[0], harness=behind).offer(game)
    assert json.loads(moved.get_json()["entry"])["at"] == json.loads(taken.get_json()["entry"])["at"]


def test_lists_show_when_a_waiting_seat_can_be_taken(hall: Harness, trio: list[Player]):
    """The list of all games, and the player's own."""
    game = running(hall, trio, offer_wait=WAIT)
    trio[1].offer(game)
    until = iso(hall.clock() + timedelta(seconds=WAIT))
    (listed,) = hall.client.get("/v1/games").get_json()["games"]
    (own,) = trio[1].get("/me/games").get_json()["games"]
    for one in (listed, own):
        assert [seat["free_from"] for seat in one["seats"]] == [None, until]


def test_the_game_page_shows_when_the_seat_can_be_taken(hall: Harness, trio: list[Player]):
    """It has no button before."""
    game = running(hall, trio, offer_wait=WAIT)
    trio[1].offer(game)
    reader = hall.browser()
    reader.sign_in(hall, "cy@example.org")
    waiting = reader.get(f"/games/{game}").get_data(as_text=True)
    assert "Seat 2 is offered. Anyone may take it from <time" in waiting
    assert 'data-act="take"' not in waiting
    hall.clock.forward(seconds=WAIT)
    free = reader.get(f"/games/{game}").get_data(as_text=True)
    assert "Anyone may take it from" not in free
    assert 'data-act="take"' in free


def test_the_game_page_shows_how_long_an_offer_waits(hall: Harness, trio: list[Player]):
    """If seats may be offered, and offers wait."""
    says = "An offered seat waits 2 hours before anyone may take it."
    for wish, is_said in (({"offer_wait": 7200}, True), ({"offer_wait": 0}, False), ({"handover": "none"}, False)):
        page = hall.client.get(f"/games/{running(hall, trio, **wish)}").get_data(as_text=True)
        assert (says in page, "An offered seat waits" in page) == (is_said, is_said)


def test_a_repeated_offer_waits_from_its_start(hall: Harness, trio: list[Player]):
    """A thief who offers again gains no time."""
    game = running(hall, trio, offer_wait=WAIT)
    trio[1].offer(game)
    hall.clock.forward(seconds=WAIT - 1)
    assert trio[1].offer(game, is_open=False).status_code == 201
    assert trio[1].offer(game).status_code == 201
    hall.clock.forward(seconds=1)
    assert code(trio[2].take(game, 1)) == (409, "offer-waits")


def test_an_offer_by_the_recovery_key_does_not_wait(hall: Harness, trio: list[Player]):
    """It also hastens an offer by a device key: the recovery code gives full control of the seat."""
    game = guarded(hall, trio)
    trio[1].offer(game)
    assert code(trio[2].take(game, 1)) == (409, "offer-waits")
    assert trio[1].offer(game, by=RECOVERY).status_code == 201
    assert standing(hall, game) == (True, False, True)
    assert trio[2].take(game, 1).status_code == 201


def test_replacing_the_keys_withdraws_an_offer(hall: Harness, trio: list[Player]):
    """By one act of the recovery key the thief loses the seat and its keys."""
    game = guarded(hall, trio)
    trio[1].offer(game)
    assert trio[1].rekey(game, by=RECOVERY, only=[jwk(seed_of("fresh"))]).status_code == 201
    assert (standing(hall, game), shown(hall, game)["free_from"]) == ((False, False, False), None)


def test_an_absent_seat_whose_offer_waits_is_taken_as_absent(hall: Harness, trio: list[Player]):
    """The new holder starts with a full clock, and the former holder is recorded as absent."""
    game = running(hall, trio, offer_wait=10**7)
    trio[1].offer(game)
    make_absent(hall, game, trio[0])
    assert standing(hall, game) == (True, True, True)
    page = hall.client.get(f"/games/{game}").get_data(as_text=True)
    assert "is absent" in page
    assert trio[2].take(game, 1).status_code == 201
    assert shown(hall, game)["bank"] == 3600
    assert "who was absent" in hall.client.get(f"/games/{game}").get_data(as_text=True)


def test_every_page_reminds_readers_of_their_offered_seats(hall: Harness):
    """With the time from which it can be taken; other readers do not see it."""
    players = [hall.player(number) for number in range(2)]
    game = hall.game("bids", players, offer_wait=7200)
    readers = [hall.browser() for _ in players]
    for number, reader in enumerate(readers):
        reader.sign_in(hall, f"player{number}@example.org")
    assert "is offered to others" not in readers[1].get("/tables").get_data(as_text=True)
    players[1].offer(game)
    ours, theirs = (reader.get("/tables").get_data(as_text=True) for reader in reversed(readers))
    assert "is offered to others" in ours
    assert moment(hall.clock() + timedelta(seconds=7200)) in ours
    assert "is offered to others" not in theirs
