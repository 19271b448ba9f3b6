"""Troubles that the test causes while the clients act."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
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
from tests.chaos.diary import WRONG_CLOCK, Diary
from tests.chaos.house_players import PLAYERS, Machine, Opener
from tests.chaos.receivers import Receivers
from tests.kit.patience import until
from tests.servers.redis import Pausable, await_answer
from tests.workers.harness import Harness

Where = sa.ColumnElement[bool]
ALL: Where = sa.true()
HOUR = 3600
OUTAGE = 2 * HOUR  # after it everything is due that a process leased by a clock an hour ahead before it was killed


@dataclass
class Troubles:
    """They happen one after the other, and `diary` has them."""

    house: Harness
    hosts: list[Host]
    server: Pausable
    receivers: Receivers
    movers: list[Mover]
    machine: Machine
    opener: Opener
    dice: random.Random
    diary: Diary = field(default_factory=Diary)
    behind_until: float = 0  # no clock is set ahead earlier
    _house_moves: int = 0  # when house players were last started

    @property
    def all(self) -> list[Callable[[], None]]:
        killed = [lambda program=program: self.kill(program) for program in PROGRAMS]
        of_redis = [self.empty_redis, self.kill_redis, self.hang_redis]
        of_others = [self.refuse_mail, self.stop_the_relay, self.leave_unheard, self.end_backends, self.change_phone]
        of_hosts = [self.kill_a_host, self.kill_the_house_players, self.fill_the_disk, self.jump]
        return [*killed, *of_hosts, *of_redis, *of_others]

    @property
    def counts(self) -> Counter[str]:
        return Counter(trouble.what for trouble in self.diary.troubles)

    def go_on(self, seconds: float) -> None:
        """Every trouble once, in any order, and then again until the time is over."""
        until_then = time.monotonic() + seconds
        for number, trouble in enumerate(self._in_any_order()):
            if number >= len(self.all) and time.monotonic() > until_then:
                break
            trouble()
            self.rest()
        for host in self.hosts:
            host.await_answer()

    def _in_any_order(self) -> Iterator[Callable[[], None]]:
        """Each of them comes once before any comes again."""
        while True:
            yield from self.dice.sample(self.all, len(self.all))

    def kill(self, program: str) -> None:
        host = self.dice.choice(self.hosts)
        self._kill(host, program)
        self.rest()
        host.start(program)

    def _kill(self, host: Host, program: str) -> None:
        with self.diary.during(program, host.name):
            host.kill(program)

    def kill_the_house_players(self) -> None:
        """Once they have moved since they were started."""
        before = self._house_moves
        self._await_house(lambda: self.opener.moves() > before)
        with self.diary.during(PLAYERS):
            self.machine.crew.kill(PLAYERS)
        self.rest()
        self.machine.start()
        self._house_moves = self.opener.moves()

    def await_house_players(self) -> None:
        """Each of them moves again."""
        games, players = self.opener.games, self.opener.players()
        first = len(games) - 1
        before = self.opener.moved(games[first:])

        def all_move() -> bool:
            now = self.opener.moved(games[first:])
            return all(now[player] > before[player] for player in players)

        self._await_house(all_move)

    def _await_house(self, goes_on: Callable[[], bool]) -> None:
        def does() -> bool:
            self.start_ended()
            return goes_on()

        until(does, lambda: f"house players do not go on: {self.opener}\n{self.machine.crew.report()}")

    def kill_a_host(self) -> None:
        """All its processes at once; the other one carries on."""
        host = self.dice.choice(self.hosts)
        for program in PROGRAMS:
            self._kill(host, program)
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
        with self.diary.during("redis emptied"), redis.Redis.from_url(self.server.url) as client:
            client.flushall()

    def kill_redis(self) -> None:
        """It loses whatever is not yet on its disk."""
        with self.diary.during("redis killed"):
            self.server.kill()
            self.rest()
            self.server.start()

    def hang_redis(self) -> None:
        with self.diary.during("redis hung"):
            self.server.hang()
            self.rest()
            self.server.go_on()

    def refuse_mail(self) -> None:
        with self.diary.during("mail refused"):
            self.house.sink.answer = "451 not now"
            self.rest()
            self.house.sink.answer = "250 OK"

    def stop_the_relay(self) -> None:
        with self.diary.during("relay"):
            self.house.sink.stop()
            self.rest()
            self.house.sink.start()

    def leave_unheard(self) -> None:
        """The receiver of webhooks and notifications has a fault, or leaves requests open."""
        with self.diary.during("unheard"):
            self.receivers.mood = self.dice.choice((503, "hang"))
            self.rest()
            self.receivers.mood = None

    def change_phone(self) -> None:
        with self.diary.during("phone changed"):
            self.receivers.phones.change()

    def end_backends(self) -> None:
        if not self.house.services.database.is_sqlite:
            with self.diary.during("backends"):
                end_backends(self.house)

    def fill_the_disk(self) -> None:
        """Of one machine; PostgreSQL, which writes for it, is elsewhere."""
        one = self.dice.choice([*self.hosts, self.machine])
        with self.diary.during("disk", one.name):
            one.crew.fill_disk(is_full=True)
            self.rest()
            one.crew.fill_disk(is_full=False)

    def jump(self) -> None:
        """The clock of one host is an hour off while its processes work, and then right again."""
        settled, phones = self._settled(), self.receivers.phones
        shown, host = phones.settled(), self.dice.choice(self.hosts)
        with self.diary.during(WRONG_CLOCK, host.name) as names:
            self._set_clock(host, self._off())
            host.await_answer()
            self._await_moves("nobody moves under a wrong clock")
            host.set_clock(0)
            self._await_moves("nobody moves under a right clock")  # nothing still goes by the wrong one then
            names.update(self._names() - settled, phones.unsettled(shown))

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

    def let_hours_pass(self) -> None:
        """All hosts are stopped and start again two hours later, when everything dated ahead is due: an outage."""
        for host in self.hosts:
            host.crew.stop()
        self.receivers.consumer.ahead = OUTAGE
        for host in self.hosts:
            host.set_clock(OUTAGE)
            for program in PROGRAMS:
                host.start(program)
        until(self._is_given_back, "the time of the outage is not given back")

    def _is_given_back(self) -> bool:
        with self.house.services.database.read() as session:
            return outages.may_play(session, utc_now() + timedelta(seconds=OUTAGE))

    def rest(self) -> None:
        time.sleep(0.3 + self.dice.random())
        self.start_ended()

    def start_ended(self) -> None:
        """As a supervisor does. The diary has what ended by itself."""
        for one in (*self.hosts, self.machine):
            for program in one.start_ended():
                with self.diary.during(f"{program} had ended", one.name):
                    continue
