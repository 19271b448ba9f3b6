"""Connections that a server of a test has accepted, closed with it.

A loop that ends closes none, nor does aiosmtpd: what is open then complains when it is collected, in another test.
"""

import asyncio
import weakref
from collections.abc import Callable
from typing import Any

from aiosmtpd.controller import Controller as Aiosmtpd
from aiosmtpd.smtp import SMTP

from tests.kit.patience import PATIENCE


async def accept_no_more(server: asyncio.Server) -> None:
    """Await it before `server.close()`: a closed server leaves connections open that it has just accepted."""
    for listening in server.sockets:
        asyncio.get_running_loop().remove_reader(listening.fileno())
    for _ in range(3):  # a task, its transport, its protocol
        await asyncio.sleep(0)


class Lines:
    """Makes protocols as `factory` does, and knows them."""

    def __init__(self, factory: Callable[[], Any]) -> None:
        self._factory = factory
        self._protocols: weakref.WeakSet[Any] = weakref.WeakSet()

    def __call__(self) -> Any:
        made = self._factory()
        self._protocols.add(made)
        return made

    async def close(self, server: asyncio.Server) -> None:
        """In the serving loop: accept nobody else, send pending output, then close."""
        await accept_no_more(server)
        for end in ("close", "abort"):  # unread output is not waited for
            for transport in self._open():
                getattr(transport, end)()
            await asyncio.sleep(0.01)
        server.close()

    def _open(self) -> list[Any]:
        return [one.transport for one in self._protocols if getattr(one, "transport", None) is not None]


class Controller(Aiosmtpd):
    """aiosmtpd's, in a thread, which closes its connections."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._lines = Lines(super().factory)

    def factory(self) -> SMTP:
        return self._lines()

    def stop(self, no_assert: bool = False) -> None:
        if self._thread is not None:
            asyncio.run_coroutine_threadsafe(self._lines.close(self.server), self.loop).result(PATIENCE)
        super().stop(no_assert)
