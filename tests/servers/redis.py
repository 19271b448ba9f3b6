"""A real Redis-protocol server, with the settings of `sealedmove redis`."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from workers.dev.redis import command, socket_path


@contextmanager
def running(data_dir: Path) -> Iterator[str]:
    """The URL of a server that keeps its data under `data_dir`."""
    server = subprocess.Popen(command(data_dir), stdout=subprocess.DEVNULL)
    url = f"unix://{socket_path(data_dir)}"
    try:
        await_answer(url)
        yield url
    finally:
        server.terminate()
        server.wait(30)


def await_answer(url: str, patience: float = 60.0) -> None:
    until = time.monotonic() + patience
    with redis.Redis.from_url(url) as client:
        while True:
            try:
                client.ping()
                return
            except redis.ConnectionError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)
