"""A relay for the bench, in its own process: accepts every mail and prints its time by the machine's clock."""

from __future__ import annotations

import signal
import sys
import time
from typing import Any

import click
from aiosmtpd.controller import Controller


class Taken:
    """One line a mail: nanoseconds and the recipient."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        click.echo(f"{time.monotonic_ns()} {envelope.rcpt_tos[0]}")
        return "250 OK"


def main(port: int) -> None:
    Controller(Taken(), hostname="127.0.0.1", port=port).start()
    click.echo("ready")
    signal.sigwait({signal.SIGTERM})


if __name__ == "__main__":
    main(int(sys.argv[1]))
