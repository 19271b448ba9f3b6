"""What may happen to the house while its clients act."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import redis

from tests.chaos.clients import Mover
from tests.chaos.conftest import PROGRAMS, Host, end_backends
from tests.chaos.consumer import Consumer
from tests.kit.patience import until
from tests.servers.redis import Pausable
from tests.workers.harness import Harness


@dataclass
class Troubles:
    """They happen one after the other; `counts` has how often each did, and how often each program was killed."""

    house: Harness
    hosts: list[Host]
    server: Pausable
    consumer: Consumer
    movers: list[Mover]
    dice: random.Random
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def all(self) -> list[Callable[[], None]]:
        killed = [lambda program=program: self.kill(program) for program in PROGRAMS]
        of_services = [self.empty_redis, self.hang_redis, self.refuse_mail, self.stop_the_relay, self.end_backends]
        of_hosts = [self.kill_a_host, self.fill_the_disk, self.jump]
        return [*killed, *of_hosts, *of_services, self.leave_hooks_unheard]

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
        self.counts[program] += 1
        self.rest()
        host.start(program)

    def kill_a_host(self) -> None:
        """All its processes at once; the other one carries on."""
        host = self.dice.choice(self.hosts)
        for program in PROGRAMS:
            host.kill(program)
        self.counts.update([*PROGRAMS])
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
        self.counts["relay"] += 1
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
            self.counts["backends"] += 1
            end_backends(self.house)

    def fill_the_disk(self) -> None:
        """Of one host; PostgreSQL, which writes for it, is elsewhere."""
        self.counts["disk"] += 1
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
