"""`backup` and `restore`: a copy of the whole database in one file, and beside it a manifest of what the copy has.

A copy is made under another name and renamed when it is whole, and its manifest comes last: a file with a manifest is a
whole copy. Neither has the master or anything of Redis. The counts of the manifest are read from the very state that
was copied: from the copy itself (SQLite), or in the transaction whose snapshot `pg_dump` uses (PostgreSQL).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from server.kernel.db import schema
from server.kernel.db.models import Entry, Game
from server.kernel.db.session import Database
from server.kernel.errors import ServerError

Kind = Literal["sqlite", "postgresql"]
STEP = 1000  # pages of SQLite between two looks for a signal
# Whether this role owns the tables, or may make them in an empty database.
OWNS = sa.text(
    "SELECT coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('game')),"
    " has_schema_privilege(current_schema(), 'CREATE'))"
)
ENDINGS: dict[Kind, str] = {"sqlite": ".db", "postgresql": ".dump"}


class BackupError(ServerError):
    """A copy that is not made, or not restored. `code` is stable; nothing has changed."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(f"{says} ({code})")
        self.code = code


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about a copy. `server` is the name under which its newest game was created; None without games."""

    database: Kind
    schema: str
    server: str | None
    made_at: datetime
    games: int
    entries: int
    sha256: str


def manifest_path(copy: Path) -> Path:
    return copy.with_name(f"{copy.name}.json")


# --- backup -----------------------------------------------------------------------------------------------------------


def back_up(database: Database, where: Path, now: datetime) -> tuple[Path, Manifest]:
    """Copy the database into this file, or into a new one of this folder. BackupError if the file exists."""
    kind = _kind(database)
    path = where / f"sealedmove-{now:%Y%m%dT%H%M%SZ}{ENDINGS[kind]}" if where.is_dir() else where
    for one in (path, manifest_path(path)):
        if one.exists():
            raise BackupError("backup-exists", f"{one} exists and is not overwritten. Name another file")
    if not path.parent.is_dir():
        raise BackupError("no-folder", f"There is no folder {path.parent}. Make it, or name a file in another one")
    if (flaw := database.file.flaw) is not None:
        raise BackupError("database-without-tables", f"The database cannot be used: {flaw.says}. Correct DATABASE_URL")
    with _written(path) as partial:
        has = (_dump_sqlite if database.is_sqlite else _dump_postgresql)(database, partial)
        manifest = Manifest(database=kind, made_at=now, sha256=_sha256(partial), **has)
    with _written(manifest_path(path)) as partial:
        partial.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return path, manifest


def _kind(database: Database) -> Kind:
    return "sqlite" if database.is_sqlite else "postgresql"


def _file(database: Database) -> Path:
    return Path(str(database.url.database))


@contextmanager
def _written(path: Path) -> Iterator[Path]:
    """A file that only its owner may read, which gets its name once it is on the disk; removed after an error."""
    number, name = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".partial", dir=path.parent)
    os.close(number)
    partial = Path(name)
    try:
        yield partial
        _sync(partial)
        partial.rename(path)
        _sync(path.parent)
    finally:
        partial.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _dump_sqlite(database: Database, partial: Path) -> dict[str, Any]:
    """By SQLite's backup API, in one step: a read transaction, which no writer waits for."""
    with closing(_opened(_file(database), "rw")) as source, closing(sqlite3.connect(partial)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # a copy is one file, without a write-ahead log beside it
    engine = sa.create_engine(URL.create("sqlite", database=str(partial)))
    try:
        with Session(engine) as session:
            return _contents(session)
    finally:
        engine.dispose()


def _opened(path: Path, mode: Literal["ro", "rw"]) -> sqlite3.Connection:
    """A connection to a file that exists; a plain one would create it."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True)


def _dump_postgresql(database: Database, partial: Path) -> dict[str, Any]:
    with database.read() as session:
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        has = _contents(session)
        snapshot = session.scalar(sa.text("SELECT pg_export_snapshot()"))
        _run("pg_dump", database, "--format=custom", f"--file={partial}", f"--snapshot={snapshot}")
    return has


def _contents(session: Session) -> dict[str, Any]:
    version = schema.version(session)
    if version is None:
        raise BackupError("database-without-tables", "The database has no tables yet, so there is nothing to back up")
    newest = sa.select(Game.id).order_by(Game.created_at.desc(), Game.id).limit(1).scalar_subquery()
    line = session.scalar(sa.select(Entry.line).where(Entry.game_id == newest, Entry.seq == 0))
    return {
        "schema": version,
        "server": None if line is None else msgspec.json.decode(line)["server"],
        "games": session.scalar(sa.select(sa.func.count()).select_from(Game)),
        "entries": session.scalar(sa.select(sa.func.count()).select_from(Entry)),
    }


def _run(program: str, database: Database, *words: str) -> None:
    """Run a program of PostgreSQL on the database. The password is not among the words, which everybody may read."""
    found = shutil.which(program)
    if found is None:
        says = f"The program {program} is not installed here. Install PostgreSQL's client programs"
        raise BackupError("program-missing", f"{says}, of the server's version or newer")
    url = database.url
    target = URL.create(
        "postgresql", url.username, None, url.host, url.port, url.database, url.query
    ).render_as_string()
    secret = {"PGPASSWORD": url.password} if url.password else {}
    command = [found, "--no-password", f"--dbname={target}", *words]
    done = subprocess.run(  # noqa: S603 - our own words
        command, env={**os.environ, **secret}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        says = done.stderr.strip().partition("\n")[0] or f"exit status {done.returncode}"
        raise BackupError("copy-failed", f"{program} failed: {says}{_advice(database)}")


def _advice(database: Database) -> str:
    """For a role that cannot succeed, whatever the language of the program and of the server."""
    with suppress(SQLAlchemyError), database.read() as session:
        if not session.scalar(OWNS):
            return ". Name the owner of the tables in DATABASE_URL, not the role of the processes"
    return ""


# --- restore ----------------------------------------------------------------------------------------------------------


def restore(database: Database, copy: Path) -> Manifest:
    """Fill an empty database from a copy; BackupError, before anything changes, if one of the two is unfit."""
    manifest = _read_manifest(copy)
    _check(manifest, copy, _kind(database))
    _check_is_empty(database)
    if database.is_sqlite:
        _fill_sqlite(database, copy)
    else:
        whole = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
        _run("pg_restore", database, *whole, str(copy))
    return manifest


def _read_manifest(copy: Path) -> Manifest:
    if not copy.is_file():
        raise BackupError("backup-unreadable", f"There is no file {copy}")
    path = manifest_path(copy)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except OSError as error:
        why = error.strerror or type(error).__name__
    except msgspec.MsgspecError as error:
        why = str(error)
    raise BackupError(
        "backup-unreadable", f"The manifest {path} cannot be read: {why}. Copy it together with {copy.name}"
    )


def _check(manifest: Manifest, copy: Path, kind: Kind) -> None:
    if manifest.database != kind:
        says = f"{copy} is a copy of {manifest.database}, but DATABASE_URL names {kind}"
        raise BackupError("backup-of-another-kind", says)
    if not schema.OLDEST <= manifest.schema <= schema.NEWEST:
        window = f"this version of the program restores {schema.OLDEST} to {schema.NEWEST}"
        says = f"{copy} has schema {manifest.schema}, but {window}. Restore it with the version that made it"
        raise BackupError("backup-of-another-schema", says)
    if _sha256(copy) != manifest.sha256:
        raise BackupError("backup-damaged", f"{copy} does not have the SHA-256 of its manifest. Use another copy")


def _check_is_empty(database: Database) -> None:
    if database.is_sqlite and not _file(database).exists():
        return
    with database.read() as session:
        tables = sa.inspect(session.connection()).get_table_names()
    if tables:
        where = database.url.render_as_string(hide_password=True)
        says = f"The database {where} has {len(tables)} tables. Name an empty one in DATABASE_URL"
        raise BackupError("database-not-empty", says)


def _fill_sqlite(database: Database, copy: Path) -> None:
    """By SQLite's backup API, whose transaction leaves the file empty if it is interrupted."""
    path = _file(database)
    path.parent.mkdir(parents=True, exist_ok=True)
    database.dispose()
    with closing(_opened(copy, "ro")) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target, pages=STEP, progress=_after_step)
    with suppress(OSError):
        _sync(path.parent)


def _after_step(_status: int, _remaining: int, _total: int) -> None:
    """Python raises what a signal has asked for here, and not while SQLite copies."""
