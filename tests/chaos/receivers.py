"""The two receivers of the house on one port, told apart by their names: of webhooks, and of notifications."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.chaos.consumer import Consumer
from tests.chaos.phones import Phones
from tests.servers.receiver import Got, Receiver
from tests.workers.push.device import HOST

REQUEST = 10.0  # seconds of a request: usual, and more than a busy machine needs for an answer
TOO_LONG = REQUEST + 2


class Receivers:
    """`mood` is what both do instead of an answer: a status, or `hang`."""

    def __init__(self, receiver: Receiver, consumer: Consumer, phones: Phones) -> None:
        self.consumer, self.phones = consumer, phones
        self.mood: int | str | None = None
        receiver.answer = self._answer

    async def _answer(self, got: Got) -> Any:
        if self.mood == "hang":
            await asyncio.sleep(TOO_LONG)
            return 503  # nobody hears it any more; and on a machine that hung as long, it is not taken for delivered
        if isinstance(self.mood, int):
            return self.mood
        return (self.phones if got.host == HOST else self.consumer).accept(got)
