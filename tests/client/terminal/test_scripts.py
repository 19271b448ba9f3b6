"""Scripts that play by `--json`, against a real server."""

import os
import random
import stat
import sys
from pathlib import Path

import pytest

from engine.record.audit import audit
from tests.client.test_docs import Shell, blocks
from tests.e2e.instance import ROOT
from tests.servers import patient

from .terminals import head, turn, until_other

pytestmark = pytest.mark.slow  # needs a running server
PAGE = (ROOT / "docs" / "terminal.md").read_text("utf-8")
LINK = """link_to() {
    python3 -c 'import json, re, sys, time, urllib.request
for _ in range(1800):
    mails = json.load(urllib.request.urlopen(sys.argv[1]))
    if mails: print(mails[-1]["text"]); break
    time.sleep(0.1)' "$MAIL/mail.json?to=$1"
}
"""
NOBODY = "a" * 8 + "-0000-4000-8000-" + "0" * 12


@pytest.mark.parametrize(("key", "option"), [("pig", ["goal=15"]), ("livingstone", [])])
def test_a_whole_game_by_scripts(pair, key, option):
    """Each call makes a move that the previous call listed as legal; the bundle passes the audit."""
    choice, ending = random.Random(key), {"pig": "hold", "livingstone": "end"}[key]
    game = pair[0].does("new", key, *option, "--seats", 2)["game"]
    pair[1].does("join", game)
    said = [one.does("show", game) for one in pair]
    players = {shown["seat"]: one for shown, one in zip(said, pair, strict=True)}
    legal = {shown["seat"]: shown["legal"] for shown in said}
    active = said[0]["game"]["active"]
    for _ in range(500):
        if not active:
            break
        seat = active[0]
        options = legal[seat] or players[seat].does("show", game)["legal"]
        came = players[seat].does(
            "play", game, "--move", f"{choice.choice(options)['notation']}; try {ending}", "--yes"
        )
        assert came["entry"] > 3
        active, legal = came["active"], {seat: came["legal"]} | {other: [] for other in players if other != seat}
    report = audit(patient.get(f"{pair[0].house.url}/v1/games/{game}/bundle").content)
    assert (report.verdict, report.stage) == ("holds", "finished")
    assert pair[0].does("show", game)["game"]["result"] == came["result"]


def test_the_scripts_of_the_page_run(house, tmp_path):
    """docs/terminal.md signs in, opens a table, plays too early, which is refused with status 1, and leaves."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    home = {"SEALEDMOVE_HOME": str(tmp_path / "home")}
    shell = Shell(tmp_path, {**os.environ, **home, "SITE": house.url, "MAIL": house.mail_url, "PATH": path})
    said = shell.run(LINK + blocks(PAGE, "sh"))
    shell.close()
    assert '"code": "not-started"' in said
    assert "status 1" in said
    assert "\nlobby\n" in said
    assert '"act": "leave"' in said


def test_my_games_are_listed_by_urgency(two):
    """My turns first, by the time left; then others' turns; then waiting tables."""
    ada, ben = two
    made = [ada.does("new", "pig", "--move", time)["game"] for time in ("3d", "1d", "2d")]
    waiting = ada.does("new", "pig", "--no-clock")["game"]
    for game in made:
        ben.does("join", game)
    rows = ada.does("games")
    mine = [row["id"] for row in rows if row["your_turn"]]
    assert mine == sorted(mine, key=[made[1], made[2], made[0]].index)
    assert [row["your_turn"] for row in rows] == [True] * len(mine) + [False] * (4 - len(mine))
    assert rows[-1]["id"] == waiting
    assert waiting in [one["id"] for one in ben.does("games", "--open")]


def test_the_part_of_a_link_after_login_is_enough(person):
    """With the name of the server, which it does not contain."""
    dora = person("dora")
    dora.does("login", dora.email, "--name", "Dora", "--at", dora.house.url)
    token = dora.link().partition("/login/")[2]
    assert dora.does("login", "--link", token, "--at", dora.house.url)["name"] == "Dora"


def test_a_table_asks_for_games_and_for_turns_in_time(pair):
    """A player who lacks them is refused; without the options it asks for nothing."""
    ada, ben = pair
    game = ada.does("new", "pig", "--asks-games", "3", "--asks-clock", "90")
    assert game["asks"] == {"games": 3, "clock": 90}
    assert ben.runs("join", game["game"]).problem["code"] == "too-few-games"
    assert ada.does("new", "pig", "--asks-games", "0")["asks"] is None
    assert ada.does("new", "pig")["asks"] is None


REFUSALS = [
    (["show", NOBODY], 1, "no-such-game"),
    (["show", "abcd"], 1, "no-such-game"),
    (["play", "{game}", "--move", "jump", "--yes"], 1, "bad-notation"),
    (["play", "{game}", "--move", "roll"], 2, "needs-yes"),
    (["play", "{game}"], 2, "needs-move"),
    (["resign", "{game}"], 2, "needs-yes"),
    (["join", "{game}"], 1, "already-seated"),
    (["new", "pig", "goal=high"], 1, "bad-options"),
    (["new", "pig", "goal=20", "--seats", "9"], 1, "bad-seats"),
    (["new", "pig", "--move", "soon"], 1, "bad-time"),
    (["new", "pog"], 1, "unknown-game"),
    (["new", "pig", "--seats", "many"], 2, "usage"),
    (["keys", "add", "A" * 43, "{game}", "--yes"], 1, "not-a-key"),
    (["keys", "drop", "A" * 43, "{game}", "--yes"], 1, "not-a-key"),
    (["login", "--link", "-"], 1, "bad-link"),
]


def test_refusals_are_json_and_change_nothing(pair, game):
    """Each has its code, advice and exit status; the log and the games stay the same."""
    mover, _ = turn(pair, game)
    before, listed = head(mover.house, game), mover.does("games")
    for words, exit_, code in REFUSALS:
        said = mover.runs(*(word.format(game=game) for word in words))
        assert (said.exit, said.problem["code"]) == (exit_, code), words
    assert (head(mover.house, game), mover.does("games")) == (before, listed)


def test_time_is_given_and_a_seat_changes_hands(pair, person, game):
    """The creator of the table gives time once, and a third player takes the offered seat."""
    ada, ben = pair
    until_other(ada, game)
    assert ben.runs("give", game, "1h", "--yes").problem["code"] == "nothing-owed"
    before = head(ada.house, game)["seq"]
    assert ada.does("give", game, "1h", "--yes") == {"game": game, "seats": [1], "seconds": 3600, "entry": before + 1}
    ben.does("resign", game, "--offer", "--yes")
    assert person("cleo").signs_in().does("join", game, "--take")["seat"] == 1
    said = ben.runs("play", game, "--move", "roll", "--yes")
    assert (said.exit, said.problems[-1]["code"]) == (5, "seat-taken-over")


def test_a_move_out_of_turn_is_refused(pair, game):
    """The error names the player to move and what to do; nothing is signed."""
    mover, other = turn(pair, game)
    before = head(mover.house, game)
    said = other.runs("play", game, "--move", "roll", "--yes", "--wait", 1)
    assert (said.exit, said.problem["code"]) == (1, "not-active")
    assert "--wait" in said.problem["do"]
    assert head(mover.house, game) == before


def test_every_command_without_a_session_explains_how_to_sign_in(person):
    for words in (["games"], ["new"], ["join", NOBODY], ["show", NOBODY], ["keys"], ["resign", NOBODY]):
        said = person("eve").runs(*words)
        assert (said.exit, said.problem["code"]) == (1, "nobody"), words
        assert "sealedmove login" in said.problem["do"]


def test_an_unreachable_server_has_its_own_exit_status(two, monkeypatch):
    """The fate of the request is unknown."""
    monkeypatch.setattr("client.http.TRIES", 1)
    for path in (two[0].folder / "ada" / "hosts").glob("*/account"):
        path.write_text(path.read_text().replace(two[0].house.url, "http://127.0.0.1:1"))
    said = two[0].runs("games")
    assert (said.exit, said.problem["code"]) == (4, "no-answer")


def test_the_token_is_readable_by_its_owner_only(two):
    """Token and key have mode 0600, and a token that others can read is not used."""
    kept = [*(two[0].folder / "ada").glob("hosts/*/*")]
    files = [path for path in kept if path.is_file()]
    assert {path.name for path in files} >= {"account", "key"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    next(path for path in files if path.name == "account").chmod(0o644)
    assert two[0].runs("games").problem["code"] == "key-file"


def test_an_unlisted_table_is_joined_by_its_id(two):
    """It is in no list."""
    ada, ben = two
    game = ada.does("new", "pig", "--by-link")["game"]
    assert game not in patient.get(f"{ada.house.url}/v1/games").text
    assert ben.does("join", game)["seat"] == 1


def test_a_table_with_unsigned_moves_needs_consent(two):
    """When it is opened and when it is joined: nobody signs such a move."""
    ada, ben = two
    game = ada.does("new", "pig", "--unsigned")["game"]
    assert patient.get(f"{ada.house.url}/v1/games/{game}").json()["unsigned"] is True
    assert ben.runs("join", game).problem["code"] == "unsigned-table"
    assert ben.does("join", game, "--unsigned")["seat"] == 1


def test_a_server_with_another_key_is_distrusted(two):
    """Status 3, evidence, nothing signed."""
    ada, ben = two
    ada.does("new", "pig")
    pin = next((ada.folder / "ada").glob("hosts/*/games/servers/*.json"))
    known = ben.does("new", "pig", "--no-join")["game"]
    before = head(ada.house, known)
    pin.write_text(pin.read_text().replace('"keys":["', '"keys":["AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE","'))
    said = ada.runs("join", known)
    assert said.exit == 3
    assert "compare" in said.problem["do"]
    assert [*(ada.folder / "ada").glob(f"hosts/*/games/{known}/evidence/*")]
    assert ada.runs("join", known).exit == 3
    assert head(ada.house, known) == before
