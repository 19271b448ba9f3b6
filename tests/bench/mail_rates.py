"""Mails a second of one worker against a local relay, beside the bare SMTP rate of the same run.

Aims, on two cores: 100 sign-in mails/s, 50 turn mails/s without a picture and 15 with one, and a sign-in mail within
five seconds behind any backlog. Every picture is drawn anew: none is taken from those that others see alike. Where
others use the machine, the time of a core for a mail is the firmer figure: two free cores have 2,000 ms of it a second.
"""

from __future__ import annotations

import itertools
import os
import smtplib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import sqlalchemy as sa

from server.accounts.sign_in import request_link
from server.kernel.db.models import Notification
from server.kernel.services import utc_now
from tests.servers import free
from tests.workers.harness import Harness
from workers.mail import mailer
from workers.mail.mailer import Mailer
from workers.mail.render_pool import RenderPool

from .timing import heading, line

TITLES = ("tikal", "livingstone", "discoveries", "lewis_clark")
GAMES, LINKS, BARE, ROUNDS = 8, 300, 400, 2
SIZE = 12_000  # octets of a turn mail without its picture


class Relay:
    """The relay's process, and what it has printed."""

    def __init__(self) -> None:
        self.port = free.ports(1)[0]
        self.url = f"smtp://127.0.0.1:{self.port}"
        words = [sys.executable, "-m", "tests.bench.relay", str(self.port)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.taken: list[tuple[float, str]] = []
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for told in self.process.stdout or ():
            at, to = told.split()
            self.taken.append((int(at) / 1e9, to))

    def wait(self, count: int) -> list[tuple[float, str]]:
        """Wait for this many mails since `forget`."""
        while len(self.taken) < count:
            time.sleep(0.01)
        return self.taken[:count]

    def stop(self) -> None:
        self.process.terminate()
        self._reader.join()
        self.process.communicate()


@contextmanager
def opened() -> Iterator[tuple[Harness, Relay]]:
    with tempfile.TemporaryDirectory() as folder:
        relay = Relay()
        house = Harness(f"sqlite:///{Path(folder) / 'house.db'}", relay)  # type: ignore[arg-type]  # its `url` is asked
        object.__setattr__(house.services, "now", utc_now)
        try:
            yield house, relay
        finally:
            house.close()
            relay.stop()


@contextmanager
def working(house: Harness, draw: Callable[[str], bytes | None]) -> Iterator[Mailer]:
    object.__setattr__(house.ctx, "draw", draw)
    made = Mailer(house.ctx)
    made.start()
    try:
        yield made
    finally:
        made.stop()


def report() -> None:
    load, cores = os.getloadavg()[0], os.cpu_count()
    heading(f"Mails a second of one worker, SQLite, local relay; load {load:.1f} on {cores} cores when it began")
    with opened() as (house, relay):
        bare = bare_rate(relay)
        line("bare smtplib, one connection", f"{bare:,.0f}/s", f"{SIZE:,} octets each")
        easel, number = RenderPool(), itertools.count()
        play(house, GAMES)
        easel.draw('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
        _tell("sign-in mails (aim 100)", sign_in(house, relay), bare)
        _tell("turn mails without a picture (aim 50)", turns(house, relay, lambda _: None), bare)
        drawn = turns(house, relay, lambda svg: easel.draw(f"{svg}<!-- {next(number)} -->"))
        _tell("turn mails, a picture drawn for each (aim 15)", drawn, bare)
        waited, behind = sign_in_behind(house, relay)
        line("a sign-in mail behind a backlog (aim 5 s)", f"{waited:.2f} s", f"{behind} turn mails wait")
        easel.close()


def _tell(what: str, measured: tuple[float, float], bare: float) -> None:
    rate, spent = measured
    line(what, f"{rate:,.1f}/s", f"{rate / bare:.2f} of the bare rate, {spent * 1e3:.0f} ms of a core each")


def spent(relay: Relay) -> float:
    """Seconds of a processor that this process and its drawers have used."""
    family = [psutil.Process(), *psutil.Process().children()]
    times = [one.cpu_times() for one in family if one.pid != relay.process.pid]
    return sum(one.user + one.system for one in times)


def timed(house: Harness, relay: Relay, draw: Callable[[str], bytes | None], wanted: int) -> tuple[float, float]:
    """Mails a second, and seconds of a processor for each, until the relay has this many."""
    relay.taken.clear()
    began, used = time.monotonic(), spent(relay)
    with working(house, draw):
        rate = wanted / (relay.wait(wanted)[-1][0] - began)
        return rate, (spent(relay) - used) / wanted


def bare_rate(relay: Relay) -> float:
    """The relay's rate for a program that does nothing else."""
    letter = (b"Subject: bare\r\n\r\n" + (b"x" * 76 + b"\r\n") * (SIZE // 78)).rstrip(b"\r\n")
    relay.taken.clear()
    with smtplib.SMTP("127.0.0.1", relay.port) as client:
        began = time.monotonic()
        for _ in range(BARE):
            client.sendmail("a@example.org", ["b@example.org"], letter)
        return BARE / (time.monotonic() - began)


def play(house: Harness, games: int) -> None:
    """Games of every title that have begun; of the mails about it those that ask for a move."""
    for title in TITLES:
        for _ in range(games):
            house.game(title, clock=None)
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.delete(Notification).where(Notification.kind != "turn"))


def turns(house: Harness, relay: Relay, draw: Callable[[str], bytes | None]) -> tuple[float, float]:
    """The same questions again and again, unanswered."""
    rounds = []
    for _ in range(ROUNDS):
        _again(house)
        rounds.append(timed(house, relay, draw, _turns(house)))
    return max(rounds)


def _turns(house: Harness) -> int:
    return sum(row.kind == "turn" for row in house.rows())


def _again(house: Harness, **values: Any) -> None:
    with house.services.database.write() as session:
        session.execute(
            sa.update(Notification)
            .where(Notification.kind == "turn")
            .values(state="pending", next_at=utc_now(), attempts=0, **values)
        )


def sign_in(house: Harness, relay: Relay) -> tuple[float, float]:
    """Asked for before the clock starts; dispatched, composed and sent after."""
    for number in range(LINKS):
        request_link(house.services, f"person.{number}@example.org", "")
    with house.services.database.write() as session:
        session.execute(sa.update(Notification).values(state="sent"))
    return timed(house, relay, lambda _: None, LINKS)


def sign_in_behind(house: Harness, relay: Relay) -> tuple[float, int]:
    """Seconds from the request until the relay has it, with every turn mail before it, each with a picture."""
    easel = RenderPool()
    _again(house)
    relay.taken.clear()
    with working(house, easel.draw):
        relay.wait(mailer.LANES)
        asked, behind = time.monotonic(), _turns(house) - len(relay.taken)
        request_link(house.services, "late@example.org", "")
        while not any(to == "late@example.org" for _, to in relay.taken):
            time.sleep(0.005)
        at = next(at for at, to in relay.taken if to == "late@example.org")
    easel.close()
    return at - asked, behind
