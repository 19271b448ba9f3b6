"""Scripts that talk, rest, invite and pause by `--json`, against a real server; and what a person reads."""

import re

import pytest
from click.testing import CliRunner

import sealedmove
from client import game_screen
from client.home import Home
from client.position import PlanPreview

from .terminals import turn

pytestmark = pytest.mark.slow  # needs a running server


def reads(person, *words):
    """The text that a person gets."""
    said = CliRunner().invoke(sealedmove.main, [*map(str, words)], env=person.env)
    assert said.exit_code == 0, said.output
    return said.output


def test_the_players_of_a_table_talk(pair, person, game):
    """A message is sent, read as new once, and taken back; others do not read it."""
    ada, ben = pair
    sent = ada.does("talk", game, "Good", "luck!")
    assert (sent["text"], sent["via"]) == ("Good luck!", "api")
    assert "Good luck! (new)" in reads(ben, "talk", game)
    assert "(new)" not in reads(ben, "talk", game)
    assert ben.does("talk", game)["seen"] == sent["n"]
    assert ben.runs("talk", game, "--take-back", sent["n"]).exit == 1
    ada.does("talk", game, "--take-back", sent["n"])
    assert "(taken back)" in reads(ben, "talk", game)
    assert person("dora").signs_in().runs("talk", game).problem["code"] == "no-seat"


def test_all_messages_are_read_in_order_and_the_last_are_shown(pair, game):
    ada, ben = pair
    for number in range(4):
        ada.does("talk", game, f"message {number}")
    assert [one["text"] for one in ben.does("talk", game, "--last", 2)["messages"]] == ["message 2", "message 3"]
    assert "2 earlier messages not shown: --last 4 shows all." in reads(ben, "talk", game, "--last", 2)


def test_a_holiday_is_announced_listed_and_ended(two):
    """With what it costs."""
    ada, _ = two
    left = ada.does("holidays")["left"]
    made = ada.does("holidays", "add", "now", 3)
    assert (made["cost"], made["runs"], made["left"]) == (3, True, left - 3)
    assert [one["id"] for one in ada.does("holidays")["holidays"]] == [made["id"]]
    assert f"You have {left - 3} days left." in reads(ada, "holidays")
    ada.does("holidays", "end", made["id"])
    assert ada.does("holidays")["holidays"] == []
    assert ada.runs("holidays", "add", "someday", 3).problem["code"] == "bad-fields"


def test_a_player_is_invited_and_declines(two):
    """The host sees it; an invitation can be withdrawn."""
    ada, ben = two
    game = ada.does("new", "pig")["game"]
    made = ada.does("invitations", "send", game, ben.email)
    (invited,) = ben.does("invitations")
    assert (invited["game"], invited["seat"]) == (game, made["seat"])
    assert game in reads(ben, "invitations")
    ben.does("invitations", "decline", invited["id"])
    assert ben.does("invitations") == []
    assert [one["state"] for one in ada.does("invitations", game)] == ["declined"]
    again = ada.does("invitations", "send", ada.does("new", "pig")["game"], ben.email)
    (invited,) = ben.does("invitations")
    ada.does("invitations", "withdraw", invited["game"], again["id"])
    assert ben.does("invitations") == []
    assert reads(ben, "invitations") == "You have no invitations.\n"


def test_players_get_the_seat_that_is_kept_for_them(two, person):
    """Others get one that is kept for nobody; if all free seats are kept, nothing is signed."""
    (ada, ben), carol = two, person("carol").signs_in()
    game = ada.does("new", "pig", "--seats", 3, "--no-join")["game"]
    for name, seat in ((ben, 1), (carol, 3)):
        ada.does("invitations", "send", game, name.email, "--seat", seat)
    assert [one.does("join", game)["seat"] for one in (carol, ada)] == [2, 1]
    refused = person("dora").signs_in().runs("join", game)
    assert (refused.exit, refused.problem["code"]) == (5, "seat-kept")
    assert ben.does("join", game)["seat"] == 0


def test_a_player_who_was_refused_a_seat_takes_another_with_either(two):
    """The refused act may still be logged, which they accept."""
    ada, ben = two
    game = ada.does("new", "pig", "--seats", 3, "--no-join")["game"]
    invited = ada.does("invitations", "send", game, ben.email, "--seat", 1)
    assert ada.runs("join", game, "--seat", 1).problem["code"] == "seat-kept"
    assert ada.runs("join", game, "--seat", 2).problem["code"] == "unsettled"
    assert ada.does("join", game, "--seat", 2, "--either")["seat"] == 1
    ada.does("invitations", "withdraw", game, invited["id"])


def test_the_limits_of_an_account_are_shown(two):
    """One open table is counted."""
    ada, _ = two
    ada.does("new", "pig")
    found = {one["name"]: one for one in ada.does("limits")}
    assert found["open_tables"]["used"] == 1
    assert found["open_tables"]["says"] in reads(ada, "limits")


def test_all_players_together_pause_a_game(pair, game):
    """One asks, the other agrees to the same end."""
    ada, ben = pair
    assert ben.runs("pause", game, "--agree").problem["code"] == "not-asked"
    assert ben.runs("pause", game, "--ask").exit == 2
    asked = ada.does("pause", game, "2d", "--ask")
    assert (asked["agreed"], asked["carried_out"]) == ([0], False)
    assert f"Wanted until {asked['pause_until']}." in reads(ben, "pause", game)
    assert ben.does("pause", game, "--agree")["carried_out"] is True


def test_a_wish_to_pause_ends_by_an_objection(pair, game):
    ada, ben = pair
    ada.does("pause", game, "2d", "--ask")
    ben.does("pause", game, "--object")
    assert ada.does("pause", game)["pause_until"] is None
    assert reads(ada, "pause", game) == "Nobody wants a pause of this game.\n"


def test_a_table_without_days_for_its_host_is_not_paused_by_the_host(pair, game):
    """Nor by anyone else."""
    assert [one.runs("pause", game, "1d").problem["code"] for one in pair] == ["pause-too-long", "not-host"]


def test_the_host_pauses_a_table_that_allows_it(pair):
    """Until it ends, or until the host ends it."""
    ada, ben = pair
    table = {"type": "pig", "seats": 2, "host_pause": 5}
    game = Home(ada.folder / "ada").host().session.api.post("/v1/games", table).value["id"]
    for one in pair:
        one.does("join", game)
    paused = ada.does("pause", game, "2d")
    assert (paused["until"] is not None, paused["host_pause"]) == (True, 3)
    assert ben.runs("pause", game, "--end").problem["code"] == "not-host"
    assert ada.does("pause", game, "--end") == {"game": game, "until": None}


def test_a_table_starts_once_its_players_are_ready(pair):
    """`new` and `join` name the command, and a player may take it back."""
    ada, ben = pair
    opened = reads(ada, "new", "pig", "--seats", 2, "--start", "ready")
    game = re.search("`sealedmove ready (.*)`", opened)[1]
    assert f"`sealedmove ready {game}`" in reads(ben, "join", game)
    assert ada.does("ready", game) == {"game": game, "ready": True, "status": "lobby"}
    assert "You are not ready any more." in reads(ada, "ready", game, "--not")
    assert ben.does("ready", game)["status"] == "lobby"
    assert "`sealedmove ready GAME`" in ben.runs("play", game, "--move", "roll", "--yes").problem["do"]
    assert reads(ada, "ready", game) == "The game is running: `sealedmove play`.\n"


def test_a_table_that_starts_when_full_asks_nobody_whether_they_are_ready(pair):
    """A player without a seat cannot be ready, either."""
    ada, ben = pair
    game = ada.does("new", "pig", "--seats", 2)["game"]
    refused = ada.runs("ready", game)
    assert (refused.exit, refused.problem["code"]) == (1, "starts-full")
    assert "every seat is taken" in refused.problem["do"]
    other = ada.does("new", "pig", "--seats", 2, "--start", "ready", "--no-join")["game"]
    assert ben.runs("ready", other).problem["code"] == "no-seat"


def test_a_rematch_is_opened_once(pair, game):
    """Every player who asks gets the same table."""
    ada, ben = pair
    assert ada.runs("rematch", game).problem["code"] == "not-over"
    ben.does("resign", game, "--yes")
    opened = [one.does("rematch", game)["game"] for one in pair]
    assert opened[0] == opened[1] != game
    kept = {one: ask["seat"] for one in pair for ask in one.does("invitations") if ask["game"] == opened[0]}
    assert {one: one.does("join", opened[0])["seat"] for one in sorted(pair, key=kept.get, reverse=True)} == kept


def test_a_move_that_wastes_something_warns_before_it_is_signed(pair):
    """A script reads it on standard error, and signs nothing without --yes."""
    ada, ben = pair
    game = ada.does("new", "tikal", "--seats", 2)["game"]
    ben.does("join", game)
    mover, _ = turn(pair, game)
    steps = [one["notation"] for one in mover.does("show", game)["legal"]]
    said = mover.runs("play", game, "--move", f"{steps[0]}; done")
    assert said.exit == 2
    assert "action points" in said.problems[0]["warning"]
    assert said.problems[1]["code"] == "needs-yes"


def test_a_draft_shows_its_warnings(capsys):
    game_screen.warnings(PlanPreview("", [], [], 1, None, certain=True, warnings=("2 points are lost.",)))
    assert capsys.readouterr().out == "  ! 2 points are lost.\n"


def test_a_game_for_one_player_has_started(two):
    """No house player is awaited where every seat is taken."""
    said = reads(two[0], "new", "lewis_clark", "--seats", 1)
    assert "The game has started" in said
    assert "house players" not in said


def test_a_player_who_comes_back_reads_that_they_are_not_absent(pair, game):
    """The same act withdraws an offer and ends an absence, as emails about an absence suggest."""
    pair[0].does("resign", game, "--offer", "--yes")
    said = reads(pair[0], "resign", game, "--back", "--yes")
    assert "You are back: your seat is not offered, and you do not count as absent." in said
