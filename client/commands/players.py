"""`sealedmove players`: play for the house players, through the public API as any bot could."""

from __future__ import annotations

import json
import signal
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import click

from client.players import metrics, service
from client.players.decider import Decider
from client.players.runner import Runner
from client.players.time_budget import TimeBudget
from engine import struct_types
from engine.players import LEVELS

FOLDER = click.Path(file_okay=False, path_type=Path)
LIMIT = 3.0  # seconds until a level that does not answer is killed


@click.command()
@click.option("--folder", envvar="PLAYERS_DIR", type=FOLDER, default="var/players", show_default=True, help="Accounts.")
@click.option(
    "--seconds",
    envvar="PLAYERS_SECONDS",
    default=1.5,
    show_default=True,
    help="Seconds to think about an answer.",
)
@click.option(
    "--share",
    envvar="PLAYERS_SHARE",
    default=0.8,
    show_default=True,
    help="Share of a core for all thinking.",
)
@click.option(
    "--alone",
    envvar="PLAYERS_ALONE",
    type=click.Choice([*LEVELS, "own"]),
    default="own",
    show_default=True,
    help="Level at tables where no person is left.",
)
@click.option(
    "--alone-share",
    envvar="PLAYERS_ALONE_SHARE",
    default=0.3,
    show_default=True,
    help="Share of a core for thinking at those tables; beyond it searches wait.",
)
@click.option(
    "--metrics-port", envvar="PLAYERS_METRICS_PORT", type=int, help="Serve /metrics of this process on this port."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address of /metrics.")
def main(
    folder: Path,
    seconds: float,
    share: float,
    alone: str,
    alone_share: float,
    metrics_port: int | None,
    host: str,
) -> None:
    """Play for the accounts in a folder, which `sealedmove bot` fills. Events are logged as lines of JSON."""
    try:
        with service.folder_lock(folder), Runner(limit=LIMIT) as runner:
            level, apart = None if alone == "own" else alone, TimeBudget(seconds, min(share, alone_share))
            decider = Decider(runner, TimeBudget(seconds, share), log_event, level, apart)
            _run(folder, decider, metrics_port, host)
    except (service.BusyError, service.FolderError) as no:
        raise click.ClickException(str(no)) from None


def _run(folder: Path, decider: Decider, metrics_port: int | None, host: str) -> None:
    """Run until a signal ends it."""
    struct_types.read_all()
    if metrics_port:
        metrics.serve(metrics_port, host)
    stop = _on_signals()
    log_event("players-started", folder=str(folder), level_alone=decider.alone or "own")
    service.Service(folder, decider, log_event, stop).run()


def _on_signals() -> threading.Event:
    """An event that the signals set, in a thread of its own: a handler could wait for a lock that its thread holds."""
    stop, told = threading.Event(), SimpleQueue[None]()

    def pass_on() -> None:
        told.get()
        stop.set()

    threading.Thread(target=pass_on, daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.put(None))
    return stop


def log_event(event: str, **facts: Any) -> None:
    """Write one line of the log, with nothing that only a seat may know.

    On a full disk it is only counted, if it is of a counted kind: the tables go on without a log.
    """
    metrics.count(event, facts)
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    level = "warning" if event in ("trouble", "lower-level", "refused-token", "no-accounts") else "info"
    line = {"event": event, **facts, "level": level, "logger": "sealedmove", "timestamp": at}
    with suppress(OSError):
        click.echo(json.dumps(line))
