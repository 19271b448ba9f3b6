"""Troubles that the test causes while the clients act."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta

import redis
import sqlalchemy as sa

from server.hooks.read import message_id
from server.kernel.db.models import HookDelivery, Notification
from server.kernel.services import utc_now
from server.tables.calendar import outages
from tests.chaos.clients import Mover
from tests.chaos.conftest import PROGRAMS, Host, end_backends
from tests.chaos.consumer import Consumer
from tests.chaos.house_players import PLAYERS, Machine
from tests.kit.patience import until
from tests.servers.redis import Pausable, await_answer
from tests.workers.harness import Harness

Where = sa.ColumnElement[bool]
ALL: Where = sa.true()
HOUR = 3600


@dataclass
class Troubles:
    """They happen one after the other. `diary` has them and each program that was killed."""

    house: Harness
    hosts: list[Host]
    server: Pausable
    consumer: Consumer
    movers: list[Mover]
    machine: Machine
    dice: random.Random
    diary: list[tuple[float, str]] = field(default_factory=list)  # when each was over
    behind_until: float = 0  # no clock is set ahead earlier
    unsettled: set[str] = field(default_factory=set)  # the names of what was on its way while a clock was wrong

    @property
    def all(self) -> list[Callable[[], None]]:
        killed = [lambda program=program: self.kill(program) for program in PROGRAMS]
        of_redis = [self.empty_redis, self.kill_redis, self.hang_redis]
        of_others = [self.refuse_mail, self.stop_the_relay, self.leave_hooks_unheard, self.end_backends]
        of_hosts = [self.kill_a_host, self.kill_the_house_players, self.fill_the_disk, self.jump]
        return [*killed, *of_hosts, *of_redis, *of_others]

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

    def kill_the_house_players(self) -> None:
        self.machine.crew.kill(PLAYERS)
        self._note(PLAYERS)
        self.rest()
        self.machine.start()

    def kill_a_host(self) -> None:
        """All its processes at once; the other one carries on."""
        host = self.dice.choice(self.hosts)
        for program in PROGRAMS:
            host.kill(program)
            self._note(program)
        self._await_moves("the other host does not go on")
        for program in PROGRAMS:
            host.start(program)

    def _goes_on(self, before: int) -> bool:
        self.start_ended()
        return self._moves() > before + len(self.movers)

    def _moves(self) -> int:
        return sum(mover.count for mover in self.movers)

    def empty_redis(self) -> None:
        await_answer(self.server.url)  # it may have been killed just now
        with redis.Redis.from_url(self.server.url) as client:
            client.flushall()

    def kill_redis(self) -> None:
        """It loses whatever is not yet on its disk."""
        self.server.kill()
        self.rest()
        self.server.start()

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
        """Of one machine; PostgreSQL, which writes for it, is elsewhere."""
        self._note("disk")
        crew = self.dice.choice([*(host.crew for host in self.hosts), self.machine.crew])
        crew.fill_disk(is_full=True)
        self.rest()
        crew.fill_disk(is_full=False)

    def jump(self) -> None:
        """The clock of one host is an hour off while its processes work, and then right again."""
        self._note("wrong clock")
        settled, host = self._settled(), self.dice.choice(self.hosts)
        self._set_clock(host, self._off())
        host.await_answer()
        self._await_moves("nobody moves under a wrong clock")
        host.set_clock(0)
        self._await_moves("nobody moves under a right clock")  # nothing still goes by the wrong one then
        self.unsettled |= self._names() - settled
        self._note("right again")

    def _off(self) -> int:
        """An hour ahead or behind; ahead once an hour on SQLite, since its clock is the host's.

        A host that is ahead compares its clock with PostgreSQL's. On SQLite, if it is ahead again and again, its own
        web server seems to have answered all the time, and the time of a move to have passed.
        """
        if self.dice.choice((True, False)) or time.monotonic() < self.behind_until:
            return -HOUR
        if self.house.services.database.is_sqlite:
            self.behind_until = time.monotonic() + HOUR
        return HOUR

    def _await_moves(self, otherwise: str) -> None:
        before = self._moves()
        until(lambda: self._goes_on(before), lambda: f"{otherwise} {[mover.failed for mover in self.movers]}")

    def _settled(self) -> set[str]:
        """What is done: no clock can make a process take it again."""
        return self._names(Notification.state.in_(("sent", "dropped")), HookDelivery.state == "delivered")

    def _names(self, mails: Where = ALL, messages: Where = ALL) -> set[str]:
        """The ids of these mails and messages of webhooks."""
        with self.house.services.database.read() as session:
            of_mails = session.scalars(sa.select(Notification.message_id).where(mails))
            return {*filter(None, of_mails), *map(message_id, session.scalars(sa.select(HookDelivery).where(messages)))}

    def _set_clock(self, host: Host, off: int) -> None:
        """Its web server begins with a beat, which is an hour off, too."""
        host.set_clock(off)
        host.kill("web")
        host.start("web")

    def let_an_hour_pass(self) -> None:
        """All hosts are stopped and start again an hour later, when everything dated ahead is due: an outage."""
        for host in self.hosts:
            host.crew.stop()
        self.consumer.ahead = HOUR
        for host in self.hosts:
            host.set_clock(HOUR)
            for program in PROGRAMS:
                host.start(program)
        until(self._is_given_back, "the hour is not given back")

    def copies(self, arrived: Iterable[tuple[str, float]]) -> list[tuple[float, str]]:
        """Which of these names came again, but for those that were on their way while a clock was wrong."""
        seen, again = set[str](), list[tuple[float, str]]()
        for name, at in arrived:
            if name in seen and name not in self.unsettled:
                again.append((round(at, 1), name))
            seen.add(name)
        return again

    def told(self, copies: list[tuple[float, str]]) -> str:
        """For a failure: what happened before these."""
        return "\n".join(f"{at:.1f} {what}" for at, what in sorted([*copies, *self.diary]))

    def _is_given_back(self) -> bool:
        with self.house.services.database.read() as session:
            return outages.may_play(session, utc_now() + timedelta(seconds=HOUR))

    def rest(self) -> None:
        time.sleep(0.3 + self.dice.random())
        self.start_ended()

    def start_ended(self) -> None:
        for one in (*self.hosts, self.machine):
            one.start_ended()
