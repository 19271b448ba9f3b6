"""The commands `backup`, `restore` and `verify`. The first two need nothing but a database, like `migrate`."""

from __future__ import annotations

import json
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from engine.kit import count
from server.kernel.db.models import OperatorAct
from server.kernel.db.session import Database
from server.kernel.operator_log import Operator
from server.kernel.services import utc_now
from server.kernel.text import iso
from server.operate import backups, own_process, store_audit
from server.operate.actor import acting
from server.operate.backups import BackupError, Manifest
from server.operate.startup import database_alone, database_errors, operator_services
from server.operate.store_audit import GRAVITY, GameVerdict

NEXT = """\
Before you start the processes:
1. sealedmove migrate   (with --grant ROLE if the processes have a role of their own)
2. sealedmove reset-events --why REASON
3. sealedmove verify
4. sealedmove doctor
Keep Redis and the master as they are. Redis has the newest checkpoint of each game: a game that has lost entries is
stopped before anyone can act in it, and `sealedmove stopped` lists it. Start `clock` last. See "Restoring an older
copy" in docs/operate.md."""


@contextmanager
def _database() -> Iterator[Database]:
    own_process.prepare()
    database = database_alone()
    try:
        with _undone_by_sigterm(), database_errors(database):
            yield database
    except BackupError as no:
        raise click.ClickException(str(no)) from None
    except (OSError, sqlite3.Error) as error:
        raise click.ClickException(f"the copy failed: {error} (copy-failed)") from None
    finally:
        database.dispose()


@contextmanager
def _undone_by_sigterm() -> Iterator[None]:
    """As by Ctrl-C: otherwise `pg_restore` would go on alone, and half a copy stay."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _described(made: Manifest) -> str:
    games, entries = count(made.games, "game"), count(made.entries, "entry", "entries")
    return f"{games}, {entries}, schema {made.schema}, {made.server or 'no server yet'}, {iso(made.made_at)}"


@click.command()
@click.argument("where", metavar="FILE_OR_FOLDER", type=click.Path(path_type=Path))
def backup(where: Path) -> None:
    """Copy the whole database into a file, while the server runs.

    In a folder the file is named after the time. Its manifest is FILE.json. Nothing is overwritten. The master is not
    in the copy: keep it elsewhere.
    """
    with _database() as database:
        path, made = backups.back_up(database, where, utc_now())
    click.echo(f"{path}: {_described(made)}")


@click.command()
@click.argument("copy", metavar="FILE", type=click.Path(path_type=Path))
@acting()
def restore(copy: Path, by: Operator) -> None:
    """Fill an empty database from a FILE that `backup` made.

    The manifest and the SHA-256 are checked first. If one of them or the database is unfit, nothing changes.
    """
    with _database() as database:
        made = backups.restore(database, copy)
        with database.write() as session:
            session.add(OperatorAct(at=utc_now(), who=by.who, act="restore", about=copy.name[:60], why=by.why))
    click.echo(f"Restored {copy}: {_described(made)}\n{NEXT}")


# --- verify -----------------------------------------------------------------------------------------------------------


@click.command()
@click.option("--jobs", type=click.IntRange(1), help="Number of processes; by default one for each core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(jobs: int | None, as_json: bool) -> None:
    """Audit every game of the database. Nothing is written, and the server may run.

    The exit status is 1 if a game fails, and 2 if none fails but one could not be judged.
    """
    began = time.monotonic()
    with operator_services(writes=False) as services:
        games = store_audit.games(services)
        try:
            rows = _followed(store_audit.audit_all(services, games, jobs), len(games), hidden=as_json)
        except BrokenExecutor:
            raise click.ClickException("a process of the audit was killed, perhaps for lack of memory") from None
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in GRAVITY}
    found: dict[str, Any] = {"games": len(rows), "counts": counts, "seconds": round(time.monotonic() - began, 1)}
    unsound = sorted((row for row in rows if row.verdict in GRAVITY[:2]), key=lambda row: (row.verdict, row.game))
    if as_json:
        click.echo(json.dumps(found | {"unsound": msgspec.to_builtins(unsound)}, indent=2))
    else:
        click.echo("\n".join([*(f"{row.game}: {row.says}" for row in unsound), _summary(found)]))
    sys.exit(1 if counts["fails"] else 2 if counts["unknown"] else 0)


def _followed(rows: Iterator[GameVerdict], total: int, *, hidden: bool) -> list[GameVerdict]:
    shown = sys.stderr.isatty() and not hidden
    with click.progressbar(rows, total, label="Auditing", file=sys.stderr, hidden=not shown, show_pos=True) as bar:
        return list(bar)


def _summary(found: dict[str, Any]) -> str:
    counted = found["counts"]
    verdicts = (
        f"{counted['fails']} failed, {counted['unknown']} unknown, {counted['open']} open, {counted['holds']} hold"
    )
    return f"{count(found['games'], 'game')} in {found['seconds']} s: {verdicts}"
