"""The law of the whole house: whatever is killed, hung, refused or full while moves, mails, replies, webhooks,
notifications and streams are in flight and house players play, no confirmed move is lost or logged twice, every log
holds, every event arrives once at a stream and in the order of its game at a webhook, every accepted reply is played or
answered once, every mail and every notification that is still true arrives, and no house player finds that the server
contradicts itself, or stands still.

A second copy of a mail comes only of one that a killed worker had just sent, or whose answer or record a failing relay
or disk held back then. A second copy of a webhook's message, under the same id, or of a notification comes only if its
answer could not be stored then. And of each if it was on its way while the clock of a host was an hour off: leases end
by the clock. No default move is played early then. `diary.py` judges the copies.

`--chaos SECONDS` says how long troubles follow each other: a minute by default, hours if you like.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import pytest
import sqlalchemy as sa

from server.evidence import audit
from server.http.credentials import issue_token
from server.kernel.db.models import Account, Hook, HookDelivery, PushMessage, UnnumberedEvent
from tests.chaos.clients import Client, Listener, Mover, moves_of
from tests.chaos.conftest import HOSTS, Host
from tests.chaos.consumer import Consumer
from tests.chaos.diary import WRONG_CLOCK, copies
from tests.chaos.house_players import Machine, Opener
from tests.chaos.phones import WAITING, Phones
from tests.chaos.receivers import Receivers
from tests.chaos.replier import Replier
from tests.chaos.troubles import Troubles
from tests.kit.patience import finish, until
from tests.servers.receiver import Receiver
from tests.servers.redis import Pausable
from tests.workers.harness import Harness
from tests.workers.live.test_law import check_arrived, drain, ids
from tests.workers.replies.post import Post
from workers.dev.signer import PageSigner
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.replies.process import MOST_ANSWERS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(0)]
FIGURES = logging.getLogger("figures")
TABLES, READERS = 3, (1, 2)
OPEN = DeliveryPolicy().most_of_hook * len(READERS)  # requests of a process, whose answers it has not stored
OF_MAILS = {"worker": 1, "disk": 1, "relay": len(HOSTS), WRONG_CLOCK: inf}  # copies that one of these explains
OF_REQUESTS = {"hooks": OPEN, "disk": OPEN, "backends": OPEN * len(HOSTS), WRONG_CLOCK: inf}


@dataclass
class Clients:
    """All that act on the house."""

    movers: list[Mover]
    listeners: dict[int, Listener]
    replier: Replier
    opener: Opener

    @property
    def all(self) -> list[Client]:
        return [*self.movers, *self.listeners.values(), self.replier, self.opener]

    @property
    def games(self) -> list[str]:
        """In which nobody may be played for."""
        return [*self.replier.games, *self.opener.games, *(game for one in self.movers for game in one.confirmed)]


@pytest.fixture
def seed(pytestconfig: pytest.Config) -> int:
    return int(pytestconfig.getoption("--seed"))


@pytest.fixture
def seconds(pytestconfig: pytest.Config) -> float:
    return float(pytestconfig.getoption("--chaos"))


@pytest.fixture
def receivers(house: Post, receiver: Receiver) -> Receivers:
    consumer = Consumer(house)
    for account in READERS:
        consumer.hook(account)
    return Receivers(receiver, consumer, Phones(house))


@pytest.fixture
def clients(house: Post, hosts: list[Host], receivers: Receivers, letters: PageSigner, seconds: float) -> Any:
    urls, name = [host.url for host in hosts], house.settings.server_name
    made = Clients(
        [Mover(urls, house, number) for number in range(TABLES)],
        {account: Listener(urls, name, token_of(house, account)) for account in READERS},
        Replier(house, letters, [host.doors for host in hosts], min(seconds, 3600) / MOST_ANSWERS),
        Opener(house),
    )
    yield made
    for client in made.all:
        client.stopped.set()


def token_of(house: Harness, account: int) -> str:
    with house.services.database.write() as session:
        return issue_token(house.services, session, account, "chaos", ("read",))[0]


@pytest.fixture
def troubles(
    house: Post,
    hosts: list[Host],
    machine: Machine,
    server: Pausable,
    receivers: Receivers,
    clients: Clients,
    seed: int,
) -> Troubles:
    return Troubles(house, hosts, server, receivers, clients.movers, machine, clients.opener, random.Random(seed))


def test_nothing_is_lost_or_doubled_whatever_happens(
    house: Post, hosts: list[Host], clients: Clients, troubles: Troubles, seconds: float
):
    """Killed processes and hosts, ended backends, an emptied, a killed and a hung Redis, a relay and a receiver that
    refuse or are away, a full disk, a wrong clock."""
    for client in clients.all:
        client.start()
    until(lambda: all(client.count for client in clients.all), lambda: f"not all have begun: {clients.all}")
    troubles.go_on(seconds)
    until(lambda: all(mover.has_played for mover in clients.movers), "one of them has no turn")
    troubles.await_house_players()
    for actor in (*clients.movers, clients.replier, clients.opener):
        actor.stop()
    troubles.machine.crew.stop()
    troubles.let_hours_pass()
    settle(house, hosts)
    for mover in clients.movers:
        check_log(house, mover)
    check_house_players(house, troubles.machine, clients.opener)
    check_times(house, clients.games)
    for account, listener in clients.listeners.items():
        check_events(house, account, listener)
    clients.replier.answers.check()
    check_mails(house, troubles)
    check_hooks(troubles)
    check_phones(troubles)
    tell_figures(house, clients, troubles)


def tell_figures(house: Post, clients: Clients, troubles: Troubles) -> None:
    mails, posted = ids(house.sink), [name for name, _ in troubles.receivers.consumer.arrived]
    events = sum(len(listener.numbers) for listener in clients.listeners.values())
    given = (
        sum(mover.count for mover in clients.movers),
        clients.opener.count,
        len(clients.replier.answers.answered),
        events,
    )
    copied = len(mails), len(mails) - len(set(mails)), len(posted), len(posted) - len(set(posted))
    FIGURES.info("%d moves, %d of house players, %d replies, %d events", *given)
    FIGURES.info("%d mails, %d of them copies, %d messages, %d of them copies", *copied)
    FIGURES.info("%d notifications", troubles.receivers.phones.count)
    FIGURES.info("%s", dict(troubles.counts))


def settle(house: Post, hosts: Sequence[Host]) -> None:
    """Wait until all replies are read and answered, all mails sent, and all webhooks and phones told."""
    crews = [host.crew for host in hosts]

    def left() -> str:
        return "\n".join([f"{row.id} {row.state} {row.reason}" for row in house.kept()] + [c.report() for c in crews])

    until(lambda: all(row.state == "done" for row in house.kept()), left)
    drain(house, *crews)
    finish(lambda: untold(house), lambda: "webhooks wait\n" + "\n".join(crew.report() for crew in crews))


def untold(house: Harness) -> int:
    """How many events and messages no webhook has accepted yet, and how many notifications wait."""
    new = sa.select(sa.func.count()).select_from(UnnumberedEvent).where(UnnumberedEvent.account_id.in_(READERS))
    behind = sa.select(sa.func.sum(Account.events - Hook.cursor)).join(Hook, Hook.account_id == Account.id)
    left = sa.select(sa.func.count()).where(HookDelivery.state != "delivered")
    unseen = sa.select(sa.func.count()).where(PushMessage.state.in_(WAITING))
    with house.services.database.read() as session:
        return sum(session.scalar(query) or 0 for query in (new, behind, left, unseen))


def check_log(house: Harness, mover: Mover) -> None:
    """Exactly the confirmed moves are logged, in their order, and the log stands the audit."""
    for game, lines in mover.confirmed.items():
        assert moves_of(house, game) == lines
        assert audit.judged(house.services, game)[1].verdict in ("open", "holds")


def check_house_players(house: Harness, machine: Machine, opener: Opener) -> None:
    """Their logs stand the audit, and they have never been shown anything that contradicts what they knew."""
    assert machine.distrusts() == []
    assert {audit.judged(house.services, game)[1].verdict for game in opener.games} <= {"open", "holds"}


def check_times(house: Harness, games: Sequence[str]) -> None:
    """No seat was played for, although every player moved in time only by a clock that is right."""
    for game in games:
        assert "expired" not in house.kinds(game)


def check_events(house: Harness, account: int, listener: Listener) -> None:
    """The stream had each number once, without a gap, however often it broke."""
    with house.services.database.read() as session:
        count = session.get_one(Account, account).events
    until(lambda: listener.last == count, lambda: f"the stream ends at {listener.last} of {count}")
    listener.stop()
    assert listener.numbers == list(range(1, count + 1))


def check_mails(house: Harness, troubles: Troubles) -> None:
    """Every mail arrived. A killed worker repeats the one that it was sending; if the relay goes, each worker one."""
    check_arrived(house, house.sink)
    troubles.diary.check(copies(zip(ids(house.sink), house.sink.times, strict=True)), OF_MAILS)


def check_hooks(troubles: Troubles) -> None:
    """A killed process, a full disk and ended connections leave the answers to open requests unstored."""
    troubles.receivers.consumer.check(troubles.diary.unsettled)
    troubles.diary.check(copies(troubles.receivers.consumer.arrived), OF_REQUESTS)


def check_phones(troubles: Troubles) -> None:
    """Notifications arrive like webhooks: the same process sends them."""
    troubles.diary.check(troubles.receivers.phones.check(), OF_REQUESTS)
