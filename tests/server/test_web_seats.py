"""The pages on seats and clocks: absent players, offered seats, the time left, and the players named in the log."""

import re

import pytest

from server.kernel import text as kernel_text
from tests.server.harness import Harness, Player
from tests.server.test_clocks import QUICK
from tests.server.test_seats import BID, make_absent, running
from tests.server.test_web import text, words


@pytest.fixture
def people(hall: Harness) -> list[Player]:
    """Ada and Ben play, Cy comes."""
    return [hall.player(number) for number in range(3)]


def page(hall: Harness, game: str) -> str:
    return words(hall.client.get(f"/games/{game}"))


def seats(hall: Harness, game: str) -> str:
    """The list of players in their seats."""
    shown = text(hall.client.get(f"/games/{game}")).partition('<ol class="seats">')[2].partition("</ol>")[0]
    return " ".join(re.sub("<[^>]*>", " ", shown).split())


def test_a_game_shows_its_clock_and_how_seats_change_hands(hall: Harness, people: list[Player]):
    """In words, before anybody joins and thereby agrees."""
    game = people[0].post("/games", {"type": "bids", "seats": 2, "clock": QUICK}).get_json()["id"]
    shown = page(hall, game)
    assert "10 minutes for each turn, a time bank of 1 hour that gains 1 minute for each turn, up to 2 hours" in shown
    assert "a grace period of 5 minutes" in shown
    assert "Players may offer their seat to someone else. Anyone may take the seat of a player who is absent." in shown
    assert "After 2 missed turns in a row a player counts as absent" in shown


def test_an_offered_seat_is_shown_as_offered(hall: Harness, people: list[Player]):
    """At the seat, with what the reader may do, and in the list of games."""
    game = running(hall, people)
    assert "anyone may take it." not in page(hall, game).partition("Position")[0].partition("Players")[2]
    people[1].offer(game)
    assert "Player 1 (seat offered)" in seats(hall, game)
    assert "Seat 2 is offered: anyone may take it." in page(hall, game)
    assert "1 seat to take" in words(hall.client.get("/"))


def test_an_absent_seat_is_shown_as_absent(hall: Harness, people: list[Player]):
    """And as free to take, where the table allows it."""
    free, kept = running(hall, people), running(hall, people, handover="none")
    for game in (free, kept):
        make_absent(hall, game, people[0])
        assert "Player 1 (absent)" in seats(hall, game)
    assert "The player at seat 2 is absent: anyone may take the seat." in page(hall, free)
    assert "anyone may take" not in page(hall, kept)
    assert "Seats do not change hands in this game." in page(hall, kept)


def test_an_absent_player_can_come_back_on_the_page(hall: Harness, people: list[Player]):
    """Their own page has the button, that of the others has none, and afterwards neither."""
    game = running(hall, people)
    make_absent(hall, game, people[0])
    readers = [hall.browser() for _ in range(2)]
    for number, reader in enumerate(readers):
        reader.sign_in(hall, f"player{number}@example.org")
    other, own = (words(reader.get(f"/games/{game}")) for reader in readers)
    assert "You count as absent. Come back" in own
    assert "Anyone may take your seat now. When you are back, you have your full time" in own
    assert "I am back" in own
    assert "I am back" not in other
    people[1].offer(game, is_open=False)
    assert "I am back" not in words(readers[1].get(f"/games/{game}"))


def test_only_a_player_whose_table_allows_it_can_offer_their_seat_on_the_page(hall: Harness, people: list[Player]):
    """Not where seats stay, not alone, not if it is offered already or given up, and nobody else's."""
    alone = hall.game("lewis_clark", people[1:2])
    free, kept = running(hall, people), running(hall, people, handover="absent")
    reader = hall.browser()
    reader.sign_in(hall, "player1@example.org")
    assert "Offer the seat" in words(reader.get(f"/games/{free}"))
    assert "Offer the seat" not in words(hall.client.get(f"/games/{free}"))
    assert "Offer the seat" not in words(reader.get(f"/games/{kept}"))
    assert "Offer the seat" not in words(reader.get(f"/games/{alone}"))
    people[1].offer(free)
    assert "Offer the seat" not in words(reader.get(f"/games/{free}"))
    people[1].offer(free, is_open=False)
    people[1].resign(free)
    assert "Offer the seat" not in words(reader.get(f"/games/{free}"))


def test_the_current_bank_is_shown(hall: Harness, people: list[Player]):
    """As in the log, and for the player to move as much as the turn has left of it."""
    game = running(hall, people, clock=QUICK)
    assert "Player 0 time bank: 1 hour Player 1 time bank: 1 hour" in seats(hall, game)
    assert "Player 0 1 hour 15 minutes left time bank: 1 hour left" in page(hall, game)
    hall.clock.forward(minutes=40)
    assert "Player 0 35 minutes left time bank: 30 minutes left" in page(hall, game)
    people[0].move(game, BID)
    assert "Player 0 time bank: 31 minutes Player 1 time bank: 1 hour" in seats(hall, game)


def test_the_log_names_the_holder_at_the_time(hall: Harness, people: list[Player]):
    """A move stays its player's when the seat has another holder."""
    game = running(hall, people)
    people[1].move(game, BID)
    people[1].offer(game)
    people[1].offer(game, is_open=False)
    people[1].offer(game)
    people[2].take(game, 1)
    people[0].move(game, BID)
    people[2].move(game, BID)
    told = page(hall, game)
    for sentence in (
        "Player 1 sealed a bid: hidden.",
        "Player 1 offered the seat to others.",
        "Player 1 is back and keeps the seat.",
        "Player 2 took the seat that Player 1 had offered.",
    ):
        assert sentence in told
    assert "Player 2 sealed a bid: hidden." in told
    assert "Player 1 joined." in told
    assert seats(hall, game).startswith("Player 0")
    assert "Player 2" in seats(hall, game)


def test_a_turn_of_the_former_holder_is_not_the_new_players_last_turn(hall: Harness, people: list[Player]):
    """The turns of others since then are those after the seat was taken."""
    game = running(hall, people)
    people[1].move(game, BID)
    people[1].offer(game)
    people[2].take(game, 1)
    browser = hall.browser()
    browser.sign_in(hall, "player2@example.org")
    assert "Your last turn" not in words(browser.get(f"/games/{game}"))
    people[0].move(game, BID)
    shown = words(browser.get(f"/games/{game}"))
    assert "Since you sat down: 1 turn" in shown
    people[2].move(game, BID)
    assert "Your last turn" in words(browser.get(f"/games/{game}"))


def test_the_log_names_players_who_left_before_the_start(hall: Harness, people: list[Player]):
    """Not with the name of the present holder."""
    game = people[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    people[2].join(game, 1)
    people[2].leave(game)
    people[1].join(game, 1)
    told = page(hall, game)
    assert re.findall(r"(Player \d) (?:joined|left)\.", told) == ["Player 1", "Player 2", "Player 2"]


def test_granted_time_is_shown_in_words(hall: Harness, people: list[Player]):
    """To whom, how much, and why."""
    game = running(hall, people)
    people[0].post(f"/games/{game}/grants", {"seats": [1], "seconds": 5400})
    assert "Player 1 got 1 hour 30 minutes more (from the host)." in page(hall, game)


def test_markup_in_names_of_former_holders_is_shown_as_text(hall: Harness, people: list[Player]):
    from tests.server.test_web import rename

    game = running(hall, people)
    people[1].offer(game)
    people[2].take(game, 1)
    rename(hall, people[1], "<script>\u202eEve")
    shown = text(hall.client.get(f"/games/{game}"))
    assert "&lt;script&gt; Eve had offered" in shown
    assert "<script>" not in shown


CLOCKS = {
    "no clock": None,
    "1 day for each turn, a grace period of 12 hours": (86400, 0, 0, 0, 43200),
    "a time bank of 1 hour for the whole game, a grace period of 1 minute": (0, 3600, 0, 3600, 60),
    "1 minute for each turn, a time bank of 0 seconds that gains 30 seconds for each turn, up to 10 minutes, "
    "a grace period of 1 minute": (60, 0, 30, 600, 60),
}


@pytest.mark.parametrize("says", CLOCKS)
def test_a_clock_in_words(says):
    """Every kind, as in pages and mails."""
    numbers = CLOCKS[says]
    names = ("move", "bank", "increment", "cap", "grace")
    assert kernel_text.clock(numbers and dict(zip(names, numbers, strict=True))) == says
