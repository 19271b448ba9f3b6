"""A person at a terminal, and scripts, against the real house: by its API and its mails alone."""

import os
import random
import stat
import sys
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from client import keys, session
from client.commands import recovery_acts
from client.game import Player
from client.home import Home
from client.http import ApiError, NoAnswerError
from engine.record.audit import audit
from tests.e2e.instance import ROOT, Instance
from tests.servers import patient

from .person import END, ENTER, TAB, Person
from .terminals import Scripted, bid, head, turn, two_moves, until_other
from .test_docs import Shell, blocks

pytestmark = pytest.mark.slow  # all of it needs a whole house
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


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """One house for all of this file; it knows the tiny games too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAME_PACKAGES", "tests.kit.games")
        instance = Instance(tmp_path_factory.mktemp("house")).start()
        yield instance
        instance.stop()


@pytest.fixture(scope="module")
def http():
    with patient.client() as client:
        yield client


@pytest.fixture
def person(house, tmp_path, http):
    return lambda name: Scripted(house, tmp_path, name, http)


@pytest.fixture
def two(person):
    """Two who are new here, and whose folders a test may break."""
    return person("ada").signs_in(), person("ben").signs_in()


@pytest.fixture(scope="module")
def pair(house, tmp_path_factory, http):
    """Two who have played here before."""
    folder = tmp_path_factory.mktemp("pair")
    return [Scripted(house, folder, name, http).signs_in() for name in ("ada", "ben")]


@pytest.fixture
def game(pair):
    """A game of Pig that has begun; the pair has its seats."""
    ada, ben = pair
    made = ada.does("new", "pig", "goal=20", "--seats", 2, "--offer-wait", 0)["game"]
    assert ben.does("join", made)["status"] == "running"
    return made


# --- at a terminal ----------------------------------------------------------------------------------------------------


def test_an_evening_at_a_terminal(person, tmp_path):
    """Signs in by the link in the mail, opens a table with a recovery key, plays by completion, resigns."""
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


def test_a_plan_is_overtaken(pair, game):
    """Somebody else's entry comes while a plan is made: it is told before anything is signed, and the plan stays."""
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


def test_on_to_the_next_game(two):
    """After a turn the next game that waits is offered, and so is the next turn in this one, with --wait."""
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
    """What may follow comes from the server, what is signed is shown, and what was told to this seat alone is read."""
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


def test_colours(pair, game):
    """At a terminal the seats have colours, but not where the person wants none."""
    for env, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        with Person("show", game, env={**pair[0].env, **env}) as screen:
            screen.reads("owes a move")
            assert screen.leaves() == 0
        assert (b"\x1b[1;31mada" in screen.raw) == coloured


# --- by scripts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "option"), [("pig", ["goal=15"]), ("livingstone", [])])
def test_a_whole_game_by_scripts(pair, key, option):
    """Each move is one call, chosen among what the call before said is legal; the bundle audits."""
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


def test_my_games_are_listed_by_need(two):
    """Mine to move first, by the time that is left; then others'; then tables that wait."""
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
    """Each has its code, what would do and its exit status; the log and the games are as they were."""
    mover, _ = turn(pair, game)
    before, listed = head(mover.house, game), mover.does("games")
    for words, exit_, code in REFUSALS:
        said = mover.runs(*(word.format(game=game) for word in words))
        assert (said.exit, said.problem["code"]) == (exit_, code), words
    assert (head(mover.house, game), mover.does("games")) == (before, listed)


def test_time_is_given_and_a_seat_changes_hands(pair, person, game):
    """The person who opened the table gives time once, and a third player takes the offered seat."""
    ada, ben = pair
    until_other(ada, game)
    assert ben.runs("give", game, "1h", "--yes").problem["code"] == "nothing-owed"
    before = head(ada.house, game)["seq"]
    assert ada.does("give", game, "1h", "--yes") == {"game": game, "seats": [1], "seconds": 3600, "entry": before + 1}
    ben.does("resign", game, "--offer", "--yes")
    assert person("cleo").signs_in().does("join", game, "--take")["seat"] == 1
    said = ben.runs("play", game, "--move", "roll", "--yes")
    assert (said.exit, said.problems[-1]["code"]) == (5, "seat-taken-over")


def test_out_of_turn(pair, game):
    """The error says whose turn it is and what to do; nothing is signed."""
    mover, other = turn(pair, game)
    before = head(mover.house, game)
    said = other.runs("play", game, "--move", "roll", "--yes", "--wait", 1)
    assert (said.exit, said.problem["code"]) == (1, "not-active")
    assert "--wait" in said.problem["do"]
    assert head(mover.house, game) == before


def test_nobody_is_signed_in(person):
    """Every command says so, and how to sign in."""
    for words in (["games"], ["new"], ["join", NOBODY], ["show", NOBODY], ["keys"], ["resign", NOBODY]):
        said = person("eve").runs(*words)
        assert (said.exit, said.problem["code"]) == (1, "nobody"), words
        assert "sealedmove login" in said.problem["do"]


def test_a_server_that_is_away(two, monkeypatch):
    """No answer has an exit status of its own: nobody knows what became of it."""
    monkeypatch.setattr("client.http.TRIES", 1)
    for path in (two[0].folder / "ada" / "hosts").glob("*/account"):
        path.write_text(path.read_text().replace(two[0].house.url, "http://127.0.0.1:1"))
    said = two[0].runs("games")
    assert (said.exit, said.problem["code"]) == (4, "no-answer")


def test_the_token_is_for_its_owner_alone(two):
    """Token and key have mode 0600, and a token that others can read is not used."""
    kept = [*(two[0].folder / "ada").glob("hosts/*/*")]
    files = [path for path in kept if path.is_file()]
    assert {path.name for path in files} >= {"account", "key"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    next(path for path in files if path.name == "account").chmod(0o644)
    assert two[0].runs("games").problem["code"] == "key-file"


def test_a_table_by_link(two):
    """It is not listed, and anyone with its id can sit down."""
    ada, ben = two
    game = ada.does("new", "pig", "--by-link")["game"]
    assert game not in patient.get(f"{ada.house.url}/v1/games").text
    assert ben.does("join", game)["seat"] == 1


def test_a_table_at_which_a_mail_is_a_move(two):
    """Whoever opens it says so, and so does whoever sits down: nobody signs such a move."""
    ada, ben = two
    game = ada.does("new", "pig", "--unsigned")["game"]
    assert patient.get(f"{ada.house.url}/v1/games/{game}").json()["unsigned"] is True
    assert ben.runs("join", game).problem["code"] == "unsigned-table"
    assert ben.does("join", game, "--unsigned")["seat"] == 1


def test_what_does_not_hold(two):
    """A server that signs with another key than was seen before is distrusted: status 3, evidence, nothing signed."""
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


# --- keys -------------------------------------------------------------------------------------------------------------


def test_another_device(pair, game):
    """A second machine signs in, is let in by its thumbprint, plays, and is dropped."""
    mover, _ = turn(pair, game)
    there = mover.elsewhere().signs_in()
    kid = there.does("login", "--list")[0]["key"]
    assert there.runs("play", game, "--move", "roll", "--yes").problem["code"] == "no-seat"
    assert [(one["act"], one["about"]) for one in mover.does("keys")["waiting"]] == [("let-in", kid)]
    mover.does("keys", "add", kid, "--yes")
    assert mover.does("keys")["waiting"] == []
    there.does("play", game, "--move", "roll", "--yes")
    assert [key["kid"] for key in mover.does("keys", "list", game)["keys"]][1:] == [kid]
    mover.does("keys", "drop", kid, "--yes", "--forget")
    assert kid not in str(mover.does("keys"))
    stranger = mover.elsewhere().signs_in()
    [asked] = mover.does("keys")["waiting"]
    assert mover.runs("keys", "cancel", asked["id"] + 999).problem["code"] == "not-found"
    mover.does("keys", "cancel", asked["id"])
    assert [mover.does("keys")["waiting"], len(mover.does("keys")["keys"])] == [[], 1]
    assert stranger.runs("join", game).exit != 0
    said = there.runs("resign", game, "--yes")
    assert (said.exit, said.problems[-1]["code"]) == (5, "dropped-key")


def test_a_key_that_begins_with_a_dash(two):
    """One key in 64 does; its id is let in and dropped as it stands."""
    game = two[0].does("new", "pig", "--seats", 2)["game"]
    two[1].does("join", game)
    mover, _ = turn(two, game)
    there = mover.elsewhere()
    folder = Path(there.env["SEALEDMOVE_HOME"]) / "hosts" / quote(urlsplit(mover.house.url).netloc, safe="")
    dashed = next(key for key in map(keys.Key, iter(partial(random.randbytes, 32), None)) if key.kid.startswith("-"))
    keys.save(dashed, folder / "key")
    there.signs_in()
    mover.does("keys", "add", dashed.kid, game, "--yes")
    there.does("play", game, "--move", "roll", "--yes")
    mover.does("keys", "drop", dashed.kid, "--yes", "--forget")
    assert dashed.kid not in [key["kid"] for key in mover.does("keys")["keys"]]


def test_a_lost_machine(two, tmp_path):
    """By the recovery key a new machine's key becomes the only key of the seat, in every game that the account has."""
    ada, ben = two
    lost = ada.does("keys")["keys"][0]["kid"]
    ada.does("keys", "recovery", tmp_path / "stick")
    game = ada.does("new", "pig")["game"]
    ben.does("join", game)
    new = ada.elsewhere().signs_in()
    kid = new.does("login", "--list")[0]["key"]
    done = new.does("keys", "recover", tmp_path / "stick", "--yes")["done"]
    assert [one["game"] for one in done] == [game]
    assert ada.runs("play", game, "--move", "roll", "--yes").problems[-1]["code"] == "dropped-key"
    assert kid != lost
    assert [key["kid"] for key in new.does("keys", "list", game)["keys"]] == [kid]


def test_a_seat_that_the_server_does_not_list_is_recovered_too(two, tmp_path, monkeypatch):
    """This machine knows the game, so a server cannot keep it from being recovered."""
    ada, ben = two
    ada.does("keys", "recovery", tmp_path / "stick")
    game = ada.does("new", "pig")["game"]
    ben.does("join", game)
    monkeypatch.setattr(recovery_acts, "_listed", lambda _caller: [])
    done = ada.does("keys", "recover", tmp_path / "stick", "--yes")["done"]
    assert [one["game"] for one in done] == [game]


def test_a_game_that_fails_does_not_stop_the_others(two, tmp_path, monkeypatch):
    """Its error is shown with the other games' entries, and the status is that of a refusal."""
    ada, ben = two
    ada.does("keys", "recovery", tmp_path / "stick")
    games = sorted(ada.does("new", "pig")["game"] for _ in range(2))
    for game in games:
        ben.does("join", game)
    act = Player.recover

    def recover(player, *given):
        if player.game == games[0]:
            raise NoAnswerError("no answer")
        return act(player, *given)

    monkeypatch.setattr(Player, "recover", recover)
    said = ada.runs("keys", "recover", tmp_path / "stick", "--yes")
    assert said.exit == 1
    assert {one["game"]: one.get("code", "done") for one in said.value["done"]} == {
        games[0]: "no-answer", games[1]: "done",
    }  # fmt: skip


def test_signing_out_keeps_what_proves_a_rewritten_log(two):
    """The token goes first, then the key and the copies, and the proofs only if they are named."""
    ada, ben = two
    game = ada.does("new", "pig")["game"]
    ben.does("join", game)
    ada.does("show", game)
    folder = next((ada.folder / "ada" / "hosts").iterdir())
    copy, pins = folder / "games" / game, folder / "games" / "servers"
    ada.does("logout")
    assert ada.runs("games").problem["code"] == "nobody"
    assert (folder / "key").exists()
    assert (copy / "log").exists()
    ada.signs_in().does("logout", "--forget", "--yes")
    assert not (folder / "key").exists()
    assert [path.name for path in copy.iterdir() if path.name != "evidence"] == ["note"]
    assert list(pins.iterdir())
    ada.signs_in().does("logout", "--forget", "--proofs", "--yes")
    assert not (folder / "games").exists()


def test_signing_out_revokes_the_token(two, monkeypatch):
    """Whoever has a copy of it can do nothing with it. Without an answer the person is told that it still works."""
    ada, _ = two
    copied = Home(ada.folder / "ada").host().session
    assert ada.does("logout")["revoked"] is True
    with pytest.raises(ApiError, match="bad-token"):
        copied.api.get("/v1/me")
    ada.signs_in()
    copied = Home(ada.folder / "ada").host().session
    monkeypatch.setattr(session, "revoke_own_token", unreachable)
    said = ada.runs("logout")
    assert (said.exit, said.value["revoked"]) == (0, False)
    assert "not revoked" in said.problems[0]["warning"]
    monkeypatch.undo()
    assert copied.api.get("/v1/me").status == 200
    session.revoke_own_token(copied)
    session.revoke_own_token(copied)


def unreachable(_session):
    raise NoAnswerError("the server does not answer")


def test_a_server_without_the_key_backup_is_reported(two, tmp_path):
    """Seats that were taken before keep their old recovery key, which a new code does not change."""
    ada, _ = two
    ada.does("keys", "recovery", tmp_path / "stick")
    problem = ada.runs("keys", "box", "open", "--code", "-", given="0" * 28).problem
    assert problem["code"] == "no-box"
    assert "your seats keep the recovery key that was in it" in problem["says"]
    said = ada.runs("keys", "box", "save")
    assert said.exit == 0
    assert "keep their old recovery key" in said.problems[0]["warning"]
    assert ada.runs("keys", "box", "save").problems == []


def test_a_lost_machine_and_a_recovery_code(two):
    """The code alone lets a new machine into the account and the seats; a new code takes the old one's place."""
    ada, ben = two
    code = ada.does("keys", "box", "save")["code"]
    lost = ada.does("keys")["keys"][0]["kid"]
    game = ada.does("new", "pig")["game"]
    ben.does("join", game)
    new = ada.elsewhere().signs_in()
    assert new.runs("keys", "box", "open", "--code", "-", given="0" * 28).problem["code"] == "bad-code"
    opened = new.does("keys", "box", "open", "--code", "-", given=code.lower())
    assert [seat["game"] for seat in opened["seats"]] == [game]
    assert {key["kid"]: key["counts"] for key in new.does("keys")["keys"]} == {lost: True, opened["key"]: True}
    assert [key["kid"] for key in new.does("keys", "list", game)["keys"]] == [opened["key"]]
    new.does("keys", "drop", lost, "--forget", "--yes")
    renewed = new.does("keys", "box", "save", "--code", "-", given=code)
    assert [seat["game"] for seat in renewed["seats"]] == [game]
    assert new.does("keys", "list", game)["recovery"] == renewed["recovery"]
    assert new.runs("keys", "box", "open", "--code", "-", given=code).problem["code"] == "wrong-code"
