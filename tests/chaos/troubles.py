"""Troubles that the test causes while the clients act."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta

import redis

from server.kernel.services import utc_now
from server.tables.calendar import outages
from tests.chaos.clients import Mover
from tests.chaos.conftest import PROGRAMS, Host, end_backends
from tests.chaos.consumer import Consumer
from tests.kit.patience import until
from tests.servers.redis import Pausable
from tests.workers.harness import Harness

HOUR = 3600
SETTLED = 10.0  # seconds until a worker has noticed that another one has taken its mails; it renews their leases before


@dataclass
class Troubles:
    """They happen one after the other. `diary` has them and each program that was killed."""

    house: Harness
    hosts: list[Host]
    server: Pausable
    consumer: Consumer
    movers: list[Mover]
    dice: random.Random
    diary: list[tuple[float, str]] = field(default_factory=list)  # when each was over
    jumps: list[tuple[float, float]] = field(default_factory=list)  # while some leases were by another clock

    @property
    def all(self) -> list[Callable[[], None]]:
        killed = [lambda program=program: self.kill(program) for program in PROGRAMS]
        of_services = [self.empty_redis, self.hang_redis, self.refuse_mail, self.stop_the_relay, self.end_backends]
        of_hosts = [self.kill_a_host, self.fill_the_disk, self.jump]
        return [*killed, *of_hosts, *of_services, self.leave_hooks_unheard]

    @property
    def counts(self) -> Counter[str]:
        return Counter(what for _, what in self.diary)

    def _note(self, what: str) -> None:
        self.diary.append((round(time.monotonic(), 1), what))

    def go_on(self, seconds: float) -> None:
        """Every trouble once, in any order, and again until the time is over."""
        until_then = time.monotonic() + seconds
        while True:
            for trouble in self.dice.sample(self.all, len(self.all)):
                trouble()
                self.rest()
            if time.monotonic() > until_then:
                break
        for host in self.hosts:
            host.await_answer()

    def kill(self, program: str) -> None:
        host = self.dice.choice(self.hosts)
        host.kill(program)
        self._note(program)
        self.rest()
        host.start(program)

    def kill_a_host(self) -> None:
        """All its processes at once; the other one carries on."""
        host = self.dice.choice(self.hosts)
        for program in PROGRAMS:
            host.kill(program)
            self._note(program)
        before = self._moves()
        until(lambda: self._goes_on(before), "the other host does not go on")
        for program in PROGRAMS:
            host.start(program)

    def _goes_on(self, before: int) -> bool:
        self.start_ended()
        return self._moves() > before + len(self.movers)

    def _moves(self) -> int:
        return sum(mover.count for mover in self.movers)

    def empty_redis(self) -> None:
        with redis.Redis.from_url(self.server.url) as client:
            client.flushall()

    def hang_redis(self) -> None:
        self.server.hang()
        self.rest()
        self.server.go_on()

    def refuse_mail(self) -> None:
        self.house.sink.answer = "451 not now"
        self.rest()
        self.house.sink.answer = "250 OK"

    def stop_the_relay(self) -> None:
        self._note("relay")
        self.house.sink.stop()
        self.rest()
        self.house.sink.start()

    def leave_hooks_unheard(self) -> None:
        """The receiver of webhooks has a fault, or leaves requests open."""
        self.consumer.mood = self.dice.choice((503, "hang"))
        self.rest()
        self.consumer.mood = None

    def end_backends(self) -> None:
        if not self.house.services.database.is_sqlite:
            self._note("backends")
            end_backends(self.house)

    def fill_the_disk(self) -> None:
        """Of one host; PostgreSQL, which writes for it, is elsewhere."""
        self._note("disk")
        host = self.dice.choice(self.hosts)
        host.fill_disk(is_full=True)
        self.rest()
        host.fill_disk(is_full=False)

    def jump(self) -> None:
        """The clock of one host is an hour off while its processes work, and then right again."""
        begun = time.monotonic()
        host = self.dice.choice(self.hosts)
        self._set_clock(host, self.dice.choice((-HOUR, HOUR)))
        host.await_answer()
        before = self._moves()
        until(lambda: self._goes_on(before), "nobody moves under a wrong clock")
        host.set_clock(0)
        self.jumps.append((begun, time.monotonic() + SETTLED))

    def _set_clock(self, host: Host, off: int) -> None:
        """Its web server begins with a beat, which is an hour off, too."""
        host.set_clock(off)
        host.kill("web")
        host.start("web")

    def let_an_hour_pass(self) -> None:
        """Set all clocks an hour ahead: everything dated ahead is due. The house counts the hour as an outage."""
        self.jumps.append((time.monotonic(), time.monotonic() + SETTLED))
        self.consumer.ahead = HOUR
        for host in self.hosts:
            self._set_clock(host, HOUR)
        until(self._is_given_back, "the hour is not given back")

    def copies(self, arrived: Iterable[tuple[str, float]]) -> list[tuple[float, str]]:
        """Which of these names came again, at a time when all clocks were right."""
        seen, again = set[str](), list[tuple[float, str]]()
        for name, at in arrived:
            if name in seen and not any(begun <= at <= ended for begun, ended in self.jumps):
                again.append((round(at, 1), name))
            seen.add(name)
        return again

    def told(self, copies: list[tuple[float, str]]) -> str:
        """For a failure: what happened before these."""
        wrong = [one for begun, ended in self.jumps for one in ((begun, "wrong clock"), (ended, "right again"))]
        return "\n".join(f"{at:.1f} {what}" for at, what in sorted([*copies, *self.diary, *wrong]))

    def _is_given_back(self) -> bool:
        with self.house.services.database.read() as session:
            return outages.may_play(session, utc_now() + timedelta(seconds=HOUR))

    def rest(self) -> None:
        time.sleep(0.3 + self.dice.random())
        self.start_ended()

    def start_ended(self) -> None:
        for host in self.hosts:
            host.start_ended()
