"""People with devices, and a push service of the test's own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest
import sqlalchemy as sa

from server.hooks.push import write
from server.http.credentials import SCOPES, Principal
from server.kernel.db.models import PushMessage, PushSubscription, WebSession
from tests.servers.receiver import Got, Receiver
from tests.workers.harness import Harness
from tests.workers.push.device import HOST, Device
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.push.sender import PushSender

ADA = 1


@pytest.fixture(scope="session")
def started_service(tmp_path_factory):
    with Receiver(tmp_path_factory.mktemp("push"), names=("*.example.net",)) as made:
        yield made


@pytest.fixture
def database_url(request, tmp_path):
    """SQLite; PostgreSQL too for tests that ask for both."""
    if getattr(request, "param", "sqlite") == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path / 'house.db'}"


@dataclass
class Devices:
    """The devices of people, and what reaches them."""

    house: Harness
    service: Receiver
    known: dict[str, Device] = field(default_factory=dict)

    def add(self, name: str = "ada", account: int = ADA) -> int:
        """Sign in a browser and subscribe it; returns the subscription."""
        device = self.known.setdefault(name, Device(name))
        return write.subscribe(self.house.services, self.session(account), device.address)[0]

    def session(self, account: int = ADA) -> Principal:
        now = self.house.services.now()
        with self.house.services.database.write() as session:
            digest = self.house.services.random(32)
            row = WebSession(account_id=account, hash=digest, created_at=now, last_used_at=now)
            session.add(row)
            session.flush()
            return Principal(account, "", f"s{row.id}", frozenset(SCOPES))

    def click(self, number: int) -> None:
        """Open a notification on it."""
        session = self.one(number).session_id
        write.note_click(self.house.services, Principal(ADA, "", f"s{session}", frozenset(SCOPES)))

    def send(self) -> list[Got]:
        """Dispatch, and run rounds until nothing is due; returns the requests in order of arrival."""
        self.house.dispatch()
        before = len(self.service.got)
        asyncio.run(_until_idle(PushSender(self.house.ctx, DeliveryPolicy(), self.service.wire())))
        return self.service.got[before:]

    def told(self) -> list[tuple[str, str]]:
        """The same, decrypted: the name of the device, and the kind."""
        return [(name := got.target[1:], self.known[name].read(got.body)["kind"]) for got in self.send()]

    def rows(self, of: Any = PushMessage) -> list[Any]:
        with self.house.services.database.read() as session:
            return list(session.scalars(sa.select(of).order_by(of.id)))

    def one(self, number: int) -> PushSubscription:
        with self.house.services.database.read() as session:
            return session.get_one(PushSubscription, number)

    def states(self) -> list[tuple[str, str | None]]:
        return [(row.state, row.reason) for row in self.rows()]


async def _until_idle(sender: PushSender) -> None:
    while await sender.round() or sender._tasks or sender._done:
        if sender._tasks:
            await asyncio.wait(sender._tasks)
    await sender._end()


@pytest.fixture
def devices(house, started_service):
    started_service.reset()
    object.__setattr__(house.services.settings, "push_hosts", (HOST,))
    return Devices(house, started_service)
