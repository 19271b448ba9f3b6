"""One's turns, polled: with a tag, and held until there is another list."""

import pytest

from tests.server.harness import Harness, Player, sqlite_url

BID = [{"do": "bid", "amount": 1}]


def test_turns_are_not_sent_again_until_they_change(hall: Harness, two: list[Player]):
    """A turn taken away, and one more."""
    game = hall.game("bids", two)
    have = {"If-None-Match": two[0].get("/me/turns").headers["ETag"]}
    assert two[0].get("/me/turns", headers=have).status_code == 304
    two[0].move(game, BID)
    fresh = two[0].get("/me/turns", headers=have)
    assert (fresh.status_code, fresh.get_json()) == (200, [])


def test_a_wait_ends_with_the_turn(hall: Harness, two: list[Player], waits):
    """Held by one request, ended by another's move."""
    game = hall.game("bids", two)
    two[0].move(game, BID)
    have = {**two[0].auth, "If-None-Match": two[0].get("/me/turns").headers["ETag"]}
    waits.meanwhile.append(lambda: two[1].move(game, BID))
    waited = hall.app.test_client().get("/v1/me/turns?wait=20", headers=have)
    assert [turn["game"] for turn in waited.get_json()] == [game]
    assert waits.looks == 1


def test_a_wait_that_nothing_ends_is_304(hall: Harness, two: list[Player]):
    """When its time is over."""
    hall.game("bids", two)
    have = {"If-None-Match": two[0].get("/me/turns").headers["ETag"]}
    assert two[0].get("/me/turns?wait=1", headers=have).status_code == 304


def test_a_caller_without_a_list_does_not_wait(hall: Harness, two: list[Player], waits):
    """The first look is answered at once."""
    assert two[0].get("/me/turns?wait=20").get_json() == []
    assert waits.looks == 0


@pytest.mark.parametrize(
    ("query", "code"), [("wait=26", "wait-too-long"), ("wait=-1", "bad-fields"), ("wait=x", "bad-fields")]
)
def test_a_wait_that_cannot_be_is_refused(hall: Harness, two: list[Player], query: str, code: str):
    """Not cut short in silence."""
    assert two[0].get(f"/me/turns?{query}").get_json()["code"] == code


def test_when_all_places_are_taken_nobody_is_told_to_ask_again_at_once(tmp_path, open_house):
    """503, and when to come back."""
    hall = open_house(sqlite_url(tmp_path), most_waiting=0)
    player = hall.player(0)
    have = {"If-None-Match": player.get("/me/turns").headers["ETag"]}
    answer = player.get("/me/turns?wait=5", headers=have)
    assert (answer.status_code, answer.get_json()["code"]) == (503, "no-place")
    assert int(answer.headers["Retry-After"]) > 0
    assert player.get("/me/turns", headers=have).status_code == 304
