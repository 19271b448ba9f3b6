"""The receiver of the players' webhooks, which does what docs/webhooks.md asks of one."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, datetime

import sqlalchemy as sa
from standardwebhooks.webhooks import Webhook

from server.hooks import write as hooks
from server.hooks.write import HookRequest
from server.kernel.db.models import AccountEvent
from tests.kit.principals import principal_of
from tests.servers.receiver import Got
from tests.workers.harness import Harness

OLDEST = 300  # seconds


class Consumer:
    """Accepts each recent message whose signature holds."""

    def __init__(self, house: Harness) -> None:
        self.house = house
        self.accepted: list[Got] = []
        self.arrived: list[tuple[str, float]] = []  # their ids, and when they were accepted
        self.forged: list[Got] = []
        self.ahead = 0.0  # seconds by which it is later than this machine's clock says
        self._secrets: dict[str, str] = {}  # by the path of the webhook

    def hook(self, account: int) -> None:
        """A webhook for all events of this account, at a path of its own."""
        wish = HookRequest(url=f"https://receiver.example/{account}", name="chaos")
        self._secrets[f"/{account}"] = hooks.create(
            self.house.services, principal_of(self.house.services, account), wish
        )[1]

    def _holds(self, got: Got) -> bool:
        """Is it signed and recent?"""
        name, at = got.headers["webhook-id"], int(got.headers["webhook-timestamp"])
        made = Webhook(self._secrets[got.target]).sign(name, datetime.fromtimestamp(at, UTC), got.body.decode())
        if made not in got.headers["webhook-signature"].split():
            self.forged.append(got)
        return not self.forged and abs(time.time() + self.ahead - at) < OLDEST

    def accept(self, got: Got) -> int:
        if self._holds(got):
            self.accepted.append(got)
            self.arrived.append((got.headers["webhook-id"], time.monotonic()))
            return 204
        return 401

    def check(self, unsettled: Collection[str]) -> None:
        """Each event was accepted, in the order of its game, under one id of its own.

        What was `unsettled` while a clock was wrong may come again after later events: of two processes that send it
        the slower one is only heard then.
        """
        of_lane, of_event = defaultdict(list), defaultdict(set)
        for got in self.accepted:
            event, name = json.loads(got.body), got.headers["webhook-id"]
            of = of_event[got.target, event["n"]]
            if not of or name not in unsettled:
                of_lane[got.target, event["game"]].append(event["n"])
            of.add((name, got.body))
        assert of_event.keys() == self._owed()
        assert all(numbers == sorted(numbers) for numbers in of_lane.values())
        assert all(len(messages) == 1 for messages in of_event.values())
        assert len({got.headers["webhook-id"] for got in self.accepted}) == len(of_event)
        assert not self.forged

    def _owed(self) -> set[tuple[str, int]]:
        events = sa.select(AccountEvent.account_id, AccountEvent.n)
        with self.house.services.database.read() as session:
            found = {(f"/{account}", n) for account, n in session.execute(events)}
        return {(path, n) for path, n in found if path in self._secrets}
