"""Replies, with real processes that are killed: none is lost that was taken, none is played twice, none answered to
anybody else. One's mail is sent again until it is taken, as relays do, and some of it once more after that."""

from __future__ import annotations

import random
import smtplib
import time
from collections import Counter
from email import message_from_bytes, policy
from email.utils import format_datetime

import pytest

from server.services import utc_now
from tests.servers import free
from tests.workers.house import Sink
from tests.workers.processes import CLOCK, WORKER, Crew, until
from tests.workers.replies.post import BOUNCE, REPLY, Post
from workers.dev.signer import Signer

FEW = 8  # replies; then all is left to come to rest; more with `--long`
DRAINED = 60.0
WORDS = {"pig": "roll\n", "bids": "bid 1\n"}


@pytest.fixture
def database_url(request, tmp_path):
    """SQLite; PostgreSQL with `--long`."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture
def letters(tmp_path):
    """Signs as a mail program's provider does, with a key that the processes find in a file."""
    return Signer(tmp_path)


@pytest.fixture
def house(database_url, redis_url):
    sink = Sink()
    made = Post(database_url, sink, redis_url=redis_url)
    object.__setattr__(made.services, "now", utc_now)
    yield made
    made.close()
    sink.stop()


@pytest.fixture
def door(house, tmp_path):
    """The port of `inbound`, and the processes."""
    port = free.ports(1)[0]
    key = str(tmp_path / "dkim.txt")
    more = {"REPLY_ADDRESS": REPLY, "BOUNCE_ADDRESS": BOUNCE, "INBOUND_LISTEN": f"smtp://127.0.0.1:{port}"}
    crew = Crew(house.settings, tmp_path / "crew.log", DKIM_KEY_FILE=key, **more)
    yield port, crew
    crew.stop()


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
def test_no_reply_is_lost_or_played_twice_whatever_is_killed(house, door, letters, pytestconfig):
    """Both players of some games answer every mail, while the two processes between them are killed."""
    port, crew = door
    most, dice = (80, random.Random(7)) if pytestconfig.getoption("--long") else (FEW, random.Random(7))
    games = {house.game(kind, clock=None, unsigned=True): kind for kind in ("pig", "bids", "bids")}
    for name, words in (("worker", WORKER), ("clock", CLOCK), ("inbound", ["inbound"])):
        crew.start(name, words)
    for number in range(most):
        mail = _next(house, number)
        raw = letters.signed(_reply(mail, WORDS[games[_game(mail)]], number))
        if number % 5 == 3:
            _kill(crew, dice.choice(["worker", "inbound"]))
        _hand_in(port, mail, raw)
        if number % 5 == 4:
            _hand_in(port, mail, b"Received: again\r\n" + raw)
    until(lambda: all(row.state == "done" for row in house.kept()), DRAINED, "not every reply was read")
    until(lambda: all(row.state in ("sent", "dropped") for row in house.rows()), DRAINED, "not everything was told")
    _check(house, games, most)


def _next(house, number: int):
    """The mail that is answered next, when it has come."""
    until(lambda: len(_asking(house)) > number, DRAINED, "nobody is asked")
    return _asking(house)[number]


def _asking(house) -> list:
    """Mails that can be answered, a second copy of one left out."""
    return list({mail["Message-ID"]: mail for mail in list(house.sink.mails) if mail["Reply-To"]}.values())


def _game(mail) -> str:
    return mail["Message-ID"].split(".")[1]


def _reply(mail, words: str, number: int):
    made = message_from_bytes(b"", policy=policy.default)
    made["From"], made["To"] = str(mail["To"]), str(mail["Reply-To"])
    made["Date"], made["Subject"] = format_datetime(utc_now()), "Re: " + mail["Subject"]
    made["Message-ID"] = f"<{number}@example.org>"
    made.set_content(words)
    return made


def _hand_in(port: int, mail, raw: bytes) -> None:
    """The same bytes until they are taken."""
    to, end = mail["Reply-To"].addresses[0].addr_spec, time.monotonic() + DRAINED
    while True:
        try:
            with smtplib.SMTP("127.0.0.1", port, timeout=10) as client:
                client.sendmail(mail["To"].addresses[0].addr_spec, [to], raw)
            return
        except (OSError, smtplib.SMTPException):
            assert time.monotonic() < end, "no reply is taken"
            time.sleep(0.1)


def _kill(crew, name: str) -> None:
    crew.kill(name)
    crew.start(name, WORKER if name == "worker" else ["inbound"])


def _check(house, games, answered: int) -> None:
    """Each reply that was taken was read once, did one thing, and was answered to whoever sent it."""
    rows = house.kept()
    read = [row for row in rows if row.name is not None]
    assert len(read) == answered
    assert {row.reason for row in rows if row.name is None} <= {"again"}
    played = [row for row in read if row.reason == "played"]
    moved = [line for game in games for line in house.lines(game) if line.get("via") == "mail"]
    assert len(played) == len(moved) > 0
    answers = Counter(row.inbound_id for row in house.rows() if row.kind == "answer")
    assert answers == Counter(row.id for row in read)
    people = {row.message_id: row.account_id for row in house.rows()}
    for mail in house.sink.mails:
        assert mail["To"].addresses[0].username == ("ada", "ben")[people[mail["Message-ID"]] - 1]
