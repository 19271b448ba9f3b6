"""The command `migrate`. It may have to wait for locks of other connections, and may be interrupted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from server.kernel import config
from server.kernel.db import migrate as db_migrate
from server.kernel.db.roles import RoleError
from server.kernel.db.session import Database
from server.operate import own_process, startup
from server.operate.startup import database_errors

PATIENCE = 5.0  # seconds of waiting before it is mentioned
BLOCKING = sa.text(
    "SELECT DISTINCT pid, usename FROM unnest(pg_blocking_pids(:pid)) AS blocking (pid)"
    " LEFT JOIN pg_stat_activity USING (pid) ORDER BY pid"
)


@click.command()
@click.option("--grant", "runs_as", metavar="ROLE", help="PostgreSQL: also give ROLE the rights to run the server.")
def migrate(runs_as: str | None) -> None:
    """Bring the database to the newest version.

    Run it as the owner of the tables. A ROLE of its own for the processes can then not change entries of games.
    """
    own_process.prepare()
    database = startup.database_alone()
    try:
        with database_errors(database), _interruptible(database), _waits_shown(database):
            db_migrate.migrate(database, runs_as)
    except (config.ConfigError, RoleError) as no:
        raise click.ClickException(str(no)) from None
    except OSError as no:
        says = f"{no.filename} cannot be used: {no.strerror}; DATABASE_URL or DATA_DIR must name a folder"
        raise click.ClickException(says) from None
    finally:
        database.dispose()
    click.echo(f"{database.url.render_as_string(hide_password=True)} is up to date")


@contextmanager
def _interruptible(database: Database) -> Iterator[None]:
    """Say what Ctrl-C has left: everything is one transaction, so only its commit can be in doubt."""
    commits: list[object] = []
    sa.event.listen(database.writer, "commit", commits.append)
    try:
        yield
    except KeyboardInterrupt:
        left = " at the end: run it again to see whether it was done" if commits else ", nothing was changed"
        click.echo(err=True)  # the terminal has written ^C
        raise click.ClickException(f"interrupted{left}") from None


@contextmanager
def _waits_shown(database: Database) -> Iterator[None]:
    """Name once the connections whose locks are waited for. SQLite waits for half a minute and then gives up."""
    if database.is_sqlite:
        yield
        return
    pids: list[int] = []
    sa.event.listen(database.writer, "connect", lambda driver, _: pids.append(driver.info.backend_pid))
    done = threading.Event()
    thread = threading.Thread(target=_show_wait, args=(database, pids, done))
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _show_wait(database: Database, pids: list[int], done: threading.Event) -> None:
    while not done.wait(PATIENCE):
        if pids and (others := _blocking(database, pids[0])):
            click.echo(f"Waiting for locks of other connections: {', '.join(others)}.", err=True)
            click.echo("They may be another `sealedmove migrate`, or a process in a transaction.", err=True)
            return


def _blocking(database: Database, pid: int) -> list[str]:
    with suppress(SQLAlchemyError), database.look() as connection:
        found = connection.execute(BLOCKING, {"pid": pid}).all()
        return [f"pid {number}" + (f" ({role})" if role else "") for number, role in found]
    return []
