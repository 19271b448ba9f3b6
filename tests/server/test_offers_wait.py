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
def three(hall: Harness) -> list[Player]:
    """Two to play and one to come."""
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
def test_an_offer_waits_as_long_as_a_turn_unless_the_creator_chooses(hall: Harness, three: list[Player], wish, wait):
    """At least an hour and at most seven days; the game, its lists and entry 0 name the same number."""
    made = three[0].post("/games", {"type": "bids", "seats": 2, **wish})
    assert made.status_code == 201, made.get_data(as_text=True)
    (listed,) = hall.client.get("/v1/games").get_json()["games"]
    assert (made.get_json()["offer_wait"], listed["offer_wait"]) == (wait, wait)
    assert json.loads(made.get_json()["created"])["handover"] == {"by": wish.get("handover", "both"), "wait": wait}


def test_an_offered_seat_can_be_taken_at_the_very_second_when_its_wait_is_over(hall: Harness, three: list[Player]):
    """A second earlier it is refused with that time, and is in no list of free seats."""
    game = running(hall, three, offer_wait=WAIT)
    three[1].offer(game)
    until = iso(hall.clock() + timedelta(seconds=WAIT))
    hall.clock.forward(seconds=WAIT - 1)
    before = hall.head(game)
    refused = three[2].take(game, 1)
    assert code(refused) == (409, "offer-waits")
    assert refused.get_json()["facts"] == {"seat": 1, "free_from": until}
    assert (standing(hall, game), shown(hall, game)["free_from"]) == ((True, False, False), until)
    assert free_lists(hall, game) == ([], False)
    assert hall.head(game) == before
    hall.clock.forward(seconds=1)
    assert (standing(hall, game), shown(hall, game)["free_from"]) == ((True, False, True), None)
    assert free_lists(hall, game) == ([1], True)
    assert three[2].take(game, 1).status_code == 201


def test_a_seat_is_taken_by_the_clock_that_writes_the_entry(tmp_path, open_house):
    """Of two hosts the one whose clock is behind refuses still; no entry is dated before the wait is over."""
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


def test_lists_say_when_a_waiting_seat_can_be_taken(hall: Harness, three: list[Player]):
    """In the list of all games, and in one's own."""
    game = running(hall, three, offer_wait=WAIT)
    three[1].offer(game)
    until = iso(hall.clock() + timedelta(seconds=WAIT))
    (listed,) = hall.client.get("/v1/games").get_json()["games"]
    (own,) = three[1].get("/me/games").get_json()["games"]
    for one in (listed, own):
        assert [seat["free_from"] for seat in one["seats"]] == [None, until]


def test_the_page_of_the_game_says_when_the_seat_can_be_taken(hall: Harness, three: list[Player]):
    """And offers no button before."""
    game = running(hall, three, offer_wait=WAIT)
    three[1].offer(game)
    reader = hall.browser()
    reader.sign_in(hall, "cy@example.org")
    waiting = reader.get(f"/games/{game}").get_data(as_text=True)
    assert "Seat 2 is offered. Anyone may take it from <time" in waiting
    assert 'data-act="take"' not in waiting
    hall.clock.forward(seconds=WAIT)
    free = reader.get(f"/games/{game}").get_data(as_text=True)
    assert "Anyone may take it from" not in free
    assert 'data-act="take"' in free


def test_the_page_of_the_game_says_how_long_an_offer_waits(hall: Harness, three: list[Player]):
    """Where seats may be offered, and an offer waits at all."""
    says = "An offered seat waits 2 hours before anyone may take it."
    for wish, is_said in (({"offer_wait": 7200}, True), ({"offer_wait": 0}, False), ({"handover": "none"}, False)):
        page = hall.client.get(f"/games/{running(hall, three, **wish)}").get_data(as_text=True)
        assert (says in page, "An offered seat waits" in page) == (is_said, is_said)


def test_a_withdrawn_offer_waits_anew_when_it_is_made_again(hall: Harness, three: list[Player]):
    """A thief who offers again gains no time."""
    game = running(hall, three, offer_wait=WAIT)
    three[1].offer(game)
    hall.clock.forward(seconds=WAIT - 1)
    assert three[1].offer(game, is_open=False).status_code == 201
    assert three[1].offer(game).status_code == 201
    hall.clock.forward(seconds=1)
    assert code(three[2].take(game, 1)) == (409, "offer-waits")


def test_an_offer_of_the_recovery_key_need_not_wait(hall: Harness, three: list[Player]):
    """It hastens one of a device key, too: the recovery code gives full control of the seat."""
    game = guarded(hall, three)
    three[1].offer(game)
    assert code(three[2].take(game, 1)) == (409, "offer-waits")
    assert three[1].offer(game, by=RECOVERY).status_code == 201
    assert standing(hall, game) == (True, False, True)
    assert three[2].take(game, 1).status_code == 201


def test_naming_the_only_keys_withdraws_an_offer(hall: Harness, three: list[Player]):
    """One act of the recovery key, and the thief has neither the seat nor a key of it."""
    game = guarded(hall, three)
    three[1].offer(game)
    assert three[1].rekey(game, by=RECOVERY, only=[jwk(seed_of("fresh"))]).status_code == 201
    assert (standing(hall, game), shown(hall, game)["free_from"]) == ((False, False, False), None)


def test_an_absent_seat_whose_offer_waits_is_taken_as_absent(hall: Harness, three: list[Player]):
    """Its clock begins anew for the new holder, and the former holder is recorded as absent."""
    game = running(hall, three, offer_wait=10**7)
    three[1].offer(game)
    make_absent(hall, game, three[0])
    assert standing(hall, game) == (True, True, True)
    page = hall.client.get(f"/games/{game}").get_data(as_text=True)
    assert "is absent" in page
    assert three[2].take(game, 1).status_code == 201
    assert shown(hall, game)["bank"] == 3600
    assert "who was absent" in hall.client.get(f"/games/{game}").get_data(as_text=True)


def test_every_page_tells_its_reader_of_their_offered_seat(hall: Harness):
    """With the time from which it can be taken; nobody else reads of it there."""
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
