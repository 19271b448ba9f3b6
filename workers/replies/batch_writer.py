"""Mails of many connections, stored by one writer: all that wait go in one transaction, then each gets its result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice

from server.kernel.logs import log
from server.mailbox.inbound import IncomingMail, Kept

A_BATCH = 64
StoreBatch = Callable[[Sequence[IncomingMail]], Sequence[Kept]]


class BatchWriter:
    """`keep` returns each mail's result once it is in the database, or None if it could not be stored."""

    def __init__(self, keep: StoreBatch) -> None:
        self._keep = keep
        self._waiting: list[tuple[Sequence[IncomingMail], asyncio.Future[Sequence[Kept] | None]]] = []
        self._awake = asyncio.Event()

    async def keep(self, arrived: Sequence[IncomingMail]) -> Sequence[Kept] | None:
        done: asyncio.Future[Sequence[Kept] | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((arrived, done))
        self._awake.set()
        return await done

    async def run(self) -> None:
        """Run until cancelled; finishes a batch that it has begun."""
        while True:
            await self._awake.wait()
            self._awake.clear()
            while self._waiting:
                batch, self._waiting = self._waiting[:A_BATCH], self._waiting[A_BATCH:]
                kept = await asyncio.shield(asyncio.to_thread(self._try, [one for mails, _ in batch for one in mails]))
                rest = iter(kept or ())
                for mails, done in batch:
                    with suppress(asyncio.InvalidStateError):  # the connection has gone
                        done.set_result(None if kept is None else list(islice(rest, len(mails))))

    def _try(self, arrived: Sequence[IncomingMail]) -> Sequence[Kept] | None:
        try:
            return self._keep(arrived)
        except Exception as fault:  # noqa: BLE001 - the database may be back when it comes again
            log.error("not-kept", mails=len(arrived), error=type(fault).__name__)
            return None
