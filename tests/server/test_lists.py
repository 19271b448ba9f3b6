"""Lists: every filter alone and combined, complete pages, and one request for all of a player's games."""

from __future__ import annotations

import re
from itertools import product

import pytest

from engine.errors import EngineFault
from engine.record.encoding.members import MOST_SECONDS
from server.log.ledger import stop_game
from tests.server.harness import Harness, Player

OFFERED = {"clock": {"move": 600, "grace": 60}, "handover": "offer"}


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(4)]


@pytest.fixture
def games(any_hall: Harness, people: list[Player]) -> dict[str, str]:
    """One game of each kind."""
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
    "made=true": {"lobby", "running", "open"},
    "made=false&type=pig": {"stopped", "alone", "taken back"},
    "pace=sitting": {"open"},
    "pace=days": {"lobby", "running", "stopped", "alone", "taken back"},
    "pace=none": set(),
    "mine=false&free=true": {"lobby"},
    "player=Player%202": {"stopped", "alone"},
    "player=player%202": set(),
    "player=Nobody": set(),
    "player=Player%201&type=pig&stopped=false": {"lobby"},
}


@pytest.mark.slow
def test_a_filter_selects_exactly_what_it_names(people, games):
    """Each alone and some together, for the first player."""
    assert {query: found(people[0], games, query) for query in FILTERED} == FILTERED


@pytest.mark.slow
def test_the_filter_for_free_seats_agrees_with_the_field(any_hall: Harness, people, games):
    """For every game."""
    for game in any_hall.client.get("/v1/games").get_json()["games"]:
        asked = f"free={'true' if game['free_seats'] else 'false'}"
        assert game["id"] in {one["id"] for one in any_hall.client.get(f"/v1/games?{asked}").get_json()["games"]}


@pytest.mark.slow
def test_an_unlisted_table_is_listed_for_its_own_people_only(any_hall: Harness, people, games):
    """Its creator and players see it; for others no filter finds it."""
    hidden = people[0].post("/games", {"type": "pig", "seats": 3, "door": "link"}).get_json()
    assert hidden["door"] == "link"
    people[1].join(hidden["id"], 0)
    asked = ["", "status=lobby", "free=true", "player=Player%201", "type=pig", "seats=3", "pace=days", "bots=any"]
    asked += ["mine=false", "made=false", "limit=100"]
    for query in asked:
        for who in people[:3]:
            assert hidden["id"] not in who.get(f"/games?{query}").get_data(as_text=True), query
    sees = {
        query: [hidden["id"] in who.get(query).get_data(as_text=True) for who in people[:3]]
        for query in ("/games?made=true", "/games?mine=true", "/me/games", "/games?mine=false&made=true")
    }
    assert list(sees.values()) == [
        [True, False, False],
        [False, True, False],
        [False, True, False],
        [True, False, False],
    ]
    assert any_hall.client.get(f"/v1/games/{hidden['id']}").get_json()["door"] == "link"


def test_a_clock_has_one_pace(any_hall: Harness, people):
    """Every clock is found by exactly one word, one that relies on its bank too."""
    offered = any_hall.client.get("/v1/clocks").get_json()
    clocks = {one["pace"]: one["clock"] for one in offered}
    made = {}
    for pace, clock in clocks.items():
        made[pace] = people[0].post("/games", {"type": "pig", "seats": 2, "clock": clock}).get_json()["id"]
    bank = {"move": 0, "bank": 6 * 86400, "grace": 60}
    slow = people[0].post("/games", {"type": "pig", "seats": 2, "clock": bank}).get_json()["id"]
    most = dict.fromkeys(("move", "bank", "increment", "cap", "grace"), MOST_SECONDS)
    slowest = people[0].post("/games", {"type": "pig", "seats": 2, "clock": most}).get_json()["id"]
    found = {pace: {one["id"] for one in people[0].get(f"/games?pace={pace}").get_json()["games"]} for pace in clocks}
    assert found == {pace: {game} | ({slow, slowest} if pace == "week" else set()) for pace, game in made.items()}


def test_a_list_shows_options_and_clock_in_words(any_hall: Harness, people):
    """So nobody needs a request for each table."""
    wish = {"type": "tikal", "seats": 3, "options": {"variant": "auction"}, "clock": {"move": 86400}}
    people[0].post("/games", wish)
    row = any_hall.client.get("/v1/games").get_json()["games"][0]
    assert row["options"] == {"variant": "auction", "bidding": "sealed"}
    assert row["options_words"] == ["the auction game", "sealed bids"]
    assert row["clock_words"] == "1 day for each turn, a grace period of 12 hours"


@pytest.mark.slow
def test_my_games_are_sorted_by_urgency(any_hall: Harness, people):
    """Where I owe a move, least time first, no clock last; then running games; then finished ones. In pages too."""
    me, other = people[:2]
    slow = any_hall.game("bids", [me, other], clock={"move": 600000, "grace": 60})
    quick = any_hall.game("bids", [me, other], clock={"move": 600, "grace": 60})
    calm = any_hall.game("bids", [me, other], clock=None)
    done = any_hall.game("bids", [me, other])
    any_hall.play_out(done, [me, other])
    waits = any_hall.game("bids", [me, other], clock={"move": 60, "grace": 60})
    me.move(waits, [{"do": "bid", "amount": 1}])
    path, seen = "/me/games?order=urgent&limit=1", []
    while path:
        page = me.get(path)
        seen += [game["id"] for game in page.get_json()["games"]]
        path = page.headers.get("Link", "").partition(">")[0].removeprefix("</v1")
    assert seen == [quick, slow, calm, waits, done]
    assert seen == [game["id"] for game in me.get("/me/games?order=urgent").get_json()["games"]]


@pytest.mark.slow
def test_mine_needs_a_token_that_may_read(any_hall: Harness, people, games):
    """Answers to a token are not cached."""
    assert any_hall.client.get("/v1/games?mine=true").get_json()["code"] == "not-signed-in"
    narrow = people[0].post("/me/tokens", {"name": "narrow", "scopes": ["play"]}).get_json()["token"]
    refused = any_hall.client.get("/v1/games?mine=true", headers={"Authorization": f"Bearer {narrow}"})
    assert refused.get_json()["code"] == "missing-scope"
    assert people[0].get("/games?mine=true").headers["Cache-Control"] == "private, no-store"
    assert any_hall.client.get("/v1/games").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "query", ["mine=1", "free=yes", "seats=many", "handover=never", "player=%00", "limit=0", "type="]
)
def test_an_invalid_filter_is_refused(hall: Harness, query: str):
    """Ignoring it would return everything."""
    assert hall.client.get(f"/v1/games?{query}").get_json()["code"] == "bad-fields"


@pytest.mark.slow
def test_an_erased_person_is_found_by_no_name(any_hall: Harness, people, games):
    """Neither by the old name nor by its replacement."""
    people[2].erase()
    assert found(people[0], games, "player=Player%202") == set()
    assert found(people[0], games, "player=Deleted%20account") == set()


@pytest.mark.slow
def test_pages_of_games_follow_one_another(people, games):
    """With the same filters and order, each game once; `next` and `Link` agree."""
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


@pytest.mark.slow
def test_pages_of_the_log_follow_one_another(any_hall: Harness, people, games):
    """Up to the last entry."""
    address, seen = f"/v1/games/{games['running']}/log?after=-1&limit=2&wait=0", []
    while address:
        page = any_hall.client.get(address)
        seen += page.get_json()["entries"]
        link = re.fullmatch('<(.*)>; rel="next"', page.headers.get("Link", ""))
        address = link[1] if link else ""
    assert seen == any_hall.client.get(f"/v1/games/{games['running']}/log").get_json()["entries"]
    assert len(seen) > 2


@pytest.mark.slow
def test_pages_of_openings_follow_one_another(any_hall: Harness):
    """All of them, in order, with any page size; the last page is marked as last."""
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


@pytest.mark.slow
def test_one_request_shows_which_of_my_games_have_moved(any_hall: Harness, people, games):
    """Each with the head that the next act is signed on; the tag changes with any of them."""
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


@pytest.mark.slow
def test_my_games_are_filtered_by_whether_i_owe_a_move(people, games):
    people[0].move(games["running"], [{"do": "bid", "amount": 1}])
    assert found(people[0], games, "owes=true", "/me/games") == {"open"}
    assert found(people[0], games, "owes=false", "/me/games") == {"running"}
    assert found(people[1], games, "stopped=true", "/me/games") == {"stopped"}


@pytest.mark.slow
def test_my_games_accept_the_filters_of_all_games(people, games):
    mine = found(people[1], games, "", "/me/games")
    asked = [query for query in FILTERED if not {"mine", "made", "player"} & {*re.split("[=&]", query)}]
    assert mine == {"lobby", "running", "open", "stopped"}
    assert {query: found(people[1], games, query, "/me/games") for query in asked} == {
        query: FILTERED[query] & mine for query in asked
    }


@pytest.mark.slow
def test_a_game_leaves_my_list_when_another_takes_my_seat(any_hall: Harness, people, games):
    """From then on it is listed for the new holder."""
    people[2].take(games["open"], 1)
    assert "open" not in found(people[1], games, "", "/me/games")
    assert "open" in found(people[2], games, "", "/me/games")
    assert any_hall.client.get("/v1/me/games").get_json()["code"] == "not-signed-in"


def test_listing_my_games_replays_none(hall: Harness, monkeypatch):
    """However long they are, a list reads rows."""
    player, other = (hall.player(number) for number in range(2))
    made = {hall.game("pig", [player, other]) for _ in range(3)}
    monkeypatch.setattr("server.kernel.db.tables.TableCache.of", lambda *_: pytest.fail("a list folds no game"))
    assert {row["id"] for row in player.get("/me/games").get_json()["games"]} == made
