"""`sealedmove operate reports` and `people`: what players report, and what the operator does about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from engine.kit import count
from server.accounts.people import by_operator
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.operate import startup
from server.operate.actor import acting
from server.operate.commands import print_rows
from server.tables.talk import write as talk


@click.group(name="reports")
def reports() -> None:
    """Read what players report, remove a message, close a report."""


@reports.command(name="list")
@click.option("--all", "is_all", is_flag=True, help="Also closed reports.")
def list_reports(is_all: bool) -> None:
    """List open reports, oldest first, each with a copy of the message, one JSON object per line."""
    with startup.operator_services() as services:
        print_rows(by_operator.reports(services, is_all=is_all))


@reports.command()
@click.argument("number", type=int, metavar="ID")
@acting()
def close(number: int, by: Operator) -> None:
    """Close report ID; the reason is kept as its outcome."""
    with startup.operator_services() as services:
        by_operator.close(services, by, number)
    click.echo(f"report {number} is closed")


@reports.command(name="remove-message")
@click.argument("game")
@click.argument("number", type=int, metavar="N")
@acting()
def remove_message(game: str, number: int, by: Operator) -> None:
    """Remove message N of the talk at table GAME. Its copy in a report stays."""
    with startup.operator_services() as services:
        talk.remove(services, by, game, number)
    click.echo(f"message {number} is removed")


@click.group(name="people")
def people() -> None:
    """Stop an account from writing or sitting down for some days. Its running games continue."""


@people.command()
@click.argument("number", type=int, metavar="ID")
def show(number: int) -> None:
    """Show the standing of account ID, and how often it was reported, as JSON."""
    with startup.operator_services() as services:
        print_rows([by_operator.show(services, number)])


def _for_days(name: str, act: Callable[[Services, Operator, int, int], Any], done: str, says: str) -> None:
    """Add the command that does this to one account for some days."""

    @people.command(name=name, help=says)
    @click.argument("number", type=int, metavar="ID")
    @click.argument("days", type=click.IntRange(1, 3650))
    @acting()
    def command(number: int, days: int, by: Operator) -> None:
        with startup.operator_services() as services:
            act(services, by, number, days)
        click.echo(done.format(number=number, days=count(days, "day")))


_for_days(
    "silence",
    by_operator.silence,
    "account {number} is silenced for {days}",
    "Stop account ID from writing at tables for so many DAYS.",
)
_for_days(
    "suspend",
    by_operator.suspend,
    "account {number} is suspended for {days}",
    "Stop account ID from writing, opening tables and taking seats for so many DAYS.",
)


@people.command()
@click.argument("number", type=int, metavar="ID")
@acting()
def release(number: int, by: Operator) -> None:
    """End the silence and the suspension of account ID."""
    with startup.operator_services() as services:
        by_operator.release(services, by, number)
    click.echo(f"account {number} is released")
