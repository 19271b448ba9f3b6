"""The loop of a process that posts messages: store the answers, prepare what is due, send it, in rounds.

The requests run in one asyncio loop, so one that hangs only takes up its place. The database is read and written in
threads. It polls the rows every second; a wake-up only makes it poll sooner.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from workers.failure_log import FailureLog
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.hooks.http_client import HookClient, Transport
from workers.hooks.open_requests import OpenRequests
from workers.queues import WorkerContext

Leased = TypeVar("Leased")
Done = TypeVar("Done")
T = TypeVar("T")


class SendingLoop(ABC, Generic[Leased, Done]):
    """The state: open requests, and answers that are not stored yet. `part` names it in logs."""

    part: str

    def __init__(self, ctx: WorkerContext, policy: DeliveryPolicy, transport: Transport) -> None:
        self.ctx, self.policy = ctx, policy
        self.busy = OpenRequests(policy)
        self._poster = HookClient(transport, policy.request, policy.most)
        self._threads = ThreadPoolExecutor(4, "database")
        self._tasks: set[asyncio.Task[None]] = set()
        self._done: list[Done] = []
        self._failures = FailureLog()
        self._awake = asyncio.Event()
        self._is_stopped = False

    @abstractmethod
    def _prepare(self) -> tuple[list[Leased], int]:
        """In a thread: what to send now, and how much else there was to do."""

    @abstractmethod
    async def _send(self, one: Leased) -> None:
        """Post it, and call `_ended` with the result, whatever happens."""

    @abstractmethod
    def _note(self, done: list[Done]) -> None:
        """In a thread: store the results."""

    @abstractmethod
    def _place(self, done: Done) -> tuple[int, str]:
        """The receiver and the host whose place it took."""

    def wake_up(self) -> None:
        """There may be something to do."""
        self._awake.set()

    def stop(self) -> None:
        self._is_stopped = True
        self._awake.set()

    async def serve(self) -> None:
        while not self._is_stopped:
            self._awake.clear()
            if not await self._try_round():
                await self._rest()
        await self._end()

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(self.policy.every):
                await self._awake.wait()
        except TimeoutError:
            return

    async def _try_round(self) -> bool:
        """Run one round; returns whether there was anything to do. Failures are logged by type and tried again."""
        try:
            return await self.round()
        except Exception as fault:  # noqa: BLE001 - the database may be back in a second
            self._failures.note(self.part, fault)
            return False

    async def round(self) -> bool:
        """Store answers, prepare what is due, send it."""
        await self._note_done()
        leased, others = await self._threaded(self._prepare)
        for one in leased:
            task = asyncio.create_task(self._send(one))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return bool(leased or others)

    def _ended(self, done: Done) -> None:
        self._done.append(done)
        self._awake.set()

    async def _note_done(self) -> None:
        """Store the answers, then free their places: a request is over only when its answer is stored."""
        done = list(self._done)
        if done:
            await self._threaded(lambda: self._note(done))
            del self._done[: len(done)]
        for one in done:
            self.busy.free(*self._place(one))

    async def _end(self) -> None:
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._note_done()
        await self._poster.aclose()
        self._threads.shutdown()

    async def _threaded(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)
