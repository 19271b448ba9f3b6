"""Real processes beside a Redis that hangs: moves and mails go on, and when it is back nothing is missing."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys

import pytest
from rq.exceptions import StopRequested
from structlog.testing import CapturingLogger

from tests.kit.patience import PATIENCE, until
from tests.servers.redis import Pausable, pausable
from tests.workers.harness import Harness
from tests.workers.live.test_law import check_arrived, drain
from tests.workers.processes import CLOCK, WORKER
from workers import outage_log, worker
from workers.outage_log import OutageLog
from workers.queues import open_queue

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
        pubsub_thread = None

        def __init__(self) -> None:
            made.append(self)

        def work(self, *_args, **_more):
            if (how := next(ended)) is not None:
                raise how

    worker.work(Ending, burst=False)
    assert len(made) == 4


@pytest.fixture
def own_signals():
    """The handlers that RQ's worker replaces."""
    before = {number: signal.getsignal(number) for number in worker.STOPS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("own_signals")
def test_a_full_redis_is_one_line_of_the_worker_and_leaves_no_thread(server: Pausable, monkeypatch, caplog):
    """No traceback, and no line for later attempts; the listener of RQ's worker ends with it."""
    monkeypatch.setattr(worker, "AGAIN", 0.0)
    monkeypatch.setattr(worker.JobWorker, "outage", OutageLog("queue-away", "queue-back"))
    said = CapturingLogger()
    monkeypatch.setattr(outage_log, "log", said)
    worker.warm()
    queue, made = open_queue(server.url), []

    class Filled(worker.JobWorker):
        """The first finds Redis full when it waits for jobs, the second and third from the beginning."""

        def dequeue_job_and_maintain_ttl(self, *given):
            queue.connection.config_set("maxmemory", 1)
            return super().dequeue_job_and_maintain_ttl(*given)

    def make() -> worker.JobWorker:
        made.append(Filled([queue], connection=queue.connection, **worker.ALWAYS))
        monkeypatch.setattr(worker.JobWorker, "is_told", len(made) == 3)
        return made[-1]

    worker.work(make, burst=False)
    [line] = said.calls
    assert (line.args, line.kwargs["says"].partition(" ")[0]) == (("queue-away",), "OutOfMemoryError:")
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]
    assert [one.pubsub_thread is not None for one in made] == [True, False, False]
    queue.connection.client_kill_filter(_type="pubsub")  # otherwise it waits for a minute
    until(lambda: not made[0].pubsub_thread.is_alive(), "the listener goes on")
    queue.connection.close()
