"""The last checkpoint of each game in Redis: after a restore it stops the game before anybody acts on the old head."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import redis

from engine import registry
from engine.errors import EngineFault
from server.kernel.services import NOTE
from server.log import before_writing
from server.log.ledger import stop_game
from server.operate import startup, stopped_games
from tests.server.harness import BY, HOST, WHY, Harness, sqlite_url
from tests.server.lost import CLOCK, Lost, forget, lost
from tests.server.test_give_up import run

NEW_START = pytest.param("start", id="at the start of a process")
FIRST_ACT = pytest.param("act", id="before a process acts for the first time")


@pytest.fixture
def hall(tmp_path: Path, open_house, redis_url: str) -> Harness:
    return open_house(sqlite_url(tmp_path), redis_url=redis_url)


@pytest.fixture
def store(redis_url: str):
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        yield client


def restarted(hall: Harness) -> None:
    """The server as a new process, with nothing in memory."""
    hall.services.known_sizes.clear()
    hall.services.tables._cached.clear()


def act(made: Lost) -> int:
    """The seat to move plays, on the head that the server shows."""
    mover = next(player for player in made.players if player.seat in made.detail()["active"])
    return mover.move(made.game, [mover.legal(made.game)[0]]).status_code


def test_each_entry_replaces_the_note_by_a_longer_one(hall: Harness, store):
    """It is the public checkpoint; it expires after the end of the game."""
    players = [hall.player(number) for number in range(2)]
    game = hall.game("pig", players)
    made = Lost(hall, players, game)
    made.play(3)
    assert store.hget(f"{NOTE}{game}", "note") == hall.client.get(f"/v1/games/{game}/log").get_json()["note"]
    assert store.hget(f"{NOTE}{game}", "size") == str(len(made.now()))
    assert store.ttl(f"{NOTE}{game}") == -1
    assert hall.services.known_sizes[game] == len(made.now())
    hall.play_out(game, players)
    assert store.hget(f"{NOTE}{game}", "size") == str(len(made.now()))
    assert 0 < store.ttl(f"{NOTE}{game}") <= 90 * 86400


@pytest.mark.parametrize("when", [NEW_START, FIRST_ACT])
def test_a_restored_game_is_stopped_before_anybody_acts(hall: Harness, tmp_path: Path, when: str):
    """No client has to show a checkpoint. Once the entries are submitted, the game goes on."""
    made = lost(hall, tmp_path, clock=CLOCK)
    restarted(hall)
    if when == "start":
        before_writing.check_all(hall.services)
        assert made.detail()["stopped"] is True
    assert act(made) == 409
    assert made.now() == made.lines[: made.size]
    assert made.detail()["stopped"] is True
    assert made.hand_in().status_code == 200
    assert made.detail()["stopped"] is False
    assert act(made) == 201


def test_the_list_of_stopped_games_stops_none(hall: Harness, tmp_path: Path):
    """It only reads, so it can be given a replica of the database, which may be behind the note."""
    made = lost(hall, tmp_path)
    listed = run(hall, "stopped", REDIS_URL=hall.services.settings.redis_url)
    assert (listed.exit_code, listed.output) == (0, "")
    assert made.detail()["stopped"] is False


def test_a_database_restored_under_a_running_process_accepts_no_act(hall: Harness, tmp_path: Path):
    """The first act finds fewer entries than the process has seen; the next is refused because entries are missing."""
    made = lost(hall, tmp_path)
    hall.services.known_sizes[made.game] = len(made.lines)
    assert act(made) == 503
    assert act(made) == 409
    assert made.now() == made.lines[: made.size]


def test_a_game_is_compared_as_soon_as_redis_answers(hall: Harness, tmp_path: Path, monkeypatch):
    """An act while Redis is unreachable is logged, but it does not count as a comparison with the kept note."""
    made = lost(hall, tmp_path)
    restarted(hall)
    with monkeypatch.context() as away:
        away.setitem(hall.services.waker.__dict__, "redis", redis.Redis(port=1))
        assert act(made) == 201
    assert act(made) == 409
    assert made.detail()["stopped"] is True


def test_a_game_that_forked_after_a_restore_is_stopped(hall: Harness, store, tmp_path: Path):
    """The kept checkpoint has another hash at its number. The operator is notified once and can continue the game."""
    made = lost(hall, tmp_path, key="bids", before=0, after=1)
    kept = store.hgetall(f"{NOTE}{made.game}")
    store.flushdb()
    restarted(hall)
    mover = next(player for player in made.players if player.seat in made.detail()["active"])
    other = next(one for one in reversed(mover.legal(made.game)) if one != mover.legal(made.game)[0])
    assert mover.move(made.game, [other]).status_code == 201
    store.hset(f"{NOTE}{made.game}", mapping=kept)
    restarted(hall)
    before_writing.check_all(hall.services)
    assert made.detail()["stopped"] is True
    assert act(made) == 503
    assert [row["why"] for row in stopped_games.stopped(hall.services)] == ["checkpoint-contradicts", "fork"]
    assert "contradicts a checkpoint" in made.detail()["stopped_because"]
    stopped_games.resume(hall.services, BY, made.game)
    assert (made.detail()["stopped"], stopped_games.stopped(hall.services)[0]["why"]) == (False, "fork")
    stop_game(hall.services, made.game, EngineFault("planted"))
    assert stopped_games.stopped(hall.services)[0]["why"] == "engine-fault"
    stopped_games.resume(hall.services, BY, made.game)
    restarted(hall)
    before_writing.check_all(hall.services)
    assert act(made) == 201


def test_after_a_stated_loss_notes_are_kept_again(hall: Harness, store, tmp_path: Path):
    """The longer checkpoint of the lost end is replaced, so the next restore is noticed as well."""
    made = lost(hall, tmp_path, after=2)
    restarted(hall)
    before_writing.check_all(hall.services)
    stopped_games.give_up(hall.services, BY, made.game)
    for _ in range(2):  # without and with a comparison at a new start
        assert made.detail()["stopped"] is False
        assert store.hget(f"{NOTE}{made.game}", "size") == str(len(made.now()))
        restarted(hall)
        before_writing.check_all(hall.services)
    forget(made, tmp_path, 4)  # beyond the lost end: within it a note proves nothing
    restarted(hall)
    before_writing.check_all(hall.services)
    assert made.detail()["stopped"] is True


def test_the_note_of_a_game_that_is_cancelled_with_a_loss_expires(hall: Harness, store, tmp_path: Path):
    """The longer note of the lost end does not stay forever."""
    made = lost(hall, tmp_path, after=4)
    restarted(hall)
    stopped_games.cancel(hall.services, BY, made.game, "lines-lost")
    assert store.hget(f"{NOTE}{made.game}", "size") == str(len(made.now()))
    assert 0 < store.ttl(f"{NOTE}{made.game}") <= 90 * 86400


def test_only_the_note_that_was_compared_is_replaced(hall: Harness, store):
    """Another process may have kept a newer one meanwhile."""
    players = [hall.player(number) for number in range(2)]
    made = Lost(hall, players, hall.game("pig", players))
    newer = {"size": "99", "note": "kept meanwhile"}
    store.hset(f"{NOTE}{made.game}", mapping=newer)
    before_writing._check_note(hall.services, made.game, b"not signed")
    assert store.hgetall(f"{NOTE}{made.game}") == newer


@pytest.mark.parametrize(
    "planted", ["no note", b"no text \xff", "{other}/game/{game}\n9\n{hash}\n\n\u2014 {other} {hash}\n"]
)
def test_a_kept_note_without_the_servers_signature_stops_nothing(hall: Harness, store, planted: str | bytes, caplog):
    """It is reported in the log and replaced."""
    players = [hall.player(number) for number in range(2)]
    game = hall.game("pig", players)
    if isinstance(planted, str):
        planted = planted.format(other="elsewhere.example", game=game, hash="A" * 43 + "=")
    store.hset(f"{NOTE}{game}", mapping={"size": 99, "note": planted})
    restarted(hall)
    before_writing.check_all(hall.services)
    made = Lost(hall, players, game)
    assert made.detail()["stopped"] is False
    assert store.hget(f"{NOTE}{game}", "size") == str(len(made.now()))
    assert act(made) == 201


def test_an_older_note_changes_nothing(hall: Harness, store):
    """A process stopped between the commit and Redis, or Redis itself was restored."""
    players = [hall.player(number) for number in range(2)]
    made = Lost(hall, players, hall.game("pig", players))
    older = store.hgetall(f"{NOTE}{made.game}")
    made.play(2)
    store.hset(f"{NOTE}{made.game}", mapping=older)
    restarted(hall)
    before_writing.check_all(hall.services)
    assert made.detail()["stopped"] is False
    assert act(made) == 201


def test_every_process_compares_when_it_starts(hall: Harness, tmp_path: Path, monkeypatch):
    """Before it serves anything."""
    made = lost(hall, tmp_path)
    settings = hall.services.settings
    monkeypatch.setattr(startup.config, "settings", lambda: settings)
    startup.checked_settings()
    assert made.detail()["stopped"] is True


def test_a_game_that_cannot_be_judged_keeps_no_process_from_starting(hall: Harness, tmp_path, monkeypatch, caplog):
    """Without its rules, for example, it waits anyway; it is compared before anybody acts in it."""
    made = lost(hall, tmp_path, clock=CLOCK)
    restarted(hall)
    with monkeypatch.context() as patch:
        pig = registry.find("pig")
        patch.setattr(pig, "meta", msgspec.structs.replace(pig.meta, rules=(2, 2)))
        before_writing.check_all(hall.services)
    assert f"'game': '{made.game}'" in caplog.text
    assert "kept-note-unjudged" in caplog.text
    assert made.detail()["stopped"] is False
    assert act(made) == 409


def test_no_command_runs_under_another_name_than_that_of_the_games(hall: Harness, tmp_path: Path):
    """Their kept notes would count as those of another server, and be replaced by notes on the older log."""
    made = lost(hall, tmp_path)
    restarted(hall)
    other = {"PUBLIC_URL": "http://127.0.0.1:8000", "REDIS_URL": hall.services.settings.redis_url}
    done = run(hall, "reset-events", *WHY, **other)
    before_writing.check_all(hall.services)
    assert made.detail()["stopped"] is True
    assert (done.exit_code, f"the games that wait or run on this server are of {HOST}," in done.output) == (1, True)


def test_a_server_for_one_machine_may_change_its_port(hall: Harness, monkeypatch):
    hall.game("pig", [hall.player(number) for number in range(2)])
    other = replace(hall.services.settings, public_url=f"https://{HOST}:9000")
    monkeypatch.setattr(before_writing, "LOOPBACK", (HOST,))
    with hall.services.database.read() as session:
        before_writing.check_name(other, session)
