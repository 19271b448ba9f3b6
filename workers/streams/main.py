"""`sealedmove events`: holds all event streams of this host in one process."""

from __future__ import annotations

import asyncio
import resource
import signal
from functools import partial

import click
from prometheus_client.registry import REGISTRY

from server.kernel.config import ConfigError, Settings
from server.kernel.logs import configure, log
from server.kernel.services import open_services
from server.operate import metrics_port, startup
from workers.streams import handover_socket, wakeups
from workers.streams.hub import Hub, StreamLimits, StreamTiming
from workers.streams.metrics import StreamCounts
from workers.streams.poll import poll

BESIDE = 64  # descriptors kept for everything but streams


@click.command()
@click.option(
    "--beat", default=StreamTiming().beat, show_default=True, help="Seconds between two heartbeats of a stream."
)
@click.option(
    "--patience",
    default=StreamTiming().patience,
    show_default=True,
    help="Seconds until a blocked reader is disconnected.",
)
def main(beat: float, patience: float) -> None:
    """Serve the event streams of this host."""
    chosen = startup.checked_settings()
    configure(chosen.log_level)
    REGISTRY.register(StreamCounts(chosen.events_socket))
    metrics_port.start(chosen, "events")
    try:
        asyncio.run(hold(chosen, StreamTiming(beat=beat, patience=patience)))
    except ConfigError as error:
        raise click.ClickException(str(error)) from None


async def hold(chosen: Settings, timing: StreamTiming) -> None:
    """Run until a signal; the readers reconnect by themselves."""
    loop, stop, services = asyncio.get_running_loop(), asyncio.Event(), open_services(chosen)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    hub = Hub(partial(poll, services), places(chosen), timing)
    with handover_socket.listening(chosen.events_socket) as listening:
        thread = handover_socket.serve(hub, listening, loop)
        tasks = [loop.create_task(work) for work in (hub.run(), hub.beat(), _listened(chosen, hub))]
        log.info("events-started", places=hub.places.server)
        await asyncio.wait([loop.create_task(stop.wait()), *tasks], return_when=asyncio.FIRST_COMPLETED)
        handover_socket.close(listening, thread)
    for task in tasks:
        task.cancel()
    await hub.end_all(patience=1.0)
    services.database.dispose()
    _raise_first(tasks)


async def _listened(chosen: Settings, hub: Hub) -> None:
    if chosen.redis_url:
        await wakeups.listen(chosen.redis_url, hub.wake_up)
    await asyncio.Event().wait()


def _raise_first(tasks: list[asyncio.Task[None]]) -> None:
    """A fault of ours ends the process with its traceback; its supervisor starts the next one."""
    for task in tasks:
        if task.done() and not task.cancelled():
            task.result()


def places(chosen: Settings) -> StreamLimits:
    """The configured number, or less if this process may not have as many descriptors."""
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = chosen.most_streams + BESIDE
    may = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(usual, may), most))
    return StreamLimits(may - BESIDE, chosen.streams_account, chosen.streams_address)
