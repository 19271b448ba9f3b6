"""Operator commands of the server."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click
import msgspec
from sqlalchemy.exc import SQLAlchemyError

from engine.errors import SealedMoveError
from engine.kit import count
from server.accounts.sign_in import link_here
from server.evidence import audit
from server.kernel import quarantine
from server.kernel.db.session import database_message
from server.kernel.operator_log import Operator
from server.kernel.problem_bodies import body_of
from server.kernel.services import Services, fault_place
from server.operate import startup, stopped_games
from server.operate.actor import acting, required
from server.operate.games import stop_of
from server.operate.retention import leap_events
from server.operate.startup import operator_services
from server.tables.write import grant_as_operator, running_games

Rows = Callable[[Services], list[dict[str, Any]]]


@click.command()
def welcome() -> None:
    """Print a link that signs you in on this machine. It works once, within half an hour.

    HOST and PUBLIC_URL must be loopback addresses, so that no other machine can use it.
    """
    with operator_services() as services:
        try:
            click.echo(link_here(services))
        except SealedMoveError:
            raise click.ClickException(
                "this server is reachable from other machines by its HOST, PUBLIC_URL, HOSTS or PROXIES"
            ) from None


@click.command()
@click.argument("words", nargs=-1, metavar="[GAME] SECONDS")
@click.option("--seat", "seats", multiple=True, type=click.IntRange(1), help="Only this seat; the first seat is 1.")
@click.option("--all", "everywhere", is_flag=True, help="All running games, without GAME; use it after an outage.")
@acting()
def grant(words: tuple[str, ...], seats: tuple[int, ...], everywhere: bool, by: Operator) -> None:
    """Give more time to seats that owe a move: all seats of GAME, only some of them, or all of every running game.

    The log records it, and deadlines move by SECONDS. After an outage, do this before `clock` runs again.
    """
    if len(words) != 1 + (not everywhere) or not words[-1].isdecimal() or (everywhere and seats):
        raise click.UsageError("use `grant GAME SECONDS [--seat N ...]` or `grant --all SECONDS`")
    with operator_services() as services:
        games = running_games(services) if everywhere else [words[0]]
        given = [_grant(services, by, game, int(words[-1]), seats, is_named=not everywhere) for game in games]
    if None in given:
        more = ". Grant it to each of them by its ID: `--all` would give it to the others twice" if everywhere else ""
        missed = f"{given.count(None)} of {count(len(given), 'game')}"
        raise click.ClickException(f"time was not granted in {missed}{more}")


def _grant(
    services: Services, by: Operator, game: str, seconds: int, seats: tuple[int, ...], *, is_named: bool
) -> bool | None:
    """Print what was granted in one game; None if that failed, so that the other games still get theirs."""
    try:
        given = grant_as_operator(services, by, game, seconds, sorted({seat - 1 for seat in seats}), is_named=is_named)
    except Exception as fault:  # noqa: BLE001 - a second run for the other games would give time twice to the first ones
        click.echo(f"{game}: {_why(fault)}", err=True)
        return None
    click.echo(
        f"{game}: " + (f"seats {', '.join(str(seat + 1) for seat in given)}" if given else "no clock is running")
    )
    return True


def _why(fault: Exception) -> str:
    if isinstance(fault, SealedMoveError):
        body = body_of(fault)
        return f"{body.get('detail') or body['title']} ({body['code']})"
    if isinstance(fault, SQLAlchemyError):
        return f"the database refused this: {database_message(fault)}"
    found = fault_place(fault)
    return f"{found['error']} at {found['at'][-1]}"


# --- commands for logs in trouble: stopped games, missing entries, forks ---------------------------------------------


GAME = click.argument("game", metavar="GAME")


def _with(act: Callable[..., Any], *given: Any) -> Any:
    with startup.operator_services() as services:
        return act(services, *given)


def _list(rows: Rows) -> None:
    """Print them; nothing is written, so a replica of the database will do."""
    with startup.operator_services(writes=False) as services:
        print_rows(rows(services))


def print_rows(rows: Iterable[dict[str, Any]]) -> None:
    """One JSON object a line."""
    for row in rows:
        click.echo(msgspec.json.encode(row).decode())


@click.command()
def stopped() -> None:
    """List stopped games, each with what to do, and checkpoints that prove a fork, one JSON object per line."""
    _list(stopped_games.stopped)


AGAIN = click.option("--again", "is_again", is_flag=True, help="Have all of them processed again, as after a repair.")


@click.command()
@AGAIN
@click.option("--acknowledge", metavar="GAME", help="Count its failure no more, until its next audit.")
@acting(always=False)
def audits(is_again: bool, acknowledge: str | None, by: Operator | None) -> None:
    """List games that failed the server's audit or could not be judged, one JSON object per line."""
    if acknowledge is not None:
        if not _with(audit.acknowledge, required(by), acknowledge):
            raise click.ClickException(f"{acknowledge} has not failed: `sealedmove audits` lists the games that did")
        click.echo(f"{acknowledge} is acknowledged")
    elif is_again:
        click.echo(f"games to audit again: {_with(audit.repeat, required(by))}")
    else:
        _list(audit.unsound)


@click.command(name="quarantine")
@AGAIN
@acting(always=False)
def show_quarantine(is_again: bool, by: Operator | None) -> None:
    """List what the workers could not process and will try again, one JSON object per line."""
    if is_again:
        click.echo(f"items to try again: {_with(quarantine.retry, required(by))}")
    else:
        _list(quarantine.listed)


@click.command(name="go-on")
@GAME
@acting()
def go_on(game: str, by: Operator) -> None:
    """Resume a stopped GAME, once its fault is fixed."""
    with startup.operator_services() as services:
        stopped_games.resume(services, by, game)
        click.echo(_still_stopped(services, game) or f"{game} continues")


@click.command(name="give-up")
@GAME
@acting()
def give_up(game: str, by: Operator) -> None:
    """Give up the missing entries of GAME, and let it go on without them.

    The log states for good how many entries were lost. Do this only if nobody can submit them: it cannot be undone.
    """
    with startup.operator_services() as services:
        lost = count(stopped_games.give_up(services, by, game), "lost entry", "lost entries")
        still = _still_stopped(services, game)
    click.echo(f"{lost} given up. {still}" if still else f"{game} goes on without {lost}")


def _still_stopped(services: Services, game: str) -> str | None:
    """The other reason for which the game is stopped, and what to do; None if there is none."""
    left = stop_of(services, game)
    return None if left is None else f"{game} is still stopped: {left['why']}\n{left['advice']}"


@click.command()
@GAME
@click.option(
    "--reason", default="operator", show_default=True, help="One word in lower case. It becomes part of the record."
)
@acting()
def cancel(game: str, reason: str, by: Operator) -> None:
    """Cancel GAME on the operator's authority, at any time before its end. Its players get an email."""
    _with(stopped_games.cancel, by, game, reason)
    click.echo(f"{game} is cancelled")


@click.command(name="reset-events")
@acting()
def reset_events(by: Operator) -> None:
    """After a restore: notify everyone who follows events that some were lost. Run it before the processes start."""
    click.echo(f"{count(_with(leap_events, by), 'account')} will be notified that events were lost")
