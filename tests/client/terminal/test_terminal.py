"""A person at a terminal, against a real server through its API and its mails."""

import pytest

from .person import END, ENTER, TAB, Person
from .terminals import bid, head, turn, two_moves, until_other

pytestmark = pytest.mark.slow  # needs a running server


def test_an_evening_at_a_terminal(person, tmp_path):
    """Signs in by the mailed link, opens a table with a recovery key, plays with completion, resigns."""
    cleo, dan = person("cleo"), person("dan").signs_in()
    with cleo.at_terminal("login", cleo.email, "--at", cleo.house.url) as screen:
        screen.reads("Your name at the table")
        screen.types("Cleo\n")
        screen.reads("Paste the link")
        screen.types(f"{cleo.link()}\n")
        screen.reads("Welcome, Cleo.")
        assert screen.leaves() == 0
    with cleo.at_terminal("new", "pig", "goal=100", "--seats", "2", "--move", "3d", "--no-join") as screen:
        screen.reads("A table for Pig, 2 seats: 3 days a turn")
        assert screen.leaves() == 0
    game = cleo.does("games")[0]["id"]
    with cleo.at_terminal("join", game) as screen:
        screen.reads("A recovery key brings your seat back")
        screen.types(f"{tmp_path / 'stick'}\n")
        screen.reads("You have seat 1")
        assert screen.leaves() == 0
    dan.does("join", game)
    assert cleo.does("keys", "list", game)["recovery"] == cleo.does("keys")["recovery"] is not None
    until_other(dan, game)
    with cleo.at_terminal("play", game[:8]) as screen:
        two_moves(screen)
        if screen.reads("step 1>", "No other game").endswith(">"):  # a roll of 1 loses the turn
            screen.types(END)
        assert screen.leaves() == 0
    signed = [one for one in cleo.does("show", game, "--history")["history"] if one["kind"] == "moved"]
    assert sum(one["seat"] == 0 for one in signed) >= 1
    with cleo.at_terminal("resign", game) as screen:
        screen.reads("Resign for good?")
        screen.types("y\n")
        screen.reads("You have resigned.")
        assert screen.leaves() == 0
    assert dan.does("show", game)["game"]["result"]["reason"] == "resigned"


def test_a_new_entry_is_shown_before_the_plan_is_signed(pair, game):
    """The plan stays."""
    mover, other = turn(pair, game)
    with mover.at_terminal("play", game) as screen:
        screen.reads("step 1>")
        other.does("resign", game, "--offer", "--yes")
        before = head(mover.house, game)["seq"]
        screen.types(f"roll{ENTER}")
        screen.reads("Meanwhile:")
        screen.reads("is offered to others")
        screen.reads("Sign it?")
        assert head(mover.house, game)["seq"] == before
        screen.types(f"y{ENTER}")
        screen.reads(f"Logged as entry {before + 1}.")


def test_the_next_waiting_game_is_offered_after_a_turn(two):
    """And with --wait the next turn in this one."""
    ada, ben = two
    games = [ada.does("new", "bids")["game"] for _ in range(2)]
    for game in games:
        ben.does("join", game)
    with ada.at_terminal("play", "--wait", "60") as screen:
        bid(screen)
        screen.reads("Waiting for your next turn")
        first = next(game for game in games if len(ben.does("show", game)["history"]) == 5)
        ben.does("play", first, "--move", "bid 2", "--yes")
        screen.reads("The bids were")
        bid(screen)
        screen.reads("Waiting for your next turn")
        ben.does("resign", first, "--yes")
        screen.reads("Bids is over")
        screen.reads("Next: bids")
        screen.types(f"y{ENTER}")
        screen.reads("step 1>")
        screen.types(END)
        assert screen.leaves() == 0


def test_a_hidden_game_at_a_terminal(two):
    """The server gives the legal commands, the signed text is shown, and so are the seat's secrets."""
    ada, ben = two
    game = ada.does("new", "bids")["game"]
    ben.does("join", game)
    with ada.at_terminal("play", game) as screen:
        screen.reads("step 1>")
        screen.types(f"b{TAB} 2{ENTER}")
        screen.reads("Draft: bid 2")
        screen.reads("sealed: others see only its hash")
        screen.reads("Sign it?")
        screen.types(f"y{ENTER}")
        screen.reads("Logged as entry")
        screen.reads("ada sealed a bid: 2")
        assert screen.leaves() == 0
    assert "ada sealed a bid: hidden" in ben.does("show", game)["history"][-1]["says"]


def test_seats_have_colours_unless_switched_off(pair, game):
    """At a terminal only."""
    for env, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        with Person("show", game, env={**pair[0].env, **env}) as screen:
            screen.reads("owes a move")
            assert screen.leaves() == 0
        assert (b"\x1b[1;31mada" in screen.raw) == coloured


def test_a_hint_at_a_terminal(two):
    """With its reason, where the table allows it; elsewhere the prompt says that it does not. Nothing is signed."""
    ada, ben = two
    for more, *told in (
        (["--hints"], "  It ", "house player would play this"),
        ([], "This table does not allow hints."),
    ):
        game = ada.does("new", "pig", "--seats", "2", *more)["game"]
        ben.does("join", game)
        mover, _ = turn(two, game)
        before = head(mover.house, game)["seq"]
        with mover.at_terminal("play", game) as screen:
            screen.reads("step 1>")
            screen.types(f"/hint{ENTER}")
            for says in told:
                screen.reads(says)
            screen.reads("step 1>")
            screen.types(END)
            assert screen.leaves() == 0
        assert head(mover.house, game)["seq"] == before
