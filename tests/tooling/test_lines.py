"""A test's server closes every connection at its end, however recent."""

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
    """Close a server a given number of loop turns after a client has connected."""
    loop = asyncio.get_running_loop()
    lines = Lines(Kept)
    server = await loop.create_server(lines, "127.0.0.1", 0)
    with socket.create_connection(server.sockets[0].getsockname()):
        for _ in range(turns):
            await asyncio.sleep(0)
        await lines.close(server)
        await server.wait_closed()


@pytest.mark.parametrize("turns", range(6))
def test_a_connection_just_accepted_is_closed(turns):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        asyncio.run(served_until(turns))
        gc.collect()
    assert [str(one.message) for one in said] == []
