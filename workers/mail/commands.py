"""`sealedmove mail`: what an operator asks of mail."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

import click
import msgspec

from server import start
from server.projections import mails
from server.services import open_services
from workers.mail import address
from workers.mail.facts import House
from workers.mail.headers import POLICY
from workers.mail.smtp import Never, NotNow
from workers.queues import open_shop


@click.group()
def main() -> None:
    """Mails that failed; a mail to see whether mail goes out."""


@main.command()
def failed() -> None:
    """List mails that were refused or given up, one JSON object a line."""
    services = open_services(start.checked())
    try:
        for row in mails.failed(services):
            click.echo(msgspec.json.encode(row).decode())
    finally:
        services.database.dispose()


@main.command()
@click.argument("to", metavar="ADDRESS")
def test(to: str) -> None:
    """Send one mail to ADDRESS through the relay, and say what the relay says."""
    shop = open_shop(start.checked())
    try:
        with shop.smtp.session() as session:
            session.send(letter(shop.house, to, shop.services.now()))
    except (NotNow, Never, address.BadAddress) as no:
        raise click.ClickException(f"not taken by {shop.smtp.host}, port {shop.smtp.port}: {no}") from None
    finally:
        shop.services.database.dispose()
    click.echo(f"taken by {shop.smtp.host}, port {shop.smtp.port}; look whether it arrives, and what its headers say")


def letter(house: House, to: str, now: datetime) -> EmailMessage:
    """A mail about nothing but itself."""
    made = EmailMessage(policy=POLICY)
    made["From"], made["To"] = address.sender(house.mailbox), address.mailbox("", to)
    made["Subject"], made["Date"] = "Sealed Move: a test", format_datetime(now)
    made["Message-ID"] = make_msgid(domain=house.host)
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(f"Mail from {house.site} goes out. Its operator sent this to see so.\n")
    return made
