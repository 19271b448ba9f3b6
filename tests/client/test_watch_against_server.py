"""`sealedmove watch` against the real server while a game is played, and as a process that Ctrl-C ends."""

import os
import signal
import subprocess
import sys
from unittest.mock import Mock

import httpx
import pytest
from click.testing import CliRunner

from client.commands import watch
from client.http import Api
from client.memory import Memory
from tests.client.proxy import proxy
from tests.client.replay_server import args
from tests.kit.patience import PATIENCE, until
from tests.kit.play_record import GAME_ID
from tests.server.conftest import hall, open_house, two
from tests.server.harness import HOST

__all__ = ["hall", "open_house", "proxy", "two"]

CLOCK = {"move": 3600, "bank": 0, "increment": 0, "cap": 0, "grace": 60, "missed": 2}


class Played(httpx.BaseTransport):
    """The connection to the app, which makes the next step before each look at the log."""

    def __init__(self, app, steps):
        self.app, self.steps = httpx.WSGITransport(app=app), iter(steps)

    def handle_request(self, request):
        if request.url.path.endswith("/log") and request.url.params["after"] != "-1":
            next(self.steps, lambda: None)()
        return self.app.handle_request(request)


@pytest.fixture
def follow(hall, monkeypatch, tmp_path):
    """Watch a game while the steps are made, by the server's clock."""

    class HallTime:
        sleep = staticmethod(lambda seconds: hall.clock.forward(seconds=int(seconds) + 1))
        time = staticmethod(lambda: hall.clock().timestamp())
        monotonic = staticmethod(lambda: hall.clock().timestamp())

    def follow(game, steps, *options):
        with httpx.Client(transport=Played(hall.app, steps)) as http:
            monkeypatch.setattr(watch, "Api", lambda url: Api(url, None, http, HallTime.sleep))
            monkeypatch.setattr(watch, "time", HallTime)
            return CliRunner().invoke(watch.main, [f"https://{HOST}", game, *options])

    return follow


def moves(hall, game, players, most=400):
    """Legal moves of the seat to move, step after step."""

    def step():
        active = hall.client.get(f"/v1/games/{game}").get_json()["active"]
        if active:
            player = next(one for one in players if one.seat == active[0])
            assert player.move(game, [player.legal(game)[-1]]).status_code == 201

    return [step] * most


@pytest.mark.slow
@pytest.mark.parametrize("key", ["pig", "bids"])
def test_a_whole_game_is_watched(hall, two, follow, key):
    """Every entry is shown once, and the bundle at the end holds."""
    game = hall.game(key, two, clock=CLOCK)
    done = follow(game, moves(hall, game, two))
    assert done.exit_code == 0, done.output
    told = [int(line[:5]) for line in done.stdout.splitlines() if line[:5].strip().isdigit()]
    assert told == list(range(len(told)))
    assert "The end. " in done.stdout
    assert "holds: a finished game" in done.stdout
    assert " ! " not in done.stdout


def test_a_takeover_is_watched(hall, two, follow):
    game, third = hall.game("pig", two, clock=CLOCK), hall.player(2)
    steps = [lambda: two[1].offer(game), lambda: third.take(game, 1), lambda: two[0].resign(game)]
    done = follow(game, steps)
    assert done.exit_code == 0, done.output
    assert "Seat 2 is offered to others." in done.stdout
    assert f"Seat 2, which was offered, was taken with the key {third.kid}" in done.stdout
    assert "took the offered seat" in done.stdout


def test_a_game_in_the_lobby_is_watched_once(hall, two, follow):
    """Nobody has joined it yet."""
    made = two[0].post("/games", {"type": "pig", "seats": 2})
    done = follow(made.get_json()["id"], [], "--once")
    assert done.exit_code == 0
    assert "holds: a game that has not started" in done.stdout


def test_ctrl_c_reports_what_is_kept(hall, two, follow, monkeypatch):
    """Also if it comes after the entries are stored, and before their checkpoint is."""
    game = hall.game("pig", two, clock=CLOCK)
    monkeypatch.setattr(Memory, "keep_note", Mock(side_effect=KeyboardInterrupt))
    done = follow(game, [])
    assert done.exit_code == watch.STOPPED
    assert done.stdout.splitlines()[-1] == "       - stopped; the log holds so far (4 entries)"


def test_an_unknown_game_is_reported_in_the_servers_words(two, follow):
    done = follow("0193f3c2-0000-7000-8000-000000000009", [])
    assert done.exit_code == 2
    assert "404 " in done.stdout


# --- as a process -----------------------------------------------------------------------------------------------------


def test_ctrl_c_ends_the_process(proxy, tmp_path):
    """Without a traceback; checked entries are stored whole."""
    command = [sys.executable, "-m", "sealedmove", "watch", *args("--keep", tmp_path / "copy")]
    process = subprocess.Popen(
        command,
        env=os.environ | {"HTTP_PROXY": proxy, "NO_PROXY": "", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    told, log = [process.stdout.readline() for _ in range(6)], tmp_path / "copy" / GAME_ID / "log"
    until(lambda: log.exists() and len(log.read_bytes().splitlines()) == 6, "what was checked is not kept")
    process.send_signal(signal.SIGINT)
    said, complained = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert told[-1].startswith("    5  ")
    assert said == "       - stopped; the log holds so far (6 entries)\n"
    assert complained == ""
    assert len(log.read_bytes().splitlines()) == 6
