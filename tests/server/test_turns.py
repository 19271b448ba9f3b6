"""The list of turns, polled: with a tag, and held until it changes."""

import pytest

from tests.server.harness import Harness, Player, sqlite_url

BID = [{"do": "bid", "amount": 1}]


def test_unchanged_turns_are_304(hall: Harness, two: list[Player]):
    """One turn less changes them, and one more."""
    game = hall.game("bids", two)
    have = {"If-None-Match": two[0].get("/me/turns").headers["ETag"]}
    assert two[0].get("/me/turns", headers=have).status_code == 304
    two[0].move(game, BID)
    fresh = two[0].get("/me/turns", headers=have)
    assert (fresh.status_code, fresh.get_json()) == (200, [])


def test_a_wait_ends_when_the_turns_change(hall: Harness, two: list[Player], waits):
    """Held by one request, ended by another's move."""
    game = hall.game("bids", two)
    two[0].move(game, BID)
    have = {**two[0].auth, "If-None-Match": two[0].get("/me/turns").headers["ETag"]}
    waits.meanwhile.append(lambda: two[1].move(game, BID))
    waited = hall.app.test_client().get("/v1/me/turns?wait=20", headers=have)
    assert [turn["game"] for turn in waited.get_json()] == [game]
    assert waits.looks == 1


def test_a_wait_that_nothing_ends_is_304(hall: Harness, two: list[Player]):
    """After its time."""
    hall.game("bids", two)
    have = {"If-None-Match": two[0].get("/me/turns").headers["ETag"]}
    assert two[0].get("/me/turns?wait=1", headers=have).status_code == 304


def test_a_caller_without_a_tag_does_not_wait(hall: Harness, two: list[Player], waits):
    """The first request is answered at once."""
    assert two[0].get("/me/turns?wait=20").get_json() == []
    assert waits.looks == 0


@pytest.mark.parametrize(
    ("query", "code"), [("wait=26", "wait-too-long"), ("wait=-1", "bad-fields"), ("wait=x", "bad-fields")]
)
def test_an_invalid_wait_is_refused(hall: Harness, two: list[Player], query: str, code: str):
    """It is not shortened silently."""
    assert two[0].get(f"/me/turns?{query}").get_json()["code"] == code


def test_when_all_places_are_taken_a_wait_is_503_with_a_delay(tmp_path, open_house):
    hall = open_house(sqlite_url(tmp_path), most_waiting=0)
    player = hall.player(0)
    have = {"If-None-Match": player.get("/me/turns").headers["ETag"]}
    answer = player.get("/me/turns?wait=5", headers=have)
    assert (answer.status_code, answer.get_json()["code"]) == (503, "no-place")
    assert int(answer.headers["Retry-After"]) > 0
    assert player.get("/me/turns", headers=have).status_code == 304
