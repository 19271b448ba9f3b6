"""Webhooks of people, and rounds of the sender until nothing is left to do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from server.hooks import read as hooks_read
from server.hooks import write as hooks_write
from server.hooks.write import HookRequest
from server.kernel.db.models import Hook, HookAnswer, HookDelivery
from tests import databases
from tests.kit.principals import principal_of
from tests.servers.receiver import Got, Receiver
from tests.workers.harness import Harness
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.hooks.main import HookSender

ADA, BEN, CY = 1, 2, 3
BOTH = pytest.mark.parametrize("database_url", databases.BOTH, indirect=True)


class Post:
    """The actions and observations of the tests of hooks."""

    def __init__(self, house: Harness, receiver: Receiver) -> None:
        self.house, self.receiver = house, receiver
        self.secrets: dict[int, str] = {}

    def hook(self, account: int = ADA, host: str = "receiver.example", **wish: Any) -> int:
        """A hook whose path is the account's number."""
        wish = {"url": f"https://{host}/{account}", "name": "a hook"} | wish
        holder = principal_of(self.house.services, account)
        number, self.secrets[number] = hooks_write.create(self.house.services, holder, HookRequest(**wish))
        return number

    def sender(self, pace: DeliveryPolicy | None = None, **more: Any) -> HookSender:
        return HookSender(self.house.ctx, pace or DeliveryPolicy(), more.get("wire") or self.receiver.wire())

    def send(self, pace: DeliveryPolicy | None = None, **more: Any) -> list[Got]:
        """Run rounds until nothing is due; returns the messages in order of arrival."""
        before = len(self.receiver.got)
        asyncio.run(_until_idle(self.sender(pace, **more)))
        return self.receiver.got[before:]

    def told(self, pace: DeliveryPolicy | None = None, **more: Any) -> list[str]:
        """The same as words: the account, the number and the kind."""
        return [
            f"{got.target[1:]}: {event['n']} {event['kind']}"
            for got in self.send(pace, **more)
            if (event := json.loads(got.body))
        ]

    def rows(self, of: Any = HookDelivery) -> list[Any]:
        with self.house.services.database.read() as session:
            return list(session.scalars(sa.select(of).order_by(of.id)))

    def states(self) -> list[str]:
        """Of all deliveries, in the order they were made."""
        return [row.state + (f" {row.reason}" if row.reason else "") for row in self.rows()]

    def answers(self) -> list[int | str]:
        return [row.status or row.error for row in self.rows(HookAnswer)]

    def one(self, number: int) -> Hook:
        with self.house.services.database.read() as session:
            return session.get_one(Hook, number)


async def when(is_so: Callable[[], bool]) -> None:
    """Wait for another thread."""
    while not is_so():  # noqa: ASYNC110 - it sets no event of this loop
        await asyncio.sleep(0.01)


async def _until_idle(sender: HookSender) -> None:
    while await sender.round() or sender._tasks or sender._done:
        if sender._tasks:
            await asyncio.wait(sender._tasks)
    await sender._end()


def last_number(house: Harness, account: int) -> int:
    """Of the events of an account."""
    with house.services.database.read() as session:
        return hooks_read.last_event(session, account)
