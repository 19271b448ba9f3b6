"""Whole games over the API."""

import json

import pytest

from engine.record.audit import audit
from tests.server.harness import Harness, Player


@pytest.mark.parametrize("key", ["pig", "bids"])
def test_a_whole_game_over_the_api_passes_the_audit(any_hall: Harness, key: str):
    players = [any_hall.player(number) for number in range(2)]
    game = any_hall.game(key, players)
    any_hall.play_out(game, players)
    shown = any_hall.client.get(f"/v1/games/{game}").get_json()
    bundle = any_hall.client.get(f"/v1/games/{game}/bundle").get_data()
    report = audit(bundle)
    assert shown["status"] == "finished"
    assert report.verdict == "holds", report


def test_the_openings_of_a_seat_hold_its_own_secrets_only(hall: Harness, two: list[Player]):
    game = hall.game("bids", two)
    two[0].move(game, [{"do": "bid", "amount": 3}])
    own, other = (player.get(f"/games/{game}/openings").get_json() for player in two)
    sealed = [event for opening in own for event in opening["events"] if event["is"] == "BidSealed"]
    assert sealed == [{"is": "BidSealed", "seat": 0, "amount": 3}]
    assert '"amount": 3' not in json.dumps(other)
    assert own[-1]["done"] == 1
    assert other[-1]["done"] is None


def test_only_the_creator_can_cancel_a_game_that_nobody_else_joined(hall: Harness, two: list[Player]):
    game = two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    assert two[1].post(f"/games/{game}/cancel").get_json()["code"] == "not-host"
    answer = two[0].post(f"/games/{game}/cancel")
    assert json.loads(answer.get_json()["entry"])["kind"] == "cancelled"
    assert hall.client.get(f"/v1/games/{game}").get_json()["status"] == "cancelled"


def test_a_seat_can_be_left_before_the_start_and_taken_again(hall: Harness, two: list[Player]):
    game = two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    two[0].join(game, 0)
    left = two[0].act(game, "leave", two[0].sign(two[0].payload(game, "leave")))
    assert left.status_code == 201
    assert two[1].join(game, 0).status_code == 201


def test_the_server_plays_for_a_resigned_seat_at_once(hall: Harness):
    players = [hall.player(number) for number in range(3)]
    game = hall.game("pig", players)
    first = hall.client.get(f"/v1/games/{game}").get_json()["active"][0]
    player = players[first]
    assert player.act(game, "resign", player.sign(player.payload(game, "resign"))).status_code == 201
    shown = hall.client.get(f"/v1/games/{game}").get_json()
    assert shown["active"] != [first]
    assert shown["seats"][first]["resigned"]


def test_a_resigned_seat_is_played_as_soon_as_it_owes_a_move(hall: Harness):
    """In the request that moved, so nobody waits for the clock's next round."""
    players = [hall.player(number) for number in range(3)]
    game = hall.game("pig", players)
    first = hall.client.get(f"/v1/games/{game}").get_json()["active"][0]
    gone = players[(first + 1) % 3]
    assert gone.act(game, "resign", gone.sign(gone.payload(game, "resign"))).status_code == 201
    assert hall.client.get(f"/v1/games/{game}").get_json()["active"] == [first]
    steps = [{"do": "roll"}, {"try": {"do": "hold"}}]
    assert players[first].move(game, steps).status_code == 201
    shown = hall.client.get(f"/v1/games/{game}").get_json()
    assert shown["active"] == [(first + 2) % 3]


def test_a_key_added_to_a_seat_signs_from_then_on(hall: Harness, two: list[Player]):
    from engine.record.signed import keys

    game = hall.game("pig", two)
    player, seed = two[0], bytes(range(32))
    add = keys.jwk(keys.public_of(seed))
    assert player.act(game, "keys", player.sign(player.payload(game, "key", add=add))).status_code == 201
    player.seed = seed
    drop = player.sign(player.payload(game, "key", drop=keys.thumbprint(keys.public_of(seed))))
    assert player.act(game, "keys", drop).status_code == 201


def test_my_turns_are_ordered_by_the_time_left(hall: Harness, two: list[Player]):
    wishes = [{"clock": {"move": 9000}}, {"clock": None}, {"clock": {"move": 60}}]
    games = [hall.game("bids", two, **wish) for wish in wishes]
    owed = [turn["game"] for turn in two[0].get("/me/turns").get_json()]
    assert owed == [games[2], games[0], games[1]]


def test_options_that_do_not_fit_the_number_of_seats_make_no_game(hall: Harness, two: list[Player]):
    wish = {"type": "lewis_clark", "options": {"level": 3}}
    refused = two[0].post("/games", wish | {"seats": 2})
    assert (refused.status_code, refused.get_json()["code"]) == (422, "bad-options")
    assert "one player only" in refused.get_json()["detail"]
    assert two[0].post("/games", wish | {"seats": 1}).status_code == 201
