"""`sealedmove operate game`: look into one game."""

from __future__ import annotations

import click

from server.operate import games, startup
from server.operate.commands import GAME, print_rows


@click.group(name="game")
def main() -> None:
    """Show one game, why it is stopped, and at which entry its rules break."""


@main.command()
@GAME
def show(game: str) -> None:
    """Print what the database has of GAME, as one JSON object: seats, audit, quarantine, acts of operators."""
    with startup.operator_services() as services:
        print_rows([games.show(services, game)])


@main.command()
@GAME
def why(game: str) -> None:
    """Print why GAME is stopped, and what to do."""
    with startup.operator_services() as services:
        found = games.stop_of(services, game)
    if found is None:
        click.echo(f"{game} is not stopped")
    else:
        click.echo(f"{game} is stopped: {found['why']}\n{found['advice']}")


@main.command()
@GAME
def replay(game: str) -> None:
    """Decide every entry of GAME again, and print the first that the rules refuse or break at, with the reason.

    The exit status is 1 if there is one. Nothing is changed.
    """
    with startup.operator_services() as services:
        found = games.replay(services, game)
    print_rows([found])
    if found["fault"] is not None:
        raise SystemExit(1)
