"""Free TCP ports of the loopback address."""

import socket
from contextlib import ExitStack


def ports(count: int) -> list[int]:
    """`count` different ports that were free a moment ago."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
