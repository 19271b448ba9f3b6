"""A server of a test leaves no connection open, however short ago it was accepted."""

import asyncio
import gc
import socket
import warnings

import pytest

from tests.servers.lines import Lines


class Kept(asyncio.Protocol):
    transport = None

    def connection_made(self, transport):
        self.transport = transport


async def served_until(turns: int) -> None:
    """A server that is closed so many turns of its loop after somebody has called."""
    loop = asyncio.get_running_loop()
    lines = Lines(Kept)
    server = await loop.create_server(lines, "127.0.0.1", 0)
    with socket.create_connection(server.sockets[0].getsockname()):
        for _ in range(turns):
            await asyncio.sleep(0)
        await lines.close(server)
        await server.wait_closed()


@pytest.mark.parametrize("turns", range(6))
def test_what_was_just_accepted_is_closed(turns):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        asyncio.run(served_until(turns))
        gc.collect()
    assert [str(one.message) for one in said] == []
