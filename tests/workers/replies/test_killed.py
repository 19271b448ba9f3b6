"""Replies, with real processes that are killed at any moment, and a relay that goes down: no accepted reply is lost,
played twice, or answered to anybody else. They come in by SMTP and by HTTP; each is sent again until it is accepted,
as relays do, and some once more after that, by the other way.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import Counter
from contextlib import contextmanager

import pytest

from tests.databases import BOTH
from tests.kit.patience import until
from tests.servers import free
from tests.workers import harness as people
from tests.workers.harness import Sink
from tests.workers.processes import CLOCK, WORKER, Crew
from tests.workers.replies.answering import Answers, Doors
from tests.workers.replies.post import Post
from workers.dev.signer import PageSigner

FIGURES = logging.getLogger("figures")
WEB = ["--config", "python:server.operate.gunicorn", "server.http.app:create_app()"]
# The lease of a reply is not renewed: on a busy machine two lanes would take it from each other forever within 3 s.
PATIENT = [*WORKER, "--lease", "20"]
COMMANDS = {"worker": PATIENT, "clock": CLOCK, "inbound": ["inbound"], "web": WEB}
PEOPLE = ("Ada", "Ben", "Cy", "Dee")


@pytest.fixture
def database_url(request, tmp_path):
    """Of either kind, empty."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture
def letters(tmp_path):
    """Signs like a provider, with a key in a file that the processes read."""
    return PageSigner(tmp_path)


@pytest.fixture
def house(database_url, redis_url, monkeypatch):
    """Four people; a seat's answers per hour are limited, and further ones wait."""
    monkeypatch.setattr(people, "PEOPLE", PEOPLE)
    sink = Sink()
    made = Post(database_url, sink, redis_url=redis_url)
    yield made
    made.close()
    sink.stop()


@pytest.fixture
def doors(house, letters, tmp_path):
    """The ports of `inbound` and of the web server, and the processes."""
    made = Doors(*free.ports(2))
    crew = Crew(house, tmp_path / "crew.log", DKIM_KEY_FILE=str(tmp_path / "dkim.txt"), **made.settings)
    yield made, crew
    crew.stop()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("database_url", BOTH, indirect=True)
def test_no_reply_is_lost_or_played_twice_whatever_is_killed(house, doors, letters, pytestconfig):
    """Both players of some games answer every mail; processes are killed, or the relay goes down."""
    by, crew = doors
    most, dice = pytestconfig.getoption("--replies"), random.Random(7)
    games = [house.game(kind, seats=4, clock=None, unsigned=True) for kind in ("pig", "bids", "bids", "bids")]
    for name in COMMANDS:
        _start(crew, name)
    troubles: Counter[str] = Counter()
    answers = Answers(house, letters, games)
    for number in range(most):
        mail = answers.next()
        raw = answers.to(mail)
        by_http, trouble = number % 3 == 1, dice.choice([*COMMANDS, "relay"]) if number % 3 == 2 else None
        with _beside(trouble, house, crew, dice.random() / 5):
            by.hand_in(mail, raw, by_http=by_http)
        troubles[trouble or "none"] += 1
        if number % 5 == 4:
            by.hand_in(mail, b"Received: again\r\n" + raw, by_http=not by_http)
    until(lambda: all(row.state == "done" for row in house.kept()), lambda: _shown(house.kept(), crew))
    until(lambda: all(row.state in ("sent", "dropped") for row in house.rows()), lambda: _shown(house.rows(), crew))
    FIGURES.info("%d replies, %s, %s", most, troubles, Counter(row.reason for row in house.kept()))
    answers.check()


def _shown(rows, crew) -> str:
    left = [
        (row.id, row.state, row.reason, row.attempts) for row in rows if row.state not in ("done", "sent", "dropped")
    ]
    return f"{left}\n{crew.log.read_text()[-5000:]}"


@contextmanager
def _beside(trouble: str | None, house, crew, after: float):
    """Do something in so many seconds, beside the block; it has ended when the block is left."""
    if trouble is None:
        yield
        return
    timer = threading.Timer(after, _go_away if trouble == "relay" else _kill, [house.sink, crew, trouble])
    timer.start()
    yield
    timer.join()


def _kill(_sink, crew, name: str) -> None:
    crew.kill(name)
    _start(crew, name)


def _go_away(sink, _crew, _name: str) -> None:
    sink.stop()
    time.sleep(0.5)
    sink.start()


def _start(crew, name: str) -> None:
    crew.start(name, COMMANDS[name], module="gunicorn" if name == "web" else "sealedmove")
