"""The same signed bytes again: whenever, through whichever process, by whomever, they give the same public answer."""

import json

from engine.record.signed import keys
from tests.server.harness import Harness, Player
from tests.server.test_secrets import secrets_of


def logged(hall: Harness, game: str) -> list[dict]:
    """Every entry that holds a JWS."""
    lines = hall.client.get(f"/v1/games/{game}/log").get_json()["entries"]
    return [entry for entry in map(json.loads, lines) if entry.get("jws")]


PATHS = {"joined": "join", "moved": "moves", "keyed": "keys", "resigned": "resign"}


def repost(hall: Harness, game: str, entry: dict):
    """Post an act again from the public log, without a token and without the text of a sealed move."""
    return hall.client.post(f"/v1/games/{game}/{PATHS[entry['kind']]}", json={"jws": entry["jws"]})


def test_whoever_posts_the_log_again_gets_public_bytes_only(hall: Harness, two: list[Player]):
    """Each JWS of a hidden game, joins and sealed moves alike: the answer is its entry and the note of that size."""
    game = hall.game("bids", two, options={"lots": 2})
    for player in two:
        player.move(game, [{"do": "bid", "amount": 3}])
    entries = logged(hall, game)
    assert {entry["kind"] for entry in entries} == {"joined", "moved"}
    told = ""
    for entry in entries:
        answer = repost(hall, game, entry)
        assert answer.status_code == 200
        assert json.loads(answer.get_json()["entry"]) == entry
        assert answer.get_json()["note"].splitlines()[1] == str(entry["seq"] + 1)
        told += answer.get_data(as_text=True)
    link = hall.link("player0@example.org")
    assert not [secret for secret in secrets_of(hall, game, link, two) if secret in told]


def test_an_act_is_answered_the_same_after_its_key_was_dropped(hall: Harness, two: list[Player]):
    """The key signed while it was in force, and the log says so for ever."""
    game = hall.game("bids", two)
    player, other = two[0], bytes(range(32))
    body = player.signed_move(game, [{"do": "bid", "amount": 1}])
    first = hall.client.post(f"/v1/games/{game}/moves", json=body)
    add = player.sign(player.payload(game, "key", add=keys.jwk(keys.public_of(other))))
    assert player.act(game, "keys", add).status_code == 201
    old = keys.thumbprint(keys.public_of(player.seed))
    player.seed = other
    assert player.act(game, "keys", player.sign(player.payload(game, "key", drop=old))).status_code == 201
    again = hall.client.post(f"/v1/games/{game}/moves", json=body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.get_data() == first.get_data()


def test_a_server_that_died_between_commit_and_answer_gives_the_answer_later(any_hall: Harness, open_house):
    """The next process has nothing but the database, and the same bytes to tell."""
    players = [any_hall.player(number) for number in range(2)]
    game = any_hall.game("bids", players)
    body = players[0].signed_move(game, [{"do": "bid", "amount": 1}])
    first = any_hall.client.post(f"/v1/games/{game}/moves", json=body)
    next_one = open_house(any_hall.services.settings.database_url)
    again = next_one.client.post(f"/v1/games/{game}/moves", json=body)
    assert again.status_code == 200
    assert again.get_data() == first.get_data()
