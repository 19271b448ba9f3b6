"""Real processes beside a Redis that hangs: moves and mails go on, and when it is back nothing is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest
from rq.exceptions import StopRequested

from tests.kit.patience import PATIENCE
from tests.servers.redis import Pausable, pausable
from tests.workers.harness import Harness
from tests.workers.live.test_law import check_arrived, drain
from tests.workers.processes import CLOCK, WORKER
from workers import worker

pytestmark = pytest.mark.slow


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "redis"
    folder.mkdir()
    with pausable(folder) as made:
        yield made


@pytest.fixture
def database_url(tmp_path):
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture
def house(database_url, sink, server: Pausable):
    made = Harness(database_url, sink, server.url)
    yield made
    made.close()


def test_mails_are_sent_while_redis_hangs_and_none_is_missing_afterwards(house, sink, crew, server: Pausable):
    """The clock finds their rows, and the lanes of the worker need no Redis."""
    crew.start("clock", CLOCK)
    crew.start("worker", WORKER)
    games = [house.game(clock=None) for _ in range(3)]
    drain(house, crew)
    server.hang()
    for game in games:
        house.move(game, house.table(game).active[0], "roll; try hold")
    drain(house, crew)
    server.go_on()
    for game in games:
        house.play_default(game)
    drain(house, crew)
    check_arrived(house, sink)
    assert {name: process.poll() for name, process in crew.running.items()} == {"clock": None, "worker": None}


def test_a_worker_that_starts_without_redis_sends_mail_and_stops_when_told(house, sink, crew, server: Pausable):
    """As after a restart of the machine on which Redis does not start."""
    server.process.terminate()
    server.process.wait(PATIENCE)
    crew.start("clock", CLOCK)
    crew.start("worker", WORKER)
    game = house.game(clock=None)
    house.move(game, house.table(game).active[0], "roll; try hold")
    drain(house, crew)
    check_arrived(house, sink)
    running = crew.running.pop("worker")
    for _ in range(2):  # from the supervisor, and from its system
        running.terminate()
    assert running.wait(PATIENCE) == 0


STOPPED = """
import os, signal
from workers import worker

class Stopped(worker.Analyst):
    def start(self):
        super().start()
        os.kill(os.getpid(), signal.SIGTERM)

    def stop(self):
        os.kill(os.getpid(), signal.SIGTERM)
        super().stop()

worker.Analyst = Stopped
worker.main()
"""


def test_a_worker_that_is_stopped_while_it_starts_and_while_it_ends_does_so_in_order(crew):
    """Its lanes may be sending mail."""
    words = [sys.executable, "-c", STOPPED, *WORKER[1:]]
    done = subprocess.run(words, env=crew.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr


def test_a_worker_whose_queue_went_away_asks_for_jobs_again(monkeypatch):
    """RQ's worker ends after a while; the process starts another, until it is told to stop."""
    monkeypatch.setattr(worker, "AGAIN", 0.0)
    ended = iter([None, worker.RedisError(), None, StopRequested()])
    made = []

    class Ending(worker.JobWorker):
        def __init__(self) -> None:
            made.append(self)

        def work(self, *_args, **_more):
            if (how := next(ended)) is not None:
                raise how

    worker.work(Ending, burst=False)
    assert len(made) == 4
