"""Backup, restore and verify, as an operator runs them, on both databases."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result
from sqlalchemy.engine import make_url

import sealedmove
from server.kernel import operator_log
from server.kernel.db import schema
from server.kernel.db.models import OperatorAct
from tests.kit import installed
from tests.server.harness import BY, HOST, MASTER, WHY, Harness, sqlite_url
from tests.server.lost import CLOCK, Lost
from tests.servers import postgres

NEEDED = {"SEALEDMOVE_MASTER": MASTER.hex(), "PUBLIC_URL": f"https://{HOST}", **installed.ENV}


def run(url: str, *words: str, **more: str) -> Result:
    """A command in this process."""
    env = NEEDED | {"DATABASE_URL": url, "LOG_LEVEL": "ERROR", "REDIS_URL": ""} | more
    return CliRunner().invoke(sealedmove.main, list(words), env=env)


def started(url: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, since `verify` forks."""
    env = {**os.environ, **NEEDED, "DATABASE_URL": url, "LOG_LEVEL": "ERROR", "REDIS_URL": "", **more}
    return subprocess.run(
        [sys.executable, "-m", "sealedmove", *words], env=env, capture_output=True, text=True, check=False
    )


def lose(url: str) -> None:
    """The database is gone; an empty one is in its place."""
    made = make_url(url)
    if made.get_backend_name() == "sqlite":
        for ending in ("", "-wal", "-shm"):
            Path(f"{made.database}{ending}").unlink(missing_ok=True)
        return
    admin = made.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
    with psycopg.connect(admin, autocommit=True) as session:
        session.execute(f'DROP DATABASE "{made.database}" WITH (FORCE)')
        session.execute(f'CREATE DATABASE "{made.database}"')


def played(hall: Harness, key: str = "pig") -> Lost:
    """A running game after two moves."""
    players = [hall.player(number) for number in range(2)]
    made = Lost(hall, players, hall.game(key, players, clock=CLOCK))
    made.play(2)
    return made


def backed_up(url: str, where: Path) -> Path:
    done = run(url, "backup", str(where))
    assert done.exit_code == 0, done.output
    return Path(done.output.partition(": ")[0])


def refused(url: str, code: str, *words: str, **more: str) -> str:
    done = run(url, *words, **more)
    assert (done.exit_code, f"({code})" in done.output) == (1, True), done.output
    return done.output


def tables(url: str) -> list[str]:
    engine = sa.create_engine(url)
    try:
        return sa.inspect(engine).get_table_names()
    finally:
        engine.dispose()


# --- backup -----------------------------------------------------------------------------------------------------------


def test_a_backup_and_its_manifest_are_for_their_owner_and_have_no_master(url: str, tmp_path: Path, open_house):
    """The manifest counts what is in the copy, and nothing half-made remains."""
    made = played(open_house(url))
    folder = tmp_path / "copies"
    folder.mkdir()
    copy = backed_up(url, folder)
    manifest = json.loads(Path(f"{copy}.json").read_text())
    assert (manifest["schema"], manifest["server"]) == (schema.NEWEST, HOST)
    assert (manifest["games"], manifest["entries"]) == (1, len(made.now()))
    assert {path.name for path in folder.iterdir()} == {copy.name, f"{copy.name}.json"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    written = b"".join(path.read_bytes() for path in folder.iterdir())
    assert MASTER not in written
    assert MASTER.hex().encode() not in written


def test_a_backup_waits_for_no_writer_and_has_only_what_was_committed(url: str, tmp_path: Path, open_house):
    """An act is written while the copy is made, and committed after it."""
    hall = open_house(url)
    with hall.services.database.write() as session:
        operator_log.record(hall.services, session, BY, "grant", "game 1")
        session.flush()
        copy = backed_up(url, tmp_path / "copy")
    assert operator_log.listed(hall.services, None, 10) != []
    hall.services.database.dispose()
    lose(url)
    assert run(url, "restore", str(copy), *WHY).exit_code == 0
    assert [row["act"] for row in operator_log.listed(hall.services, None, 10)] == ["restore"]


def test_a_backup_into_a_folder_that_does_not_exist_names_it(tmp_path: Path, open_house):
    url = sqlite_url(tmp_path)
    open_house(url)
    said = refused(url, "no-folder", "backup", str(tmp_path / "nowhere" / "copy"))
    assert f"There is no folder {tmp_path / 'nowhere'}. Make it" in said


@pytest.mark.parametrize("taken", ["copy", "copy.json"])
def test_a_backup_does_not_overwrite_a_file(tmp_path: Path, open_house, taken: str):
    """Neither an older copy nor its manifest."""
    url = sqlite_url(tmp_path)
    open_house(url)
    (tmp_path / taken).write_text("older")
    refused(url, "backup-exists", "backup", str(tmp_path / "copy"))
    assert (tmp_path / taken).read_text() == "older"


@pytest.mark.parametrize(
    "invalid",
    [
        "postgres://u:pass@host/name",
        "nonsense",
        "mysql://u:pass@host/name",
        "postgresql+psycopg://u:pass@host:port/name",
    ],
)
@pytest.mark.parametrize("words", [("backup", "copy"), ("migrate",), ("stopped",)])
def test_an_address_of_a_database_that_is_invalid_is_refused_in_one_line(invalid: str, words: tuple[str, ...]):
    """Without the password."""
    done = run(invalid, *words)
    assert (done.exit_code, done.output.count("\n")) == (1, 1), done.output
    assert ("postgresql+psycopg://user:password@host/name" in done.output, "u:pass" in done.output) == (True, False)


def test_a_folder_of_the_database_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").touch()
    done = run(f"sqlite:///{tmp_path}/file/inside/sealedmove.db", "migrate")
    assert (done.exit_code, "/file/inside cannot be used: Not a directory" in done.output) == (1, True), done.output


@pytest.mark.parametrize("invalid", ["nonsense", "http://:pass@host", "redis://:pass@host:port/0"])
def test_an_address_of_redis_that_is_invalid_is_refused_in_one_line(tmp_path: Path, invalid: str):
    """Without the password."""
    done = run(sqlite_url(tmp_path), "stopped", REDIS_URL=invalid)
    assert (done.exit_code, done.output.count("\n")) == (1, 1), done.output
    assert ("REDIS_URL must be" in done.output, ":pass" in done.output) == (True, False)


def test_a_database_without_tables_is_not_backed_up(url: str, tmp_path: Path):
    """An operator with a wrong DATABASE_URL learns it at once; no SQLite file is created."""
    refused(url, "database-without-tables", "backup", str(tmp_path / "copy"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("words", "given"), [("backup", "x" * 256), ("restore", "copy --why test")])
def test_an_error_of_sqlite_or_the_disk_is_printed(tmp_path: Path, open_house, words: str, given: str):
    """A name that is too long, and a copy that is not a database."""
    url = sqlite_url(tmp_path)
    if words == "backup":
        open_house(url)
    described(tmp_path / "copy", b"no database" * 1000)
    refused(url, "copy-failed", words, *f"{tmp_path}/{given}".split())
    assert words == "backup" or tables(url) == []


# --- restore ----------------------------------------------------------------------------------------------------------


def described(copy: Path, data: bytes, **changed: Any) -> None:
    """A copy with a manifest of its own."""
    copy.write_bytes(data)
    given = {"database": "sqlite", "schema": schema.NEWEST, "server": None, "made_at": "2026-11-21T10:00:00Z"}
    given |= {"games": 0, "entries": 0, "sha256": hashlib.sha256(data).hexdigest()}
    Path(f"{copy}.json").write_text(json.dumps(given | changed))


def test_a_restored_database_has_every_row(url: str, tmp_path: Path, open_house):
    """Moves after the backup are gone; the operator's log has who restored it and why."""
    hall = open_house(url)
    made = played(hall)
    copy, lines = backed_up(url, tmp_path / "copy"), made.now()
    made.play(2)
    hall.services.database.dispose()
    lose(url)
    done = run(url, "restore", str(copy), "--as", "kim", "--why", "the disk died")
    assert (done.exit_code, "sealedmove migrate" in done.output) == (0, True), done.output
    made.hall = open_house(url)
    assert made.now() == lines
    with made.hall.services.database.read() as session:
        acts = session.execute(sa.select(OperatorAct.who, OperatorAct.act, OperatorAct.about, OperatorAct.why)).all()
    assert [tuple(act) for act in acts] == [("kim", "restore", "copy", "the disk died")]


def test_entries_of_a_restored_database_cannot_be_changed(url: str, tmp_path: Path, open_house):
    """The triggers come with the copy."""
    hall = open_house(url)
    played(hall)
    copy = backed_up(url, tmp_path / "copy")
    hall.services.database.dispose()
    lose(url)
    assert run(url, "restore", str(copy), *WHY).exit_code == 0
    again = open_house(url).services.database
    with pytest.raises(sa.exc.DBAPIError), again.write() as session:
        session.execute(sa.text("DELETE FROM entry"))


def test_a_database_with_tables_is_not_overwritten(url: str, tmp_path: Path, open_house):
    """Even if it has no game yet."""
    made = played(open_house(url))
    copy, lines = backed_up(url, tmp_path / "copy"), made.now()
    made.play(1)
    refused(url, "database-not-empty", "restore", str(copy), *WHY)
    assert made.now()[: len(lines)] == lines
    assert len(made.now()) > len(lines)


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("backup-of-another-kind", {"database": "postgresql"}),
        ("backup-of-another-schema", {"schema": "0001"}),
        ("backup-of-another-schema", {"schema": "9999"}),
        ("backup-damaged", {"sha256": "0" * 64}),
        ("backup-unreadable", {"games": "many"}),
    ],
)
def test_a_copy_that_does_not_fit_changes_nothing(tmp_path: Path, code: str, changed: dict[str, Any]):
    """No database is created."""
    described(tmp_path / "copy", b"a copy", **changed)
    refused(sqlite_url(tmp_path), code, "restore", str(tmp_path / "copy"), *WHY)
    assert {path.name for path in tmp_path.iterdir()} == {"copy", "copy.json"}


@pytest.mark.parametrize("there", ["copy", "copy.json"])
def test_a_copy_without_its_manifest_is_not_restored(tmp_path: Path, there: str):
    """And a manifest without its copy is not, either."""
    described(tmp_path / "copy", b"a copy")
    for path in tmp_path.iterdir():
        if path.name != there:
            path.unlink()
    refused(sqlite_url(tmp_path), "backup-unreadable", "restore", str(tmp_path / "copy"), *WHY)
    assert [path.name for path in tmp_path.iterdir()] == [there]


# --- the programs of PostgreSQL --------------------------------------------------------------------------------------


@pytest.fixture
def url_of_postgres(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty database, with the programs of its server in the path."""
    monkeypatch.setenv("PATH", f"{postgres.installed()}:{os.environ['PATH']}")
    return postgres_url


@pytest.mark.postgresql
@pytest.mark.parametrize("words", [("backup", "copy"), ("restore", "copy", *WHY)])
def test_a_missing_program_of_postgresql_is_named(postgres_url: str, tmp_path: Path, open_house, words):
    """Nothing is left of the attempt."""
    folder = tmp_path / "copies"
    folder.mkdir()
    if words[0] == "backup":
        open_house(postgres_url)
    else:
        described(folder / "copy", b"a dump", database="postgresql")
    before = sorted(folder.iterdir())
    refused(postgres_url, "program-missing", words[0], str(folder / "copy"), *words[2:], PATH=str(tmp_path))
    assert sorted(folder.iterdir()) == before


@pytest.mark.postgresql
def test_the_message_of_a_failed_program_is_printed(url_of_postgres: str, tmp_path: Path):
    """Nothing is restored from a file that is not a dump."""
    described(tmp_path / "copy", b"no dump", database="postgresql")
    done = run(url_of_postgres, "restore", str(tmp_path / "copy"), *WHY)
    assert (done.exit_code, "pg_restore failed: " in done.output) == (1, True), done.output
    assert tables(url_of_postgres) == []


@pytest.mark.postgresql
def test_the_password_is_not_among_the_words_of_a_program(postgres_url: str, tmp_path: Path):
    """Every user of the machine may read those."""
    program = tmp_path / "pg_restore"
    program.write_text('#!/bin/sh\necho "$PGPASSWORD: $*" >&2\nexit 1\n')
    program.chmod(0o700)
    described(tmp_path / "copy", b"a dump", database="postgresql")
    url = make_url(postgres_url).set(password="p@ss").render_as_string(hide_password=False)
    done = run(url, "restore", str(tmp_path / "copy"), *WHY, PATH=str(tmp_path))
    assert "pg_restore failed: p@ss: --no-password --dbname=postgresql://sealedmove@127.0.0.1" in done.output
    assert done.output.count("p@ss") == 1


@pytest.mark.postgresql
def test_a_backup_by_the_role_of_the_processes_is_refused_with_the_role_that_can(url_of_postgres: str, tmp_path: Path):
    """The variables of the processes are those that an operator has at hand."""
    runs = make_url(url_of_postgres).set(username=postgres.RUNS).render_as_string()
    assert run(url_of_postgres, "migrate", "--grant", postgres.RUNS).exit_code == 0
    done = run(runs, "backup", str(tmp_path / "copy"))
    assert (done.exit_code, "Name the owner of the tables in DATABASE_URL" in done.output) == (1, True), done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.postgresql
def test_a_failure_in_another_language_has_the_same_advice(postgres_url: str, tmp_path: Path):
    """For the role of the processes alone: the owner of the tables has failed for another reason."""
    program = tmp_path / "pg_dump"
    program.write_text('#!/bin/sh\necho "keine Berechtigung für Tabelle game" >&2\nexit 1\n')
    program.chmod(0o700)
    assert run(postgres_url, "migrate", "--grant", postgres.RUNS).exit_code == 0
    for role, is_advised in ((postgres.RUNS, True), ("sealedmove", False)):
        url = make_url(postgres_url).set(username=role).render_as_string()
        done = run(url, "backup", str(tmp_path / "copy"), PATH=f"{tmp_path}:{os.environ['PATH']}")
        assert "pg_dump failed: keine Berechtigung für Tabelle game" in done.output
        assert ("Name the owner of the tables in DATABASE_URL" in done.output) == is_advised


@pytest.mark.slow
@pytest.mark.postgresql
def test_the_owner_of_the_tables_and_a_reader_of_all_data_need_no_superuser(url_of_postgres: str, tmp_path: Path):
    """The owner restores, too, and grants the processes their rights again."""
    database, admin = make_url(url_of_postgres).database, url_of_postgres.replace("+psycopg", "")
    owner, reader = (
        make_url(url_of_postgres).set(username=role).render_as_string() for role in (postgres.OWNER, "reader")
    )
    with psycopg.connect(admin, autocommit=True) as session:
        session.execute("CREATE ROLE reader LOGIN IN ROLE pg_read_all_data")
        session.execute(f'ALTER DATABASE "{database}" OWNER TO {postgres.OWNER}')
    try:
        assert run(owner, "migrate", "--grant", postgres.RUNS).exit_code == 0
        backed_up(owner, tmp_path / "first")
        copy = backed_up(reader, tmp_path / "second")
        lose(url_of_postgres)
        with psycopg.connect(admin, autocommit=True) as session:
            session.execute(f'ALTER DATABASE "{database}" OWNER TO {postgres.OWNER}')
        assert run(owner, "restore", str(copy), *WHY).exit_code == 0
        assert run(owner, "migrate", "--grant", postgres.RUNS).exit_code == 0
    finally:
        with psycopg.connect(admin, autocommit=True) as session:
            session.execute("DROP ROLE reader")


# --- verify -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_verify_audits_every_game_and_reports_those_that_do_not_hold(tmp_path: Path, open_house):
    """One with a changed line and one that cannot be read are reported; the others are judged. Nothing is written."""
    url = sqlite_url(tmp_path)
    hall = open_house(url)
    over, running, changed, damaged = (played(hall, key) for key in ("pig", "bids", "pig", "pig"))
    hall.play_out(over.game, over.players)
    sound = started(url, "verify", "--jobs", "2")
    assert (sound.returncode, sound.stdout.partition("s: ")[2]) == (0, "0 failed, 0 unknown, 1 open, 3 hold\n")
    with closing(sqlite3.connect(tmp_path / "sealedmove.db")) as file:
        file.execute("DROP TRIGGER entry_no_update")
        later = "(SELECT line FROM entry AS other WHERE other.game_id = entry.game_id AND other.seq = 4)"
        file.execute(f"UPDATE entry SET line = {later} WHERE game_id = ? AND seq = 3", (changed.game,))
        file.commit()
    assert started(url, "verify").returncode == 1
    with closing(sqlite3.connect(tmp_path / "sealedmove.db")) as file:
        file.execute("UPDATE entry SET line = 'no bytes' WHERE game_id = ?", (damaged.game,))
        file.commit()
    done = started(url, "verify", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["games"]) == (1, 4), done
    assert [(row["game"], row["verdict"]) for row in found["unsound"]] == [
        (changed.game, "fails"),
        (damaged.game, "unknown"),
    ]
    assert found["counts"] == {"fails": 1, "unknown": 1, "open": 1, "holds": 1}
    assert [made.detail()["stopped"] for made in (running, changed)] == [False, False]
