"""Scripts that play by `--json`, and the keys of their people, against a real server."""

import os
import random
import stat
import sys
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from client import keys, session
from client.commands import recovery_acts
from client.game import Player
from client.home import Home
from client.http import ApiError, NoAnswerError
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


# --- keys -------------------------------------------------------------------------------------------------------------


def test_a_second_machine_is_approved_plays_and_is_dropped(pair, game):
    """By its thumbprint."""
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


def test_a_key_id_that_begins_with_a_dash_is_accepted(two):
    """One key in 64 does; its id is approved and dropped without quoting."""
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


def test_the_recovery_key_replaces_a_lost_machine(two, tmp_path):
    """A new machine's key becomes the only key of the seat, in every game of the account."""
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
    """This machine knows the game, so a server cannot prevent its recovery."""
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


def test_signing_out_keeps_evidence_of_a_rewritten_log(two):
    """The token is deleted, then the key and the copies, and the evidence only if named."""
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
    """A copy of the token is useless. Without an answer the person is told that it still works."""
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
    """Earlier seats keep their old recovery key, which a new code does not change."""
    ada, _ = two
    ada.does("keys", "recovery", tmp_path / "stick")
    problem = ada.runs("keys", "box", "open", "--code", "-", given="0" * 28).problem
    assert problem["code"] == "no-box"
    assert "your seats keep the recovery key that was in it" in problem["says"]
    said = ada.runs("keys", "box", "save")
    assert said.exit == 0
    assert "keep their old recovery key" in said.problems[-1]["warning"]
    assert [list(line) for line in ada.runs("keys", "box", "save").problems] == [["code"]]


def test_a_recovery_code_replaces_a_lost_machine(two):
    """The code approves a new machine for the account and the seats; a new code replaces it."""
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


def test_a_change_of_the_recovery_key_that_failed_at_a_seat_goes_on(two, monkeypatch):
    """The former backup opens with the old code, and a second run changes the remaining seats to the same new key."""
    ada, _ = two
    code = ada.does("keys", "box", "save")["code"]
    games = [ada.does("new", "pig")["game"] for _ in range(2)]
    changed = []

    def failing(player: Player, *given: Any) -> Any:
        if changed:
            raise NoAnswerError("no answer")
        changed.append(player.game)
        return replace(player, *given)

    replace = Player.replace_recovery
    with monkeypatch.context() as broken:
        broken.setattr(Player, "replace_recovery", failing)
        failed = ada.runs("keys", "box", "save", "--code", "-", given=code)
    assert (failed.exit, "keep the old code" in failed.problems[-1]["warning"]) == (1, True)
    new = failed.problems[0]["code"]  # shown before anything changes
    (left,) = set(games) - set(changed)
    before = {game: ada.does("keys", "list", game)["recovery"] for game in games}
    assert before[changed[0]] != before[left]
    resumed = ada.does("keys", "box", "save", "--code", "-", given=code)
    assert (resumed["code"], [seat["game"] for seat in resumed["seats"]]) == (None, [left])
    assert {ada.does("keys", "list", game)["recovery"] for game in games} == {before[changed[0]]}
    machine = ada.elsewhere().signs_in()
    opened = machine.does("keys", "box", "open", "--code", "-", given=new)
    assert sorted(seat["game"] for seat in opened["seats"]) == sorted(games)
