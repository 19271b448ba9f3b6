"""The front page, the lobby, the form for a table and the game's actions, with and without a session."""

from __future__ import annotations

import re
from html import unescape

import pytest

from server.accounts.bots import write as bots
from tests.server.harness import BY, Client, Harness, Player


def text(answer) -> str:
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return unescape(answer.get_data(as_text=True).partition("<main")[2].partition("</main>")[0])


def words(answer) -> str:
    return " ".join(re.sub("<[^>]*>", " ", text(answer)).split())


def games(answer) -> list[str]:
    return re.findall('href="/games/([^"?]+)"', text(answer))


@pytest.fixture
def ada(hall: Harness, two: list[Player]) -> Client:
    """The first player's browser."""
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    return browser


# --- the front page ---------------------------------------------------------------------------------------------------


def test_the_front_page_begins_with_my_most_urgent_game(hall: Harness, two, ada):
    """With the time left and the other players; other readers have no such list."""
    slow = hall.game("bids", two, clock={"move": 86400, "grace": 60})
    quick = hall.game("bids", two, clock={"move": 600, "grace": 60})
    waits = hall.game("bids", two)
    two[0].move(waits, [{"do": "bid", "amount": 1}])
    shown = ada.get("/")
    mine = words(shown).partition("Play now")[0]
    assert games(shown)[:3] == [quick, slow, waits]
    assert mine.startswith('id="main"> Your tables Bids')
    assert "with Player 1 your turn 11 minutes left" in mine
    assert "waiting for others" in mine
    assert "Your tables" not in words(hall.client.get("/"))


def test_play_now_offers_the_available_levels(hall: Harness, ada):
    """Without house players the page says so; without a session the same button makes a guest."""
    assert "This server does not have house players" in words(ada.get("/"))
    bots.create_house(hall.services, BY, "York", "easy")
    shown = text(ada.get("/"))
    assert re.findall(r'<option value="(\w+)" data-players="1">easy<', shown) == ["easy"]
    assert "<button disabled>Play now</button>" in shown
    stranger = text(hall.client.get("/"))
    assert "<button disabled>Play now</button>" in stranger
    assert "You do not need an account to try it." in stranger


@pytest.mark.slow
def test_next_game_leads_to_another_game_that_waits_for_me(hall: Harness, two, ada):
    """The most urgent other one; the front page if there is none, or without a session."""
    assert ada.get("/next").location == "/"
    assert "/next" not in ada.get("/").get_data(as_text=True)
    late = hall.game("bids", two, clock={"move": 86400, "grace": 60})
    soon = hall.game("bids", two, clock={"move": 600, "grace": 60})
    assert ada.get("/next").location == f"/games/{soon}"
    assert ada.get(f"/next?from={soon}").location == f"/games/{late}"
    header = ada.get(f"/games/{soon}").get_data(as_text=True).partition("<main")[0]
    assert f'href="/next?from={soon}"' in header
    assert re.search('class="count"[^>]*>1<', header)
    assert re.search('class="count"[^>]*>2<', ada.get("/").get_data(as_text=True))
    assert hall.browser().get("/next").location == "/"


# --- the lobby --------------------------------------------------------------------------------------------------------


def test_a_line_shows_variant_clock_people_and_free_seats(hall: Harness, two):
    """Enough to choose a table without opening it."""
    bots.create_house(hall.services, BY, "York", "easy")
    wish = {"type": "tikal", "seats": 4, "options": {"variant": "auction"}, "house": [{"seat": 3, "level": "easy"}]}
    two[1].join(two[0].post("/games", wish).get_json()["id"], 0)
    line = words(hall.client.get("/tables"))
    assert "Player 1 , 1 seat reserved for house players (easy) 2 of 4 seats free" in line
    assert "the auction game sealed bids 3 days for each turn, a grace period of 12 hours · hidden information" in line


def test_filters_are_part_of_the_address(hall: Harness, two, ada):
    """They work without a script, show their values, and are kept in the link to older tables."""
    lobby = two[0].post("/games", {"type": "pig", "seats": 3}).get_json()["id"]
    slow = two[1].post("/games", {"type": "bids", "seats": 3, "clock": {"move": 10**6}}).get_json()["id"]
    running = hall.game("pig", two)
    asked = {
        "": {lobby, slow},
        "?status=": {lobby, slow, running},
        "?type=pig": {lobby, running},
        "?pace=week": {slow},
        "?free=true": {lobby, slow},
        "?mine=true": {running},
        "?made=true": {lobby, running},
    }
    assert {query: set(games(ada.get(f"/tables{query}"))) for query in asked} == asked
    assert '<option value="week" selected>' in text(ada.get("/tables?pace=week"))


def test_older_tables_are_a_link_away(hall: Harness, two, monkeypatch):
    """With the same filters, each table once."""
    monkeypatch.setattr("server.tables.page.A_PAGE", 2)
    made = [two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"] for _ in range(3)]
    two[0].post("/games", {"type": "bids", "seats": 2})
    link, seen = ["/tables?type=pig&status=lobby"], []
    while link:
        page = hall.client.get(link[0])
        seen += games(page)
        link = re.findall('rel="next" href="([^"]+)"', text(page))
    assert sorted(seen) == sorted(made)


@pytest.mark.parametrize("query", ["status=odd", "after=x", "free=7", "mine=true", "type=%00", "limit=9999", "odd=1"])
def test_an_invalid_filter_is_ignored_on_the_page(hall: Harness, two, query):
    """Without a session there are no tables of one's own."""
    game = two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    assert games(hall.client.get(f"/tables?{query}")) == [game]


def test_an_unlisted_table_is_shown_to_its_own_people_only(hall: Harness, two, ada):
    """Its own page is for everybody who has the link, and is not indexed."""
    game = two[0].post("/games", {"type": "pig", "seats": 2, "door": "link"}).get_json()["id"]
    for path in ("/", "/tables", "/tables?status=", "/tables?free=true"):
        assert game not in hall.client.get(path).get_data(as_text=True)
        assert game not in ada.get(path).get_data(as_text=True)
    assert games(ada.get("/tables?made=true")) == [game]
    shown = hall.client.get(f"/games/{game}")
    assert shown.headers["X-Robots-Tag"] == "noindex"
    listed = hall.client.get(f"/games/{two[0].post('/games', {'type': 'pig', 'seats': 2}).get_json()['id']}")
    assert "X-Robots-Tag" not in listed.headers


def test_markup_in_names_is_escaped(hall: Harness, two, ada):
    """In every list and on the game's page."""
    two[1].harness.client.patch("/v1/me", json={"name": "<script>x</script>"}, headers=two[1].auth)
    game = hall.game("bids", two)
    for path in ("/", "/tables?status=", f"/games/{game}"):
        assert "<script>x" not in ada.get(path).get_data(as_text=True)


def test_two_players_with_one_name_are_told_apart(hall: Harness, two, ada):
    """On the table's page, in the lists, and on the board."""
    two[1].harness.client.patch("/v1/me", json={"name": "player O"}, headers=two[1].auth)
    game = hall.game("bids", two)
    for path in ("/tables?status=", f"/games/{game}"):
        assert "Player 0 (seat 1)" in words(ada.get(path))
        assert "player O (seat 2)" in words(ada.get(path))
    assert "player O (seat 2)" in two[0].get(f"/games/{game}/view").get_json()["board"]


# --- the form ---------------------------------------------------------------------------------------------------------


def test_the_form_matches_the_games_schema(hall: Harness, ada):
    """Choices in the game's words and order, dependencies, checkboxes, and numbers with their bounds."""
    tikal = text(ada.get("/tables/new?type=tikal"))
    assert re.findall(r'<option value="\w+"[^>]*>(the [^<]*|[a-z]+ bids)<', tikal) == [
        "the basic game", "the auction game", "sealed bids", "open bids",
    ]  # fmt: skip
    assert 'data-option="bidding" data-kind="choice" data-only="variant=auction "' in tikal
    assert "only with the auction game" in tikal
    lewis = text(ada.get("/tables/new?type=lewis_clark"))
    assert re.search(r'name="option-face_down_badges" value="true" checked', lewis)
    assert re.search(r'name="option-start_over" value="true">', lewis)
    assert re.search(r'name="option-level" type="number" [^>]*min="0" max="7"', lewis)
    assert "only with 1 player" in lewis
    assert "Sign in to open a table" in words(hall.client.get("/tables/new"))


def test_the_form_offers_the_clocks_of_the_api(hall: Harness, ada):
    """From the same table, in words."""
    offered = hall.client.get("/v1/clocks").get_json()
    shown = text(ada.get("/tables/new?type=pig"))
    assert re.findall(r'name="pace" value="(\w+)"', shown) == [one["pace"] for one in offered]
    assert "7 days for each turn, a grace period of 1 day" in shown
    assert ada.get("/tables/new?type=nothing").status_code == 200


# --- the door ---------------------------------------------------------------------------------------------------------


def acts(answer) -> list[str]:
    return re.findall(r'data-act="(\w+)"', text(answer))


def test_a_waiting_game_offers_only_permitted_actions(hall: Harness, two, ada):
    """Sit down, leave, and cancel for the creator; without a session, a link to sign in."""
    game = two[0].post("/games", {"type": "bids", "seats": 3}).get_json()["id"]
    assert acts(ada.get(f"/games/{game}")) == ["join", "join", "join", "cancel", "copy"]
    two[0].join(game, 1)
    assert acts(ada.get(f"/games/{game}")) == ["leave", "cancel", "copy"]
    other = hall.browser()
    other.sign_in(hall, "player1@example.org")
    assert acts(other.get(f"/games/{game}")) == ["join", "join", "copy"]
    stranger = text(hall.client.get(f"/games/{game}"))
    assert f'href="/login?next=/games/{game}">Sign in to join' in stranger
    assert acts(hall.client.get(f"/games/{game}")) == ["copy"]
    assert f'value="https://games.example/games/{game}"' in stranger


def test_the_creator_invites_house_players_and_withdraws_invitations(hall: Harness, two, ada):
    """A reserved seat is marked, and has no button to sit down."""
    bots.create_house(hall.services, BY, "York", "easy")
    game = two[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    assert acts(ada.get(f"/games/{game}")) == ["join", "join", "cancel", "ask", "copy"]
    two[0].post(f"/games/{game}/house", {"seat": 1, "level": "easy"})
    shown = ada.get(f"/games/{game}")
    assert acts(shown) == ["join", "cancel", "ask", "withdraw", "copy"]
    assert "reserved for a house player (easy)" in words(shown)


def test_a_running_game_offers_only_free_seats(hall: Harness, two, ada):
    """Its players may only offer their own."""
    game = hall.game("bids", two)
    third = hall.browser()
    third.sign_in(hall, "cy@example.org")
    assert acts(third.get(f"/games/{game}")) == []
    two[1].offer(game)
    assert acts(third.get(f"/games/{game}")) == ["take"]
    assert acts(ada.get(f"/games/{game}")) == ["offer"]
