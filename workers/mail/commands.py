"""`sealedmove mail`: what an operator asks of mail."""

from __future__ import annotations

import click
import msgspec

from server import start
from server.projections import mails
from server.services import open_services


@click.group()
def main() -> None:
    """Mails that failed."""


@main.command()
def failed() -> None:
    """List mails that were refused or given up, one JSON object a line."""
    services = open_services(start.checked())
    try:
        for row in mails.failed(services):
            click.echo(msgspec.json.encode(row).decode())
    finally:
        services.database.dispose()
