"""Operator commands of the server."""

from __future__ import annotations

import click

from engine.errors import SealedMoveError
from server import config
from server.db import migrate as migrations
from server.db.session import Database
from server.errors import body_of
from server.services import Services
from server.start import answering, operating
from server.usecases.grant import grant_as_operator, running_games
from server.usecases.sign_in import link_here


@click.command()
def migrate() -> None:
    """Bring the database to the newest version."""
    database = Database(config.database_url())
    with answering(database):
        migrations.migrate(database)
    database.dispose()
    click.echo(f"{database.url.render_as_string(hide_password=True)} is up to date")


@click.command()
def welcome() -> None:
    """Print a link that signs in whoever is at this machine, once, within half an hour.

    Only for a server of this machine alone: HOST and PUBLIC_URL are its loopback address.
    """
    with operating() as services:
        try:
            click.echo(link_here(services))
        except SealedMoveError:
            raise click.ClickException("others reach this server too, by HOST, PUBLIC_URL, HOSTS or PROXIES") from None


@click.command()
@click.argument("words", nargs=-1, metavar="[GAME] SECONDS")
@click.option("--seat", "seats", multiple=True, type=click.IntRange(1), help="Only this one; the first seat is 1.")
@click.option("--all", "everywhere", is_flag=True, help="Every running game, without GAME: after an outage.")
def grant(words: tuple[str, ...], seats: tuple[int, ...], everywhere: bool) -> None:
    """Give time to seats that owe a move: to all of GAME, to those named, or with --all to all of every game.

    It is logged, and the clock plays so many SECONDS later. After an outage, do it before `clock` runs again.
    """
    if len(words) != 1 + (not everywhere) or not words[-1].isdecimal() or (everywhere and seats):
        raise click.UsageError("it is `grant GAME SECONDS [--seat N ...]` or `grant --all SECONDS`")
    with operating() as services:
        games = running_games(services) if everywhere else [words[0]]
        given = [_grant(services, game, int(words[-1]), seats) for game in games]
    if None in given:
        raise click.ClickException(f"time was not granted in {given.count(None)} of {len(given)} games")


def _grant(services: Services, game: str, seconds: int, seats: tuple[int, ...]) -> bool | None:
    """Say what was granted in one game; None if it was refused, which holds up no other."""
    try:
        given = grant_as_operator(services, game, seconds, sorted({seat - 1 for seat in seats}))
    except SealedMoveError as no:
        body = body_of(no)
        click.echo(f"{game}: {body.get('detail') or body['title']} ({body['code']})", err=True)
        return None
    click.echo(f"{game}: " + (f"seats {', '.join(str(seat + 1) for seat in given)}" if given else "nobody's time runs"))
    return True
