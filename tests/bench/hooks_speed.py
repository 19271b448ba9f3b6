"""Webhooks: deliveries a second to a local receiver, beside bare httpx, and from the commit of a move to its arrival.

The receiver is a process of its own with TLS, and does nothing but answer. Beside a request a delivery is a row made,
leased, looked at once more and noted, all in SQLite with synchronous=FULL; the bare client only posts.
"""

import asyncio
import contextlib
import multiprocessing
import ssl
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

import httpx
import sqlalchemy as sa

from server.kernel.db.models import HookDelivery
from server.kernel.logs import configure
from server.kernel.services import utc_now
from server.log import outbox
from server.log.outbox import SeatEvent
from tests.servers.receiver import Receiver, wire
from tests.servers.redis import running
from tests.workers.harness import Harness, Sink
from tests.workers.hooks.post import ADA, Post
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.hooks.main import HookSender
from workers.hooks.wakeups import listen

from .timing import heading, line

HOOKS, GAMES, EVENTS = 8, 10, 250
OPEN = HOOKS * DeliveryPolicy().most_of_hook
MOVES = 60


def main() -> None:
    configure("WARNING")
    heading("Webhooks: SQLite with synchronous=FULL, one receiver with TLS (aim: nobody waits for anybody)")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as redis_url:
        with receiving(Path(folder)) as port:
            rates(Path(folder), port)
        with Receiver(Path(folder) / "near") as receiver:
            latency(Path(folder), receiver, redis_url)


@contextlib.contextmanager
def receiving(folder: Path) -> Iterator[int]:
    """The port of a receiver in a process of its own."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_receive, args=(folder / "far", theirs))
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send(None)
        process.join(20)


def _receive(folder: Path, pipe) -> None:
    with Receiver(folder) as receiver:
        pipe.send(receiver.port)
        pipe.recv()


@contextlib.contextmanager
def opened(folder: Path, name: str, redis_url: str | None = None) -> Iterator[Harness]:
    """A house by the wall clock."""
    sink = Sink()
    house = Harness(f"sqlite:///{folder / name}.db", sink, redis_url)
    object.__setattr__(house.services, "now", utc_now)
    try:
        yield house
    finally:
        house.close()
        sink.stop()


def rates(folder: Path, port: int) -> None:
    """The same number of posts, with the same concurrency."""
    with opened(folder, "rates") as house:
        post = Post(house, None)  # type: ignore[arg-type]  # the receiver is elsewhere
        games = [house.game(clock=None, goal=100) for _ in range(GAMES)]
        for number in range(HOOKS):
            post.hook(ADA, f"h{number}.example.net", kinds=["news"])
        _write_events(house, games)
        count = HOOKS * EVENTS
        begun = time.perf_counter()
        asyncio.run(_deliver(HookSender(house.ctx, DeliveryPolicy(), wire(port, folder / "far" / "ca.pem"))))
        ours = count / (time.perf_counter() - begun)
        with house.services.database.read() as session:
            delivered = sa.select(sa.func.count()).where(HookDelivery.state == "delivered")
            assert session.scalar(delivered) == count
    bare = count / asyncio.run(_bare(port, folder / "far" / "ca.pem", count))
    line("bare httpx, requests/s", f"{bare:,.0f}", f"{OPEN} open at once, connections kept")
    line(
        "deliveries/s",
        f"{ours:,.0f}",
        f"{count} of {HOOKS} hooks in {GAMES} games; deliveries / bare = {ours / bare:.2f}",
    )


def _write_events(house: Harness, games: list[str]) -> None:
    now = utc_now()
    told = [(ADA, SeatEvent("news", games[n % GAMES], 0, 1 + n // GAMES, now, None)) for n in range(EVENTS)]
    with house.services.database.write() as session:
        outbox.write_events_to(session.connection(), told, now)


async def _deliver(sender: HookSender) -> None:
    """Until nothing is left to send."""
    while await sender.round() or sender._tasks or sender._done:
        if sender._tasks:
            await asyncio.wait(sender._tasks, return_when=asyncio.FIRST_COMPLETED)
    await sender._end()


async def _bare(port: int, ca: Path, count: int) -> float:
    """Seconds for as many posts by httpx."""
    left = iter(range(count))
    trusted = ssl.create_default_context(cafile=str(ca))
    async with httpx.AsyncClient(timeout=30, verify=trusted, limits=httpx.Limits(max_connections=OPEN)) as client:

        async def one() -> None:
            for _ in left:
                (await client.post(f"https://127.0.0.1:{port}/", json={"n": 1})).raise_for_status()

        begun = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(OPEN)))
        return time.perf_counter() - begun


def latency(folder: Path, receiver: Receiver, redis_url: str) -> None:
    """One move after the other; the receiver stores when each message arrived."""
    came: list[float] = []
    receiver.answer = lambda _: came.append(time.perf_counter()) or 204
    with opened(folder, "latency", redis_url) as house:
        Post(house, receiver).hook()
        game = house.game(clock=None, goal=100)
        with serving(house, receiver, redis_url):
            waits = [wait for _ in range(MOVES) if (wait := _move(house, game, came)) is not None]
    line("commit to arrival, median", f"{median(waits) * 1e3:,.0f} ms", f"{len(waits)} moves, one after the other")
    line("nine of ten within", f"{quantiles(waits, n=10)[-1] * 1e3:,.0f} ms")


@contextlib.contextmanager
def serving(house: Harness, receiver: Receiver, redis_url: str) -> Iterator[None]:
    """The process's loop in a thread, woken by Redis."""
    ready = threading.Event()
    loop = asyncio.new_event_loop()

    async def go() -> None:
        nonlocal sender
        sender = HookSender(house.ctx, DeliveryPolicy(), receiver.wire())
        listening = listen(redis_url, sender.look)
        loop.call_later(1.0, ready.set)
        await sender.serve()
        listening.cancel()
        await asyncio.wait([listening])

    sender: HookSender
    thread = threading.Thread(target=loop.run_until_complete, args=(go(),))
    thread.start()
    ready.wait()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(sender.stop)
        thread.join()
        loop.close()


def _move(house: Harness, game: str, came: list[float]) -> float | None:
    """Seconds from the move's commit; None if it ended the game."""
    if house.table(game).is_over:
        return None
    before = len(came)
    house.play_default(game)
    committed = time.perf_counter()
    while len(came) == before:
        time.sleep(0.0005)
    arrived = came[before]
    time.sleep(0.05)
    return max(0.0, arrived - committed)
