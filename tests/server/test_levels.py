"""The level that has made a house player's move is named at the table, if it is not the player's own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.harness import Harness, Player
from tests.server.test_bots import house_player, sit, table


@pytest.fixture
def players(hall: Harness) -> list[Player]:
    """A person and a strong house player."""
    return [hall.player(0), house_player(hall, "Ada", "strong")]


@pytest.fixture
def game(players: list[Player]) -> str:
    """A table of theirs; entry 4 is the person's move, and entry 5 the house player's."""
    person, ada = players
    found = table(person, type="bids", seats=2)
    assert [person.join(found, 0).status_code, sit(ada, found, 1).status_code] == [201, 201]
    assert [one.move(found, [one.legal(found)[0]]).status_code for one in players] == [201, 201]
    return found


def shown(hall: Harness, game: str) -> dict[str, Any]:
    return dict(hall.client.get(f"/v1/games/{game}").get_json())


def page(hall: Harness, game: str) -> str:
    return str(hall.browser().get(f"/games/{game}").get_data(as_text=True))


def put(player: Player, game: str, seq: int, level: str) -> Any:
    where = f"/v1/games/{game}/levels/{seq}"
    return player.harness.client.put(where, json={"level": level}, headers=player.auth)


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]


def test_everyone_sees_which_level_made_a_move(hall: Harness, players: list[Player], game: str):
    """In the game's log on its page and in the API; naming it again changes what is named."""
    assert shown(hall, game)["lowered"] == []
    for level in ("easy", "fair"):
        assert put(players[1], game, 5, level).status_code == 204
    assert shown(hall, game)["lowered"] == [{"seq": 5, "own": "strong", "level": "fair"}]
    entry = page(hall, game).partition('id="entry-5"')[2].partition("</ul>\n</li>")[0]
    assert "This move is by level fair. The player's own level is strong." in entry.replace("&#39;", "'")


def test_a_default_move_is_named_too(hall: Harness, players: list[Player], game: str):
    assert put(players[1], game, 5, "default").status_code == 204
    said = page(hall, game).replace("&#39;", "'")
    assert "This is a default move. The player's own level, strong, gave no answer." in said


def test_only_a_house_player_names_the_level_of_its_own_move(hall: Harness, players: list[Player], game: str):
    """Not a person, not a house player elsewhere, not of another's move, of a start, or of an entry to come."""
    person, ada = players
    assert refused(put(person, game, 4, "easy")) == (403, "no-level")
    assert refused(put(house_player(hall, "Ben"), game, 5, "easy")) == (403, "no-seat")
    for seq in (4, 3, 6):
        assert refused(put(ada, game, seq, "easy")) == (403, "not-your-move")
    assert put(ada, game, 5, "best").status_code == 422
    assert shown(hall, game)["lowered"] == []
