"""Operator commands for what goes wrong with a log: stopped games, lines that do not come back, forks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import msgspec

from server import start
from server.usecases import give_up
from server.usecases.forget import leap_events

GAME = click.argument("game", metavar="GAME")


def _with(act: Callable[..., Any], *given: str) -> Any:
    with start.operating() as services:
        return act(services, *given)


@click.command()
def stopped() -> None:
    """List stopped games and notes that prove a fork, one JSON object a line."""
    for row in _with(give_up.stopped):
        click.echo(msgspec.json.encode(row).decode())


@click.command(name="go-on")
@GAME
def go_on(game: str) -> None:
    """Let GAME go on: a fault of ours is mended, or the lines that are missing are given up.

    In the second case the notes that were shown are proof of a fork from then on.
    """
    _with(give_up.go_on, game)
    click.echo(f"{game} goes on")


@click.command()
@GAME
@click.option(
    "--reason", default="operator", show_default=True, help="A word in lower case, which the record will hold."
)
def cancel(game: str, reason: str) -> None:
    """End GAME by the server's word, at any time before its end. Its players are told by mail."""
    _with(give_up.cancel, game, reason)
    click.echo(f"{game} is cancelled")


@click.command(name="reset-events")
def reset_events() -> None:
    """After a restore: tell everybody who follows events that some are lost. Run it before the processes start."""
    click.echo(f"{_with(leap_events)} accounts begin anew")
