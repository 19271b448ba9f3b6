"""`sealedmove operate`: what an operator looks up and changes by hand."""

from __future__ import annotations

import click

from server.kernel import operator_log
from server.operate import account_commands, commands, game_commands, item_commands, people_commands, startup
from server.operate.commands import print_rows


@click.group()
def main() -> None:
    """Look after accounts, people, games, quarantine and jobs. The log has every change, with its reason."""


for command in (
    account_commands.main,
    people_commands.people,
    people_commands.reports,
    game_commands.main,
    item_commands.quarantine_group,
    item_commands.jobs_group,
    item_commands.bots,
    item_commands.limits,
    commands.audits,
):
    main.add_command(command)


def _subject(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """A number alone would match no act, as if nothing had been done."""
    if value is not None and len(value.split()) < 2:
        raise click.BadParameter("name the kind and the number, such as `account 7`, `game ID` or `report 3`")
    return value


@main.command(name="log")
@click.option(
    "--about",
    metavar="SUBJECT",
    callback=_subject,
    help="Only acts about this subject, such as `account 7` or `game ID`.",
)
@click.option("--last", type=click.IntRange(1), default=100, show_default=True, help="How many acts at most.")
def show_log(about: str | None, last: int) -> None:
    """List what operators did, the last acts, oldest first: when, who, what, and why, one JSON object per line."""
    with startup.operator_services() as services:
        print_rows(operator_log.listed(services, about, last))
