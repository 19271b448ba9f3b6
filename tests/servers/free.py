"""TCP ports of the loopback address that no other test and no outgoing connection takes."""

import atexit
import random
import socket
from contextlib import ExitStack

LOW, HIGH = 10_000, 32_768  # below the ports that systems give to outgoing connections
_held = ExitStack()  # the same numbers of UDP: they keep the other test processes away until this one ends
atexit.register(_held.close)


def ports(count: int) -> list[int]:
    """`count` different free ports, which no other call gets, in any process, while this process runs."""
    return [_hold() for _ in range(count)]


def _hold() -> int:
    while True:
        port = random.SystemRandom().randrange(LOW, HIGH)
        if _is_free(port):
            return port


def _is_free(port: int) -> bool:
    number = socket.socket(type=socket.SOCK_DGRAM)
    try:
        number.bind(("127.0.0.1", port))
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
    except OSError:
        number.close()
        return False
    _held.enter_context(number)
    return True
