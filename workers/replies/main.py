"""`sealedmove inbound`: receives mail by SMTP and LMTP and stores it; workers read it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from functools import partial

import click

from server.kernel.config import Settings
from server.kernel.logs import configure, log
from server.kernel.services import open_services
from server.mailbox.inbound import keep
from server.operate import metrics_port, startup
from workers.replies.batch_writer import BatchWriter
from workers.replies.certificate import TlsCertificate
from workers.replies.smtp_server import ConnectionLimits, protocol


@click.command()
def main() -> None:
    """Receive replies to our emails."""
    chosen = startup.checked_settings()
    configure(chosen.log_level)
    if not chosen.inbound_listen or not chosen.reply_address:
        raise click.ClickException("set INBOUND_LISTEN (where to listen) and REPLY_ADDRESS (for which address)")
    metrics_port.start(chosen, "inbound")
    try:
        asyncio.run(listen(chosen))
    except ValueError as wrong:
        raise click.ClickException(str(wrong)) from None


async def listen(chosen: Settings) -> None:
    """Run until a signal; mail that was not answered with `250` is sent again by its sender."""
    chain = chosen.inbound_certificate_file
    certificate = None if chain is None else TlsCertificate(chain, chosen.inbound_key_file)
    loop, stop, services = asyncio.get_running_loop(), asyncio.Event(), open_services(chosen)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    keeper, limits = BatchWriter(partial(keep, services)), ConnectionLimits()
    doors = [protocol(url, chosen, keeper, limits, certificate) for url in chosen.inbound_listen]
    servers = [await _server(loop, *one) for one in doors]
    writer = loop.create_task(keeper.run())
    log.info("inbound-started", doors=len(servers))
    await asyncio.wait([loop.create_task(stop.wait()), writer], return_when=asyncio.FIRST_COMPLETED)
    for server in servers:
        server.close()
    writer.cancel()
    await asyncio.wait([writer])
    services.database.dispose()
    if not writer.cancelled():
        writer.result()


async def _server(
    loop: asyncio.AbstractEventLoop, serve: Callable[[], asyncio.Protocol], host: str, port: int
) -> asyncio.Server:
    """Listens; ValueError if the address cannot be had."""
    try:
        return await loop.create_server(serve, host, port)
    except OSError as error:
        why = str(error.strerror).rpartition(": ")[2]
        raise ValueError(f"INBOUND_LISTEN: inbound cannot listen on {host}, port {port}: {why}") from None
