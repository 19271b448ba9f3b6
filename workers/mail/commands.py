"""`sealedmove mail`: the operator's commands for mail."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Any

import click

from server.kernel.config import ConfigError
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.mailbox import inbound
from server.mailbox import read as mailbox
from server.operate import startup
from server.operate.actor import acting, required
from server.operate.commands import print_rows
from workers.mail import headers, signing
from workers.mail.facts import MailOrigin
from workers.mail.headers import POLICY
from workers.mail.smtp import PermanentMailError, TransientMailError
from workers.queues import open_context


@click.group()
def main() -> None:
    """List mail that failed, was reported or could not be read, and send a test mail."""


@main.command()
def failed() -> None:
    """List mails that were refused or given up, one JSON object per line."""
    _list(mailbox.failed_mails)


@main.command()
def stopped() -> None:
    """List accounts whose mail is stopped and the reason, one JSON object per line."""
    _list(mailbox.all_stopped)


@main.command()
def reports() -> None:
    """List the delivery reports of the last thirty days, one JSON object per line. `ours` is for you to fix."""
    _list(mailbox.reports)


def _list(rows: Callable[[Services], list[dict[str, Any]]]) -> None:
    with startup.operator_services() as services:
        print_rows(rows(services))


@main.command()
@click.argument("to", metavar="ADDRESS")
def test(to: str) -> None:
    """Send one mail to ADDRESS through the relay, and print the relay's answer."""
    ctx = open_context(startup.checked_settings())
    try:
        with ctx.smtp.session() as session:
            session.send(letter(ctx.origin, to, ctx.services.now()))
    except (TransientMailError, PermanentMailError, headers.AddressError, ConfigError) as no:
        raise click.ClickException(f"not accepted by {ctx.smtp.host}, port {ctx.smtp.port}: {no}") from None
    finally:
        ctx.services.database.dispose()
    click.echo(f"accepted by {ctx.smtp.host}, port {ctx.smtp.port}. Check that it arrives, and check its headers.")


@main.command()
def dkim() -> None:
    """Print the DNS record for the key in DKIM_SIGN_KEY_FILE."""
    try:
        signer = signing.of(startup.checked_settings())
    except ConfigError as no:
        raise click.ClickException(str(no)) from None
    if signer is None:
        raise click.ClickException(
            "DKIM_SIGN_SELECTOR and DKIM_SIGN_KEY_FILE are not set: mails are unsigned unless the relay signs them"
        )
    click.echo(f'{signer.selector}._domainkey.{signer.domain}. TXT "{signer.record()}"')


@main.command()
@click.option("--show", type=int, metavar="MAIL", help="Print this mail as it was received.")
@click.option("--again", type=int, metavar="MAIL", help="Process this mail again.")
@click.option("--drop", type=int, metavar="MAIL", help="Delete this mail.")
@acting(always=False)
def quarantine(show: int | None, again: int | None, drop: int | None, by: Operator | None) -> None:
    """List incoming mails that could not be read, one JSON object per line; or show, retry or delete one."""
    with startup.operator_services() as services:
        if show is not None:
            raw = inbound.read_quarantined(services, show)
            _check_found(show, is_there=raw is not None)
            click.echo(raw, nl=False)
        elif again is not None:
            _check_found(again, is_there=inbound.retry_quarantined(services, required(by), again))
        elif drop is not None:
            _check_found(drop, is_there=inbound.drop_quarantined(services, required(by), drop))
        else:
            print_rows(inbound.quarantined(services))


def _check_found(number: int, *, is_there: bool) -> None:
    if not is_there:
        raise click.ClickException(f"mail {number} is not in the quarantine")


def letter(origin: MailOrigin, to: str, now: datetime) -> EmailMessage:
    """The test mail."""
    made = EmailMessage(policy=POLICY)
    made["From"], made["To"] = headers.sender(origin.mailbox), headers.mailbox("", to)
    made["Subject"], made["Date"] = "Sealed Move: test email", format_datetime(now)
    made["Message-ID"] = make_msgid(domain=origin.host)
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(f"Mail from {origin.site} works. Its operator sent this message as a test.\n")
    return made
