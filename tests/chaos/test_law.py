"""The law of the whole house: whatever is killed, hung, refused or full while moves, mails and streams are in flight,
no confirmed move is lost or logged twice, every log holds, every event arrives once, and every mail arrives; a second
copy of a mail only for one that a killed worker had sent, or whose answer or record a failing relay or disk held back.

`--chaos SECONDS` says how long troubles follow each other: 20 by default, hours if you like.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import redis

from server.evidence import audit
from server.http.credentials import issue_token
from server.kernel.db.models import Account
from tests.chaos.clients import Client, Listener, Mover, moves_of
from tests.chaos.conftest import PROGRAMS, Host, end_backends
from tests.kit.patience import until
from tests.servers.redis import Pausable
from tests.workers.harness import Harness, Sink
from tests.workers.live.test_law import check_arrived, drain, ids

pytestmark = [pytest.mark.slow, pytest.mark.timeout(0)]
TABLES = 3


class Chaos:
    """The house with its clients, and what may happen to it."""

    def __init__(self, house: Harness, hosts: list[Host], sink: Sink, server: Pausable, dice: random.Random) -> None:
        self.house, self.hosts, self.sink, self.server, self.dice = house, hosts, sink, server, dice
        self.kills, self.silences = Counter[str](), 0
        urls = [host.url for host in hosts]
        self.movers = [Mover(urls, house, number) for number in range(TABLES)]
        self.listeners = {who: Listener(urls, house.settings.server_name, self._token(who)) for who in (1, 2)}

    @property
    def clients(self) -> list[Client]:
        return [*self.movers, *self.listeners.values()]

    def _token(self, account: int) -> str:
        with self.house.services.database.write() as session:
            return issue_token(self.house.services, session, account, "chaos", ("read",))[0]

    def kill(self, program: str) -> None:
        host = self.dice.choice(self.hosts)
        host.kill(program)
        self.kills[program] += 1
        self.rest()
        host.start(program)

    def kill_a_host(self) -> None:
        """All its processes at once; the other one carries on."""
        host = self.dice.choice(self.hosts)
        for program in PROGRAMS:
            host.kill(program)
        self.kills.update([*PROGRAMS])
        before = self._count()
        until(lambda: self._goes_on(before), "the other host does not go on")
        for program in PROGRAMS:
            host.start(program)

    def _goes_on(self, before: int) -> bool:
        self.start_ended()
        return self._count() > before + TABLES

    def _count(self) -> int:
        return sum(mover.count for mover in self.movers)

    def empty_redis(self) -> None:
        with redis.Redis.from_url(self.server.url) as client:
            client.flushall()

    def hang_redis(self) -> None:
        self.server.hang()
        self.rest()
        self.server.go_on()

    def refuse_mail(self) -> None:
        self.sink.answer = "451 not now"
        self.rest()
        self.sink.answer = "250 OK"

    def stop_the_relay(self) -> None:
        self.silences += 1
        self.sink.stop()
        self.rest()
        self.sink.start()

    def end_backends(self) -> None:
        if not self.house.services.database.is_sqlite:
            end_backends(self.house)

    def fill_the_disk(self) -> None:
        """Of one host; PostgreSQL, which writes for it, is elsewhere."""
        self.silences += 1
        host = self.dice.choice(self.hosts)
        host.fill_disk(is_full=True)
        self.rest()
        host.fill_disk(is_full=False)

    def jump(self) -> None:
        """A host whose clock is an hour off moves at a table of the others."""
        self.dice.choice(self.movers).moved_by_another_clock(timedelta(hours=self.dice.choice((-1, 1))))

    def rest(self) -> None:
        time.sleep(0.3 + self.dice.random())
        self.start_ended()

    def start_ended(self) -> None:
        for host in self.hosts:
            host.start_ended()

    @property
    def troubles(self) -> list[Callable[[], None]]:
        killed = [lambda program=program: self.kill(program) for program in PROGRAMS]
        of_services = [self.empty_redis, self.hang_redis, self.refuse_mail, self.stop_the_relay, self.end_backends]
        return [*killed, self.kill_a_host, *of_services, self.fill_the_disk, self.jump]

    def go_on(self, seconds: float) -> None:
        """Every trouble once, in any order, and again until the time is over."""
        until_then = time.monotonic() + seconds
        for client in self.clients:
            client.start()
        while True:
            for trouble in self.dice.sample(self.troubles, len(self.troubles)):
                trouble()
                self.rest()
            if time.monotonic() > until_then:
                break
        for host in self.hosts:
            host.await_answer()
        for mover in self.movers:
            mover.stop()


@pytest.fixture
def chaos(house: Harness, hosts: list[Host], sink: Sink, server: Pausable, pytestconfig: pytest.Config) -> Any:
    made = Chaos(house, hosts, sink, server, random.Random(pytestconfig.getoption("--seed")))
    yield made
    for client in made.clients:
        client.stopped.set()


def test_nothing_is_lost_or_doubled_whatever_happens(chaos: Chaos, pytestconfig: pytest.Config):
    """Killed processes and hosts, ended backends, an emptied and a hung Redis, a relay that refuses or is away, a full
    disk, a wrong clock."""
    chaos.go_on(pytestconfig.getoption("--chaos"))
    for mover in chaos.movers:
        check_log(chaos.house, mover)
    for account, listener in chaos.listeners.items():
        check_events(chaos.house, account, listener)
    drain(chaos.house, *(host.crew for host in chaos.hosts))
    check_arrived(chaos.house, chaos.sink)
    copies = len(ids(chaos.sink)) - len(set(ids(chaos.sink)))
    assert copies <= chaos.kills["worker"] + chaos.silences


def check_log(house: Harness, mover: Mover) -> None:
    """Exactly the confirmed moves are logged, in their order, and the log stands the audit."""
    assert mover.count > TABLES
    for game, lines in mover.confirmed.items():
        assert moves_of(house, game) == lines
        assert audit.judged(house.services, game)[1].verdict in ("open", "holds")


def check_events(house: Harness, account: int, listener: Listener) -> None:
    """The stream had each number once, without a gap, however often it broke."""
    with house.services.database.read() as session:
        count = session.get_one(Account, account).events
    until(lambda: listener.last == count, lambda: f"the stream ends at {listener.last} of {count}")
    listener.stop()
    assert listener.numbers == list(range(1, count + 1))
