"""Lists: every filter alone and together, pages that leave nothing out, and one look at all of one's games."""

from __future__ import annotations

import re
from itertools import product

import pytest

from engine.errors import EngineFault
from server.usecases.fault import stop_game
from tests.server.house import House, Player

OFFERED = {"clock": {"move": 600, "grace": 60}, "handover": "offer"}


@pytest.fixture
def people(any_hall: House) -> list[Player]:
    return [any_hall.player(number) for number in range(4)]


@pytest.fixture
def games(any_hall: House, people: list[Player]) -> dict[str, str]:
    """One of each kind, made one after the other."""
    hall, made = any_hall, {}

    def add(name: str, game: str) -> str:
        hall.clock.forward(seconds=1)
        made[name] = game
        return game

    add("lobby", people[0].post("/games", {"type": "pig", "seats": 3}).get_json()["id"])
    people[1].join(made["lobby"], 0)
    add("running", hall.game("bids", people[:2], handover="none"))
    open_ = add("open", hall.game("bids", people[:2], **OFFERED))
    people[1].offer(open_)
    add("stopped", hall.game("pig", people[1:3]))
    stop_game(hall.services, made["stopped"], EngineFault("planted"))
    add("alone", hall.game("pig", people[2:]))
    add("taken back", people[2].post("/games", {"type": "pig", "seats": 2}).get_json()["id"])
    people[2].post(f"/games/{made['taken back']}/cancel")
    return made


def found(who: Player, games: dict[str, str], query: str, path: str = "/games") -> set[str]:
    names = {game: name for name, game in games.items()}
    answer = who.get(f"{path}?{query}")
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return {names[game["id"]] for game in answer.get_json()["games"]}


FILTERED = {
    "status=lobby": {"lobby"},
    "status=cancelled": {"taken back"},
    "type=bids": {"running", "open"},
    "type=lewis_clark": set(),
    "handover=none": {"running"},
    "hidden=true": {"running", "open"},
    "hidden=false&status=running": {"stopped", "alone"},
    "seats=3": {"lobby"},
    "stopped=true": {"stopped"},
    "stopped=false&type=pig": {"lobby", "alone", "taken back"},
    "free=true": {"lobby", "open"},
    "free=false": {"running", "stopped", "alone", "taken back"},
    "mine=true": {"running", "open"},
    "mine=false&free=true": {"lobby"},
    "player=Player%202": {"stopped", "alone"},
    "player=player%202": set(),
    "player=Nobody": set(),
    "player=Player%201&type=pig&stopped=false": {"lobby"},
}


def test_a_filter_takes_what_it_names_and_nothing_else(people, games):
    """Each alone and some together, as the first player sees them."""
    assert {query: found(people[0], games, query) for query in FILTERED} == FILTERED


def test_free_seats_are_those_that_the_list_tells(any_hall: House, people, games):
    """The filter and the field agree, for every game."""
    for game in any_hall.client.get("/v1/games").get_json()["games"]:
        asked = f"free={'true' if game['free_seats'] else 'false'}"
        assert game["id"] in {one["id"] for one in any_hall.client.get(f"/v1/games?{asked}").get_json()["games"]}


def test_mine_needs_a_token_that_may_read(any_hall: House, people, games):
    """Anybody may list, but who are you? And what a token tells is stored nowhere."""
    assert any_hall.client.get("/v1/games?mine=true").get_json()["code"] == "not-signed-in"
    narrow = people[0].post("/me/tokens", {"name": "narrow", "scopes": ["play"]}).get_json()["token"]
    refused = any_hall.client.get("/v1/games?mine=true", headers={"Authorization": f"Bearer {narrow}"})
    assert refused.get_json()["code"] == "missing-scope"
    assert people[0].get("/games?mine=true").headers["Cache-Control"] == "private, no-store"
    assert any_hall.client.get("/v1/games").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "query", ["mine=1", "free=yes", "seats=many", "handover=never", "player=%00", "limit=0", "type="]
)
def test_a_filter_that_cannot_be_read_is_refused(hall: House, query: str):
    """Not ignored: that would answer with everything."""
    assert hall.client.get(f"/v1/games?{query}").get_json()["code"] == "bad-fields"


def test_an_erased_person_is_found_by_no_name(any_hall: House, people, games):
    """Neither by the old one nor by what stands in its place."""
    any_hall.client.delete("/v1/me", headers=people[2].auth)
    assert found(people[0], games, "player=Player%202") == set()
    assert found(people[0], games, "player=erased") == set()


def test_pages_follow_one_another_by_link(people, games):
    """With the same filters, each game once, in the order of the whole list; `next` says the same as `Link`."""
    for path, query in product(["/games", "/me/games"], ["", "type=bids&", "stopped=false&"]):
        whole = [game["id"] for game in people[1].get(f"{path}?{query}limit=100").get_json()["games"]]
        address, seen = f"{path}?{query}limit=1", []
        while address:
            page = people[1].get(address)
            seen += [game["id"] for game in page.get_json()["games"]]
            link = re.fullmatch('</v1(.*)>; rel="next"', page.headers.get("Link", ""))
            assert (link is None) == (page.get_json()["next"] is None)
            address = link[1] if link else ""
        assert seen == whole
        assert len(whole) >= 2


def test_the_log_pages_by_link_too(any_hall: House, people, games):
    """To the last entry, and no further."""
    address, seen = f"/v1/games/{games['running']}/log?after=-1&limit=2&wait=0", []
    while address:
        page = any_hall.client.get(address)
        seen += page.get_json()["entries"]
        link = re.fullmatch('<(.*)>; rel="next"', page.headers.get("Link", ""))
        address = link[1] if link else ""
    assert seen == any_hall.client.get(f"/v1/games/{games['running']}/log").get_json()["entries"]
    assert len(seen) > 2


def test_the_openings_page_by_link_too(any_hall: House):
    """All of them, in order, however long a page is; the last page says that it is."""
    two = [any_hall.player(number) for number in range(2)]
    game = any_hall.game("bids", two)
    any_hall.play_out(game, two)
    whole = two[0].get(f"/games/{game}/openings")
    assert "Link" not in whole.headers
    paged, path = [], f"/v1/games/{game}/openings?limit=2"
    while path:
        answer = any_hall.client.get(path, headers=two[0].auth)
        assert len(answer.get_json()) <= 2
        paged += answer.get_json()
        path = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert paged == whole.get_json()
    assert len(paged) > 4


def test_one_request_tells_which_of_my_games_have_moved(any_hall: House, people, games):
    """Each with the head that the next act is signed upon; the tag changes with any of them."""
    first = people[0].get("/me/games")
    rows = {row["id"]: row for row in first.get_json()["games"]}
    assert set(rows) == {games["running"], games["open"]}
    for game, row in rows.items():
        shown = any_hall.client.get(f"/v1/games/{game}").get_json()
        assert (row["head"], row["status"], row["stopped"]) == (shown["head"], "running", False)
        assert (row["seat"], row["owes"]) == (0, True)
        due = {one["seat"]: one["deadline"] for one in shown["deadlines"]}
        assert row["deadline"] == due[0]
    have = {"If-None-Match": first.headers["ETag"]}
    assert people[0].get("/me/games", headers=have).status_code == 304
    assert people[0].move(games["running"], [{"do": "bid", "amount": 1}]).status_code == 201
    moved = people[0].get("/me/games", headers=have).get_json()["games"]
    assert [row["id"] for row in moved if row["head"] != rows[row["id"]]["head"]] == [games["running"]]


def test_my_games_are_filtered_by_what_i_owe(people, games):
    """A move makes the difference."""
    people[0].move(games["running"], [{"do": "bid", "amount": 1}])
    assert found(people[0], games, "owes=true", "/me/games") == {"open"}
    assert found(people[0], games, "owes=false", "/me/games") == {"running"}
    assert found(people[1], games, "stopped=true", "/me/games") == {"stopped"}


def test_my_games_take_the_filters_of_all_games(people, games):
    """Of what a filter takes of all games, one's own are left."""
    mine = found(people[1], games, "", "/me/games")
    asked = [query for query in FILTERED if not {"mine", "player"} & {*re.split("[=&]", query)}]
    assert mine == {"lobby", "running", "open", "stopped"}
    assert {query: found(people[1], games, query, "/me/games") for query in asked} == {
        query: FILTERED[query] & mine for query in asked
    }


def test_my_games_are_mine_while_i_sit_there(any_hall: House, people, games):
    """Whoever takes the seat has the game from then on."""
    people[2].take(games["open"], 1)
    assert "open" not in found(people[1], games, "", "/me/games")
    assert "open" in found(people[2], games, "", "/me/games")
    assert any_hall.client.get("/v1/me/games").get_json()["code"] == "not-signed-in"


def test_a_look_at_my_games_folds_none(hall: House, monkeypatch):
    """However long they are, a list reads rows."""
    player, other = (hall.player(number) for number in range(2))
    made = {hall.game("pig", [player, other]) for _ in range(3)}
    monkeypatch.setattr("server.log.tables.Tables.of", lambda *_: pytest.fail("a list folds no game"))
    assert {row["id"] for row in player.get("/me/games").get_json()["games"]} == made
