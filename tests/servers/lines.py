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


class Lines:
    """Makes protocols as `factory` does, and knows them."""

    def __init__(self, factory: Callable[[], Any]) -> None:
        self._factory = factory
        self._protocols: weakref.WeakSet[Any] = weakref.WeakSet()

    def __call__(self) -> Any:
        made = self._factory()
        self._protocols.add(made)
        return made

    async def close(self) -> None:
        """In the loop that serves: what was said is still sent, then it is over.

        A connection that was accepted just now has no transport yet; so it is over when there was none three times.
        """
        known = self._open()
        for end in ("close", "abort"):  # what somebody does not read is not waited for
            for transport in known:
                getattr(transport, end)()
            await asyncio.sleep(0.01)
        quiet = 0
        while quiet < 3:
            left = self._open()
            for transport in left:
                transport.abort()
            quiet = 0 if left else quiet + 1
            await asyncio.sleep(0.01)

    def _open(self) -> list[Any]:
        made = [one.transport for one in self._protocols if getattr(one, "transport", None) is not None]
        return [transport for transport in made if not transport.is_closing()]


class Controller(Aiosmtpd):
    """aiosmtpd's, in a thread, with an end to its connections."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._lines = Lines(super().factory)

    def factory(self) -> SMTP:
        return self._lines()

    def stop(self, no_assert: bool = False) -> None:
        if self._thread is not None:
            asyncio.run_coroutine_threadsafe(self._hang_up(), self.loop).result(PATIENCE)
        super().stop(no_assert)

    async def _hang_up(self) -> None:
        self.server.close()
        await self._lines.close()
