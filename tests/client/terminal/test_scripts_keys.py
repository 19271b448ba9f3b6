"""Scripts that look after keys, recovery and sign-out by `--json`, against a real server."""

import random
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from client import keys, session
from client.commands import recovery_acts
from client.errors import DistrustError
from client.game import Player
from client.home import Home
from client.http import Api, ApiError, NoAnswerError

from .terminals import turn

pytestmark = pytest.mark.slow  # needs a running server


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


def test_a_key_is_added_where_it_does_not_sign_yet(two):
    """In a later game too, without the name of that game."""
    ada, ben = two
    kid = ada.elsewhere().signs_in().does("login", "--list")[0]["key"]
    for _ in range(2):
        game = ada.does("new", "pig")["game"]
        ben.does("join", game)
        assert [one["game"] for one in ada.does("keys", "add", kid, "--yes")["done"]] == [game]


@pytest.mark.parametrize(("word", "act"), [("add", "add_key"), ("drop", "drop_key")])
def test_a_key_is_added_and_dropped_in_the_games_that_do_not_fail(two, monkeypatch, word, act):
    """A game that cannot be read or changed is named with its error, and the status is that of a refusal."""
    ada, _ = two
    kid = ada.elsewhere().signs_in().does("login", "--list")[0]["key"]
    games = sorted(ada.does("new", "pig")["game"] for _ in range(3))
    if word == "drop":
        ada.does("keys", "add", kid, "--yes")

    def failing(does, failed, error):
        def done(player, *given):
            if player.game == failed:
                raise error
            return does(player, *given)

        return done

    distrust, stopped = DistrustError("fork", "two histories"), ApiError(409, "game-stopped", {"title": "Stopped."})
    monkeypatch.setattr(Player, "sync", failing(Player.sync, games[0], distrust))
    monkeypatch.setattr(Player, act, failing(getattr(Player, act), games[1], stopped))
    said = ada.runs("keys", word, kid, "--yes")
    assert (said.exit, {one["game"]: one.get("code", "done") for one in said.value["done"]}) == (
        1, {games[0]: "fork", games[1]: "game-stopped", games[2]: "done"},
    )  # fmt: skip


def test_a_key_whose_removal_is_declined_stays_in_the_account(two):
    ada, _ = two
    kid = ada.elsewhere().signs_in().does("login", "--list")[0]["key"]
    with ada.at_terminal("keys", "drop", kid, "--forget") as person:
        person.reads("?")
        person.types("n\r")
        person.reads("Nothing was signed.")
        assert person.leaves() == 0
    assert kid in [one["kid"] for one in ada.does("keys")["keys"]]


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


@pytest.fixture
def lost(monkeypatch):
    """The requests, by method and path, that the server carries out and whose answer gets lost, once each."""
    requests, exchange = set(), Api._exchange

    def exchanged(api, request, **given):
        answer = exchange(api, request, **given)
        if (request.method, request.url.path) in requests:
            requests.remove((request.method, request.url.path))
            raise NoAnswerError("the answer was lost")
        return answer

    monkeypatch.setattr(Api, "_exchange", exchanged)
    return requests


def test_a_key_is_registered_approved_and_removed_although_answers_are_lost(two, lost):
    """The repeat of a request with a nonce is refused, and one that removes finds nothing."""
    ada, there = two[0], two[0].elsewhere()
    lost.add(("POST", "/v1/me/keys"))
    kid = there.signs_in().does("login", "--list")[0]["key"]
    lost.add(("POST", f"/v1/me/keys/{kid}/let-in"))
    assert ada.runs("keys", "add", kid, "--yes").problems == []
    assert all(one["counts"] for one in ada.does("keys")["keys"])
    lost.add(("DELETE", f"/v1/me/keys/{kid}"))
    ada.does("keys", "drop", kid, "--forget", "--yes")
    assert kid not in [one["kid"] for one in ada.does("keys")["keys"]]
    assert lost == set()


def test_a_key_backup_is_saved_although_the_answer_is_lost(two, lost):
    """The machine then keeps its recovery key, so that new seats use it."""
    ada, _ = two
    lost.add(("PUT", "/v1/me/keybox"))
    made = ada.does("keys", "box", "save")
    assert lost == set()
    assert ada.does("keys")["recovery"] == made["recovery"]
    ada.elsewhere().signs_in().does("keys", "box", "open", "--code", "-", given=made["code"])


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
