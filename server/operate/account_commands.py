"""`sealedmove operate account`: find accounts, and block, rename or erase one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from marshmallow import ValidationError

from server.accounts import by_operator
from server.http.schemas import NAME
from server.kernel.operator_log import Operator
from server.kernel.services import Services
from server.operate import startup
from server.operate.actor import acting, required
from server.operate.commands import print_rows


@click.group(name="account")
def main() -> None:
    """Find accounts; rename, block or erase one; end its sessions and tokens."""


@main.command()
@click.argument("word")
@click.option("--address", "whole", is_flag=True, help="Print whole addresses; the log keeps the reason.")
@acting(always=False)
def find(word: str, whole: bool, by: Operator | None) -> None:
    """List accounts by number, by address, or by a part of the name, one JSON object per line; at most a hundred."""
    with startup.operator_services() as services:
        print_rows(by_operator.find(services, word, required(by) if whole else None))


def _name(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    try:
        for check in NAME:
            check(value)
    except ValidationError:
        raise click.BadParameter("a name has 1 to 40 characters, and does not begin with a space") from None
    return value


@main.command()
@click.argument("number", type=int, metavar="ID")
@click.argument("name", callback=_name)
@acting()
def rename(number: int, name: str, by: Operator) -> None:
    """Give account ID the public name NAME."""
    with startup.operator_services() as services:
        by_operator.rename(services, by, number, name)
    click.echo(f"account {number} is renamed")


def _one(name: str, act: Callable[[Services, Operator, int], Any], done: str, says: str) -> None:
    """Add the command that does this to one account."""

    @main.command(name=name, help=says)
    @click.argument("number", type=int, metavar="ID")
    @acting()
    def command(number: int, by: Operator) -> None:
        with startup.operator_services() as services:
            act(services, by, number)
        click.echo(done.format(number=number))


_one(
    "block",
    by_operator.block,
    "account {number} is blocked",
    "Keep account ID and its bots from signing in. Their games continue.",
)
_one("unblock", by_operator.unblock, "account {number} is not blocked", "Let account ID and its bots sign in again.")
_one(
    "end-sessions",
    by_operator.end_all,
    "account {number} is signed out everywhere",
    "End all sessions, links, tokens, webhooks and calendars of account ID and its bots. Its keys stay.",
)
_one(
    "erase",
    by_operator.erase,
    "account {number} is deleted",
    "Delete account ID and its bots at once. This cannot be undone.",
)
