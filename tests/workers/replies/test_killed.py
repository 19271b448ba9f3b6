"""Replies, with real processes that are killed at any moment, and a relay that goes down: no accepted reply is lost,
played twice, or answered to anybody else. They come in by SMTP and by HTTP; each is sent again until it is accepted,
as relays do, and some once more after that, by the other way.
"""

from __future__ import annotations

import logging
import random
import smtplib
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.utils import format_datetime

import httpx
import pytest

from engine.kit import Step, format_steps
from server.kernel.services import utc_now
from tests.databases import BOTH
from tests.kit.patience import PATIENCE, until
from tests.servers import free
from tests.workers import harness as people
from tests.workers.harness import Sink
from tests.workers.processes import CLOCK, WORKER, Crew
from tests.workers.replies.post import BOUNCE, REPLY, Post
from workers.dev.signer import PageSigner

FIGURES = logging.getLogger("figures")
SECRET = "the relay's secret"
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
def doors(house, tmp_path):
    """The ports of `inbound` and of the web server, and the processes."""
    smtp, http = free.ports(2)
    key = str(tmp_path / "dkim.txt")
    more = {"REPLY_ADDRESS": REPLY, "BOUNCE_ADDRESS": BOUNCE, "INBOUND_LISTEN": f"smtp://127.0.0.1:{smtp}"}
    more |= {"PORT": str(http), "INBOUND_SECRET": SECRET, "DKIM_KEY_FILE": key}
    crew = Crew(house, tmp_path / "crew.log", **more)
    yield Doors(smtp, http), crew
    crew.stop()


@dataclass(frozen=True)
class Doors:
    smtp: int
    http: int

    def hand_in(self, mail, raw: bytes, *, by_http: bool) -> None:
        """Send the same bytes until they are accepted."""
        to, hand_in = mail["Reply-To"].addresses[0].addr_spec, self._post if by_http else self._mail
        until(lambda: hand_in(to, raw), "no reply is taken")

    def _mail(self, to: str, raw: bytes) -> bool:
        with suppress(OSError, smtplib.SMTPException), smtplib.SMTP("127.0.0.1", self.smtp, timeout=PATIENCE) as client:
            client.sendmail("x@example.org", [to], raw)
            return True
        return False

    def _post(self, to: str, raw: bytes) -> bool:
        told = {"Host": "127.0.0.1:8000", "Content-Type": "message/rfc822", "X-Envelope-To": to}
        asked = {"headers": told, "auth": ("relay", SECRET), "content": raw, "timeout": PATIENCE}
        with suppress(httpx.HTTPError):
            return httpx.post(f"http://127.0.0.1:{self.http}/inbound/raw", **asked).status_code == 200
        return False


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
    answered: dict[str, str] = {}
    for number in range(most):
        mail = _next(house, answered)
        answered[mail["Message-ID"]] = mail["To"].addresses[0].username
        raw = letters.signed(_reply(mail, _words(house, mail), number))
        by_http, trouble = number % 3 == 1, dice.choice([*COMMANDS, "relay"]) if number % 3 == 2 else None
        with _beside(trouble, house, crew, dice.random() / 5):
            by.hand_in(mail, raw, by_http=by_http)
        troubles[trouble or "none"] += 1
        if number % 5 == 4:
            by.hand_in(mail, b"Received: again\r\n" + raw, by_http=not by_http)
    until(lambda: all(row.state == "done" for row in house.kept()), lambda: _shown(house.kept(), crew))
    until(lambda: all(row.state in ("sent", "dropped") for row in house.rows()), lambda: _shown(house.rows(), crew))
    FIGURES.info("%d replies, %s, %s", most, troubles, Counter(row.reason for row in house.kept()))
    _check(house, games, most)


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


def _next(house, answered: dict[str, str]):
    """An unanswered mail to the player with the fewest answers: too many answers an hour wait.

    Usually the last of its game; now and then an older one, whose question may be over.
    """

    def left() -> list:
        asking = _asking(house)
        last = {(_game(mail), mail["To"].addresses[0].username): mail for mail in asking}
        shown = asking if len(answered) % 8 == 7 else last.values()
        return [mail for mail in shown if mail["Message-ID"] not in answered]

    until(left, "nobody is asked")
    counted = Counter(answered.values())
    return min(left(), key=lambda mail: counted[mail["To"].addresses[0].username])


def _asking(house) -> list:
    """Mails that can be answered, without second copies."""
    return list({mail["Message-ID"]: mail for mail in list(house.sink.mails) if mail["Reply-To"]}.values())


def _game(mail) -> str:
    return mail["Message-ID"].split(".")[1]


def _words(house, mail) -> str:
    """The default move as a player would type it."""
    table = house.table(_game(mail))
    seat = PEOPLE.index(mail["To"].addresses[0].username.title())
    return format_steps([Step(table.game.default(table.state, seat))]) if seat in table.active else "bid 0"


def _reply(mail, words: str, number: int):
    made = message_from_bytes(b"", policy=policy.default)
    made["From"], made["To"] = str(mail["To"]), str(mail["Reply-To"])
    made["Date"], made["Subject"] = format_datetime(utc_now()), "Re: " + mail["Subject"]
    made["Message-ID"] = f"<{number}@example.org>"
    made.set_content(words)
    return made


def _check(house, games, answered: int) -> None:
    """Each accepted reply was read once, did one thing, and was answered to its sender."""
    rows = house.kept()
    read = [row for row in rows if row.name is not None]
    assert len(read) == answered
    assert {row.reason for row in rows if row.name is None} <= {"again"}
    played = [row for row in read if row.reason == "played"]
    moved = [line for game in games for line in house.lines(game) if line.get("via") == "mail"]
    assert len(played) == len(moved) > 0
    answers = Counter(row.inbound_id for row in house.rows() if row.kind == "answer")
    assert answers == Counter(row.id for row in read)
    of = {row.message_id: row.account_id for row in house.rows()}
    for mail in house.sink.mails:
        assert mail["To"].addresses[0].username == PEOPLE[of[mail["Message-ID"]] - 1].lower()
