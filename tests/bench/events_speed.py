"""Event streams through gunicorn, their process, and Redis: the cost of idle ones, the delay for all readers.

Readers, server and committer share the machine. The time begins with the commit, in a process with the web server's
own waker (which gathers for 20 ms), and ends when the last listener has read the event. A quarter second lies between
two commits, so that some fall beside the poll of each second.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlsplit

import psutil

from server.kernel.config import settings
from server.kernel.operator_log import Operator
from server.kernel.services import LaterWaker, Services, open_services
from server.kernel.streams import numbers
from server.tables.write import grant_as_operator
from tests.servers.redis import running

from .server_speed import ROOT, environment_of, gunicorn, token_of
from .table import Crowd
from .timing import heading, line

ROOM = {"MOST_STREAMS": "10000", "STREAMS_ACCOUNT": "10000", "STREAMS_ADDRESS": "10000"}
AT_ONCE = 20  # opened beside one another


@dataclass
class Reader:
    """One stream of the bench: the time of each number."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    came: dict[int, float] = field(default_factory=dict)

    @classmethod
    async def opened(cls, url: str, path: str, token: str | None = None) -> "Reader":
        where = urlsplit(url)
        made = cls(*await asyncio.open_connection(where.hostname, where.port))
        who = f"Authorization: Bearer {token}\r\n" if token else ""
        made.writer.write(f"GET {path} HTTP/1.1\r\nHost: {where.netloc}\r\n{who}\r\n".encode())
        head = await made.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        await made.reader.readuntil(b"\n\n")
        return made

    async def until(self, number: int) -> float:
        """When this number was read."""
        while number not in self.came:
            block = await self.reader.readuntil(b"\n\n")
            if block.startswith(b"id: "):
                self.came[int(block[4 : block.index(b"\n")])] = time.perf_counter()
        return self.came[number]

    async def aclose(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


def main() -> None:
    heading(
        "Events: aims for 1,000 idle streams 200 MB and 20 % of a core; to the last of 100 listeners 50 ms (median)"
    )
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as redis_url:
        environment = environment_of(Path(folder), redis_url) | ROOM
        with gunicorn(environment) as url, holder(environment) as process:
            asyncio.run(idle(url, environment, process, streams=1000, seconds=20))
            asyncio.run(latency(url, environment, listeners=100, commits=60))
            asyncio.run(latency(url, environment, listeners=1000, commits=20))


@contextmanager
def holder(environment: dict[str, str]) -> Iterator[psutil.Process]:
    """The process that holds the streams."""
    program = Path(sys.executable).with_name("sealedmove")
    process = psutil.Popen([program, "events"], env=environment, cwd=ROOT)
    socket = settings(environment).events_socket
    try:
        until = time.monotonic() + 20
        while numbers(socket) is None:
            assert time.monotonic() < until
            time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        process.wait(20)


async def idle(url: str, environment: dict[str, str], process: psutil.Process, *, streams: int, seconds: float) -> None:
    """The cost of idle streams; each account has ten."""
    tokens = [token_of(environment) for _ in range(max(1, streams // 10))]
    before = process.memory_info().rss
    began = time.perf_counter()
    async with AsyncExitStack() as held:
        await all_opened(held, [Reader.opened(url, "/v1/me/events", tokens[i % len(tokens)]) for i in range(streams)])
        took, used = time.perf_counter() - began, process.cpu_times()
        await asyncio.sleep(seconds)
        now, memory = process.cpu_times(), process.memory_info().rss
    cpu = (now.user + now.system - used.user - used.system) / seconds
    line(f"{streams:,} streams opened, a second", f"{streams / took:,.0f}")
    line(f"{streams:,} idle streams, memory", f"{memory / 1e6:,.0f} MB", f"{before / 1e6:.0f} MB without any")
    line(f"{streams:,} idle streams, share of a core", f"{cpu:.1%}")


async def all_opened(held: AsyncExitStack, opening: list[Awaitable[Reader]]) -> list[Reader]:
    """Some beside one another: a web server of 32 threads takes no thousand connections at once."""
    made: list[Reader] = []
    while opening:
        some, opening = opening[:AT_ONCE], opening[AT_ONCE:]
        made += await asyncio.gather(*some)
    for one in made:
        held.push_async_callback(one.aclose)
    return made


async def latency(url: str, environment: dict[str, str], *, listeners: int, commits: int) -> None:
    """From a commit to the last listener of its game."""
    tokens = [token_of(environment) for _ in range(2)]
    crowd = Crowd(url, tokens)
    game = crowd.table()
    crowd.http.close()
    services = as_the_web(environment)
    async with AsyncExitStack() as held:
        path = f"/v1/games/{game.id}/events"
        readers = await all_opened(held, [Reader.opened(url, path) for _ in range(listeners)])
        took = [await one_commit(services, game.id, game.seq + number, readers) for number in range(commits)]
    services.database.dispose()
    tail = quantiles(took, n=20)[-1] if len(took) > 1 else took[0]
    figures = f"{median(took) * 1000:.0f}, {tail * 1000:.0f} ms"
    line(f"commit to the last of {listeners:,}: median, p95", figures, f"{commits} commits")


async def one_commit(services: Services, game_id: str, seq: int, readers: list[Reader]) -> float:
    await asyncio.sleep(0.25)
    grant_as_operator(services, Operator("bench", "events"), game_id, 60)
    began = time.perf_counter()
    return max(await asyncio.gather(*(reader.until(seq) for reader in readers))) - began


def as_the_web(environment: dict[str, str]) -> Services:
    chosen = settings(environment)
    return open_services(chosen, LaterWaker(chosen.redis_url))
