"""A real Redis-protocol server, with the settings of `sealedmove redis`."""

import signal
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import redis

from tests.kit.patience import PATIENCE, until
from workers.dev.redis import command, socket_path


@contextmanager
def running(data_dir: Path) -> Iterator[str]:
    """The URL of a server that keeps its data under `data_dir`."""
    with pausable(data_dir) as server:
        yield server.url


class Pausable:
    """A server that can be made to hang, when it holds its connections and answers nothing, or be killed."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir, self.url = data_dir, f"unix://{socket_path(data_dir)}"
        self.start()

    def start(self) -> None:
        """With what it has kept on disk."""
        self.process = subprocess.Popen(command(self._data_dir), stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def hang(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)


@contextmanager
def pausable(data_dir: Path) -> Iterator[Pausable]:
    """A server that keeps its data under `data_dir`."""
    made = Pausable(data_dir)
    try:
        await_answer(made.url)
        yield made
    finally:
        made.go_on()
        made.process.terminate()
        made.process.wait(PATIENCE)


def await_answer(url: str) -> None:
    with redis.Redis.from_url(url) as client:
        until(lambda: _answers(client), "Redis does not answer")


def _answers(client: redis.Redis) -> bool:
    try:
        return client.ping()
    except redis.ConnectionError:
        return False


def held(client: redis.Redis) -> str:
    """All content of a server, its keys too, as text; RQ's packed values are unpacked."""
    return "\n".join(_plain(one) for key in client.scan_iter() for one in (key, *_parts(client, key)))


def _parts(client: redis.Redis, key: bytes) -> list[bytes]:
    match client.type(key):
        case b"hash":
            return [part for pair in client.hgetall(key).items() for part in pair]
        case b"list":
            return client.lrange(key, 0, -1)
        case b"zset":
            return client.zrange(key, 0, -1)
        case b"set":
            return [*client.smembers(key)]
        case b"stream":
            return [part for _, fields in client.xrange(key) for pair in fields.items() for part in pair]
    return [client.get(key) or b""]


def _plain(data: bytes) -> str:
    with suppress(zlib.error):
        data = zlib.decompress(data)
    return data.decode("utf-8", "backslashreplace")
