"""An ETag covers everything in its body: any change, by an entry or without one, makes another tag."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from engine.errors import EngineFault
from server.kernel.db.models import Game
from server.log.ledger import stop_game
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
    assert moved
    assert {path for path in before if before[path][1] != after[path][1]} == moved


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
    assert (first.get_data() == second.get_data()) == (first.headers["ETag"] == second.headers["ETag"])
    guess = second.headers["ETag"]
    answer = people[0].get(path.format(game=game), headers={"If-None-Match": guess})
    assert answer.status_code == (304 if first.headers["ETag"] == guess else 200)
