"""An ETag covers everything in its body: any change, by an entry or without one, makes another tag."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec
import pytest
import sqlalchemy as sa

from engine.errors import EngineFault
from server.kernel.db.models import Game
from server.log.ledger import stop_game
from server.play import read
from server.play.write import expire
from server.tables.write import grant_as_operator
from tests.server.harness import BY, Harness, Player

CLOCK = {"move": 600, "bank": 60, "cap": 600, "increment": 10, "grace": 60, "missed": 1}


@pytest.fixture
def people(hall: Harness) -> list[Player]:
    return [hall.player(number) for number in range(3)]


@pytest.fixture
def game(hall: Harness, people: list[Player]) -> str:
    """Two play, with a clock; the third may take a seat."""
    return hall.game("bids", people[:2], clock=CLOCK)


def lose_lines(hall: Harness, game: str) -> None:
    with hall.services.database.write() as session:
        lost = {"missing_since": hall.clock(), "shown_size": 99}
        session.execute(sa.update(Game).where(Game.id == game).values(lost))


def late(hall: Harness, game: str) -> None:
    hall.clock.forward(days=1)
    assert expire(hall.services, game, 0)


CHANGES: dict[str, Callable[[Harness, list[Player], str], object]] = {
    "a move": lambda hall, who, game: who[0].move(game, [{"do": "bid", "amount": 1}]),
    "another name": lambda hall, who, game: hall.client.patch(
        "/v1/me", json={"name": "Somebody else"}, headers=who[0].auth
    ),
    "erased": lambda hall, who, game: who[1].erase(),
    "a fault of this server": lambda hall, who, game: stop_game(hall.services, game, EngineFault("planted")),
    "missing lines": lambda hall, who, game: lose_lines(hall, game),
    "the clock, and absent": lambda hall, who, game: late(hall, game),
    "granted": lambda hall, who, game: grant_as_operator(hall.services, BY, game, 60),
    "offered": lambda hall, who, game: who[1].offer(game),
    "resigned": lambda hall, who, game: who[1].resign(game),
    "another game": lambda hall, who, game: hall.game("pig", who[:2]),
}
# Their tags are made from what the body is derived from, so a new entry makes another one of the same body.
AHEAD = {"/games/{game}/view", "/games/{game}/picture", "/games/{game}/legal", "page"}
PATHS = [
    "/games",
    "/games/{game}",
    "/games/{game}/log",
    "/games/{game}/bundle",
    "/games/{game}/view",
    "/games/{game}/picture",
    "/games/{game}/legal",
    "/games/{game}/openings",
    "/me/turns",
    "/types",
    "/types/bids",
]


def looks(hall: Harness, who: Player, game: str) -> dict[str, tuple[bytes, str]]:
    found = {path: who.get(path.format(game=game)) for path in PATHS}
    found["page"] = hall.client.get(f"/games/{game}/picture.svg")
    return {path: (answer.get_data(), answer.headers["ETag"]) for path, answer in found.items()}


@pytest.mark.parametrize("change", CHANGES)
def test_a_tag_changes_with_its_body_and_only_with_it(hall: Harness, people: list[Player], game: str, change: str):
    """For every address with a tag, before and after each thing that can happen."""
    before = looks(hall, people[0], game)
    CHANGES[change](hall, people, game)
    after = looks(hall, people[0], game)
    moved = {path for path in before if before[path][0] != after[path][0]}
    tagged = {path for path in before if before[path][1] != after[path][1]}
    assert moved
    assert moved <= tagged <= moved | AHEAD


@pytest.mark.parametrize("change", ["another name", "erased", "a fault of this server", "missing lines"])
def test_polling_notices_changes_without_an_entry(hall: Harness, people: list[Player], game: str, change: str):
    """The old tag gets the game, and the new one 304."""
    address = f"/v1/games/{game}"
    have = {"If-None-Match": hall.client.get(address).headers["ETag"]}
    assert hall.client.get(address, headers=have).status_code == 304
    CHANGES[change](hall, people, game)
    fresh = hall.client.get(address, headers=have)
    assert fresh.status_code == 200
    assert hall.client.get(address, headers={"If-None-Match": fresh.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize("path", PATHS)
def test_a_tag_reveals_nothing_about_another_body(hall: Harness, people: list[Player], game: str, path: str):
    """Each of two seats has its own; a guessed tag gets the reader's own view."""
    first, second = (who.get(path.format(game=game)) for who in people[:2])
    is_same, has_same = first.get_data() == second.get_data(), first.headers["ETag"] == second.headers["ETag"]
    assert is_same if has_same else path in AHEAD or not is_same
    guess = second.headers["ETag"]
    answer = people[0].get(path.format(game=game), headers={"If-None-Match": guess})
    assert answer.status_code == (304 if first.headers["ETag"] == guess else 200)


# --- Tags that are known before the body ------------------------------------------------------------------------------

LOOKS = ("view", "picture", "legal")


def tags(who: Player, game: str, query: str = "") -> dict[str, str]:
    asked = [what for what in LOOKS if what != "legal" or not query]
    return {what: who.get(f"/games/{game}/{what}{query}").headers["ETag"] for what in asked}


@pytest.mark.parametrize("what", LOOKS)
def test_a_known_answer_is_not_made_again(hall: Harness, people: list[Player], game: str, what: str, monkeypatch):
    """Looking it up costs no rules, no drawing and no query for its sentences."""
    address = f"/games/{game}/{what}"
    have = {"If-None-Match": people[0].get(address).headers["ETag"]}

    def fail(*_: object) -> None:
        raise AssertionError("it was made")

    for made in ("view", "sentences", "picture", "legal_commands"):
        monkeypatch.setattr(read, made, fail)
    answer = people[0].get(address, headers=have)
    assert (answer.status_code, answer.data) == (304, b"")
    assert answer.headers["ETag"] == have["If-None-Match"].removeprefix("W/")
    assert "Content-Type" not in answer.headers


def test_a_tag_stands_for_operation_game_head_seat_and_names(hall: Harness, people: list[Player], game: str):
    """Each of them alone makes another tag."""
    ada, ben, _ = people
    first = tags(ada, game)
    assert len(set(first.values())) == len(LOOKS), "operation"
    assert not first.items() & tags(ben, game).items(), "seat"
    assert first["view"] != hall.client.get(f"/v1/games/{game}/view").headers["ETag"], "seat"
    assert not first.items() & tags(ada, hall.game("bids", people[:2], clock=CLOCK)).items(), "game"
    hall.client.patch("/v1/me", json={"name": "Bea"}, headers=ben.auth)
    named = tags(ada, game)
    assert not first.items() & named.items(), "names"
    ada.move(game, [{"do": "bid", "amount": 1}])
    moved = tags(ada, game)
    assert not named.items() & moved.items(), "head"
    last = hall.head(game)[0] - 1
    assert tags(ada, game, f"?at={last}") == {what: moved[what] for what in ("view", "picture")}
    assert not tags(ada, game, f"?at={last - 1}").items() & moved.items(), "an earlier entry"


def test_a_tag_stands_for_the_program(hall: Harness, people: list[Player], game: str, monkeypatch):
    """After an upgrade nobody keeps a picture that is drawn otherwise now."""
    before = tags(people[0], game)
    monkeypatch.setattr(read, "_program", lambda key: "another")
    assert not before.items() & tags(people[0], game).items()


def test_a_tag_tells_nothing_hidden(hall: Harness, people: list[Player], game: str):
    """It is made from the public log, the reader's seat and the names; a sealed bid is in none of them."""
    people[0].move(game, [{"do": "bid", "amount": 1}])
    for who in people[1:]:
        at = read.perspective(hall.services, game, who.account)
        seen = (read._program("bids"), game, hall.client.get(f"/v1/games/{game}").get_json()["head"]["hash"], at.seat)
        public = hashlib.sha256(msgspec.json.encode((*seen, at.names))).hexdigest()[:32]
        assert at.fingerprint == public


def test_only_a_player_may_ask_for_legal_commands_whatever_they_have(hall: Harness, people: list[Player], game: str):
    """A guessed tag does not replace the seat."""
    answer = people[2].get(f"/games/{game}/legal", headers={"If-None-Match": "*"})
    assert (answer.status_code, answer.get_json()["code"]) == (403, "no-seat")
