"""The law of the whole house: whatever is killed, hung, refused or full while moves, mails, replies, webhooks and
streams are in flight and house players play, no confirmed move is lost or logged twice, every log holds, every event
arrives once at a stream and in the order of its game at a webhook, every accepted reply is played or answered once,
every mail arrives, and no house player finds that the server contradicts itself.

A second copy of a mail only for one that a killed worker had sent, or whose answer or record a failing relay or disk
held back. A second copy of a webhook's message, under the same id, only if its answer could not be stored. And of both
if they were on their way while the clock of a host was an hour off, since leases end by the clock. No default move is
played early then.

`--chaos SECONDS` says how long troubles follow each other: a minute by default, hours if you like.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
import sqlalchemy as sa

from server.evidence import audit
from server.http.credentials import issue_token
from server.kernel.db.models import Account, Hook, HookDelivery, UnnumberedEvent
from tests.chaos.clients import Client, Listener, Mover, moves_of
from tests.chaos.conftest import Host
from tests.chaos.consumer import Consumer
from tests.chaos.house_players import Machine, Opener
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
def seconds(pytestconfig: pytest.Config) -> float:
    return float(pytestconfig.getoption("--chaos"))


@pytest.fixture
def consumer(house: Post, receiver: Receiver) -> Consumer:
    made = Consumer(house, receiver)
    for account in READERS:
        made.hook(account)
    return made


@pytest.fixture
def clients(house: Post, hosts: list[Host], consumer: Consumer, letters: PageSigner, seconds: float) -> Any:
    urls, name = [host.url for host in hosts], house.settings.server_name
    made = Clients(
        [Mover(urls, house, number) for number in range(TABLES)],
        {account: Listener(urls, name, _token(house, account)) for account in READERS},
        Replier(house, letters, [host.doors for host in hosts], min(seconds, 3600) / MOST_ANSWERS),
        Opener(house),
    )
    yield made
    for client in made.all:
        client.stopped.set()


def _token(house: Harness, account: int) -> str:
    with house.services.database.write() as session:
        return issue_token(house.services, session, account, "chaos", ("read",))[0]


@pytest.fixture
def troubles(
    hosts: list[Host], machine: Machine, server: Pausable, consumer: Consumer, clients: Clients, pytestconfig: Any
) -> Troubles:
    dice = random.Random(pytestconfig.getoption("--seed"))
    return Troubles(consumer.house, hosts, server, consumer, clients.movers, machine, dice)


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
    for actor in (*clients.movers, clients.replier, clients.opener):
        actor.stop()
    troubles.machine.crew.stop()
    troubles.let_an_hour_pass()
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
    tell_figures(house, clients, troubles)


def tell_figures(house: Post, clients: Clients, troubles: Troubles) -> None:
    mails, posted = ids(house.sink), [got.headers["webhook-id"] for got in troubles.consumer.accepted]
    events = sum(len(listener.numbers) for listener in clients.listeners.values())
    given = (
        sum(mover.count for mover in clients.movers),
        clients.opener.count,
        len(clients.replier.answers.answered),
        events,
    )
    copies = len(mails), len(mails) - len(set(mails)), len(posted), len(posted) - len(set(posted))
    FIGURES.info("%d moves, %d of house players, %d replies, %d events", *given)
    FIGURES.info("%d mails, %d of them copies, %d messages, %d of them copies", *copies)
    FIGURES.info("%s", dict(troubles.counts))


def settle(house: Post, hosts: Sequence[Host]) -> None:
    """Wait until all replies are read and answered, all mails sent, and all webhooks told."""
    crews = [host.crew for host in hosts]

    def left() -> str:
        return "\n".join([f"{row.id} {row.state} {row.reason}" for row in house.kept()] + [c.report() for c in crews])

    until(lambda: all(row.state == "done" for row in house.kept()), left)
    drain(house, *crews)
    finish(lambda: untold(house), lambda: "webhooks wait\n" + "\n".join(crew.report() for crew in crews))


def untold(house: Harness) -> int:
    """How many events and messages no webhook has accepted yet."""
    new = sa.select(sa.func.count()).select_from(UnnumberedEvent).where(UnnumberedEvent.account_id.in_(READERS))
    behind = sa.select(sa.func.sum(Account.events - Hook.cursor)).join(Hook, Hook.account_id == Account.id)
    left = sa.select(sa.func.count()).where(HookDelivery.state != "delivered")
    with house.services.database.read() as session:
        return sum(session.scalar(query) or 0 for query in (new, behind, left))


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
    """Every mail arrived; a second copy for each killed worker, and of each worker if the relay or its disk fails."""
    check_arrived(house, house.sink)
    copies = troubles.copies(zip(ids(house.sink), house.sink.times, strict=True))
    most = troubles.counts["worker"] + troubles.counts["disk"] + troubles.counts["relay"] * len(troubles.hosts)
    assert len(copies) <= most, troubles.told(copies)


def check_hooks(troubles: Troubles) -> None:
    """A killed process, a full disk and ended connections leave the answers to open requests unstored."""
    troubles.consumer.check(troubles.unsettled)
    copies = troubles.copies(troubles.consumer.arrived)
    unstored = sum(troubles.counts[name] for name in ("hooks", "disk", "backends"))
    most = unstored * DeliveryPolicy().most_of_hook * len(READERS)
    assert len(copies) <= most, troubles.told(copies)
