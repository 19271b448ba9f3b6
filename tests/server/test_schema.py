"""The schema of the database: which versions a process works with, and what the migrations make of old games."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from click.testing import CliRunner
from sqlalchemy.exc import DatabaseError

from server.kernel.db import migrate, schema
from server.kernel.db.models import Base, Game, SchemaSupport, ServerKey, Uninvited
from server.kernel.db.session import Database
from server.operate import migrate_command, startup
from tests.databases import BOTH
from tests.kit.patience import PATIENCE, until
from tests.server.harness import Harness, sqlite_url

OLD = f"The database has schema 0001, but this version of the program needs {schema.OLDEST}: run `sealedmove migrate`"
NEW = "The database has schema 9999, but this version of the program ends at"
NONE = "The database has no tables yet: run `sealedmove migrate`"


@pytest.mark.parametrize(("found", "says"), [("0001", OLD), ("9999", NEW), (None, NONE)])
def test_a_process_starts_only_with_a_schema_that_it_works_with(any_hall: Harness, found, says, monkeypatch):
    """One that runs when the schema changes is not ready."""
    any_hall.game("pig", [any_hall.player(number) for number in range(2)])
    with any_hall.services.database.write() as session:
        session.execute(sa.text(f"UPDATE alembic_version SET version_num = '{found}'"))
        session.execute(sa.update(SchemaSupport).values(oldest=found or ""))
        if found is None:
            session.execute(sa.text("DROP TABLE alembic_version"))
    monkeypatch.setattr(startup.config, "settings", lambda: any_hall.services.settings)
    with pytest.raises(SystemExit, match=says):
        startup.checked_settings()
    answer = any_hall.client.get("/readyz")
    assert (answer.status_code, answer.get_data(as_text=True).startswith(says)) == (503, True)


EXPAND = (
    "CREATE TABLE of_the_next_release (id integer)",
    "ALTER TABLE seat ADD COLUMN mood varchar(9)",
    "ALTER TABLE game ADD COLUMN tempo integer NOT NULL DEFAULT 1",
    "UPDATE alembic_version SET version_num = '9998'",
)
CONTRACT = ("UPDATE schema_support SET oldest = '9998'", "UPDATE alembic_version SET version_num = '9999'")


def run_sql(hall: Harness, statements: Sequence[str]) -> None:
    with hall.services.database.write() as session:
        for statement in statements:
            session.execute(sa.text(statement))


def test_processes_go_on_while_the_next_release_adds_to_the_schema(any_hall: Harness, monkeypatch):
    """They play, and they may be started again. When it takes something away they are no longer ready."""
    two = [any_hall.player(number) for number in range(2)]
    game = any_hall.game("pig", two)
    monkeypatch.setattr(startup.config, "settings", lambda: any_hall.services.settings)
    run_sql(any_hall, EXPAND)
    assert any_hall.client.get("/readyz").status_code == 200
    startup.checked_settings()
    any_hall.play_out(game, two)
    run_sql(any_hall, CONTRACT)
    answer = any_hall.client.get("/readyz")
    assert (answer.status_code, "start the version that migrated" in answer.get_data(as_text=True)) == (503, True)


def test_a_return_to_the_release_before_migrates_nothing(any_hall: Harness):
    """What the later release added stays; if it has taken something away, the refusal says so in a sentence."""
    url = any_hall.services.settings.database_url
    run_sql(any_hall, EXPAND)
    done = CliRunner().invoke(migrate_command.migrate, env={"DATABASE_URL": url})
    assert (done.exit_code, "is up to date" in done.output) == (0, True), done.exception
    run_sql(any_hall, CONTRACT)
    refused = CliRunner().invoke(migrate_command.migrate, env={"DATABASE_URL": url})
    assert (refused.exit_code, "start the version that migrated" in refused.output) == (1, True), refused.exception


# The last migration before the promise. On PostgreSQL 0014 changed types, which SQLite does not distinguish.
UNPROMISED = {"sqlite": "0011", "postgresql": "0014"}


@pytest.mark.parametrize("kind", BOTH)
def test_a_migration_that_takes_something_away_says_so(request: pytest.FixtureRequest, tmp_path: Path, kind: str):
    """Every other one only adds, so that processes of the release before can go on."""
    database = Database(sqlite_url(tmp_path) if kind == "sqlite" else request.getfixturevalue("postgres_url"))
    database.file.make()
    numbers = sorted(path.name[:4] for path in Path(schema.__file__).parent.glob("migrations/versions/0*.py"))
    before: dict[str, tuple[Any, ...]] = {}
    for number in numbers:
        with database.writer.begin() as connection:
            made = migrate.config()
            made.attributes["connection"] = connection
            command.upgrade(made, number)
            now, contracts = columns(connection), supported(connection) == number
        if number > UNPROMISED[kind]:
            assert contracts or only_adds(before, now), number
        before = now
    database.dispose()


def columns(connection: sa.Connection) -> dict[str, tuple[Any, ...]]:
    """Each column with its type, and whether a row may leave it out."""
    found = sa.inspect(connection)
    return {
        f"{table}.{column['name']}": (str(column["type"]), column["nullable"] or column["default"] is not None)
        for table in found.get_table_names()
        for column in found.get_columns(table)
    }


def only_adds(before: dict[str, tuple[Any, ...]], now: dict[str, tuple[Any, ...]]) -> bool:
    tables = {name.partition(".")[0] for name in before}
    new = {name: column for name, column in now.items() if name not in before and name.partition(".")[0] in tables}
    return before.items() <= now.items() and all(may_be_left_out for _, may_be_left_out in new.values())


def supported(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("schema_support"):
        return None
    found: str | None = connection.scalar(sa.select(SchemaSupport.oldest))
    return found


@pytest.mark.parametrize(
    ("now", "adds"),
    [
        ({"game.id": ("INTEGER", False), "game.tempo": ("INTEGER", True), "talk.id": ("INTEGER", False)}, True),
        ({"game.id": ("INTEGER", False), "game.tempo": ("INTEGER", False)}, False),
        ({"game.id": ("BIGINT", False)}, False),
        ({}, False),
    ],
)
def test_migrations_that_only_add_are_recognised(now: dict[str, tuple[Any, ...]], adds: bool):
    assert only_adds({"game.id": ("INTEGER", False)}, now) is adds


# Settings of a table, each with a bound in the API: the days of a week as bits, days, games, a percentage.
BOUNDED = {"game.rest_days", "game.host_pause", "game.asks_games", "game.asks_clock"}
NARROW = (
    "SELECT table_name || '.' || column_name FROM information_schema.columns"
    " WHERE table_schema = current_schema() AND data_type IN ('smallint', 'integer')"
)
SEQUENCES = "SELECT DISTINCT data_type::text, max_value FROM pg_sequences WHERE schemaname = current_schema()"


@pytest.mark.postgresql
def test_every_number_that_can_grow_has_64_bits(open_house, postgres_url: str):
    """Ids, numbers of rows, counts and sequences; in SQLite every integer has them."""
    with open_house(postgres_url).services.database.read() as session:
        assert {*session.scalars(sa.text(NARROW))} == BOUNDED
        assert session.execute(sa.text(SEQUENCES)).all() == [("bigint", 2**63 - 1)]


def test_the_newest_schema_is_the_last_migration(hall: Harness):
    with hall.services.database.read() as session:
        assert schema.version(session) == schema.NEWEST
    assert schema.OLDEST <= schema.NEWEST


def test_the_keys_of_games_from_before_are_recorded_by_the_migration(any_hall: Harness, open_house):
    """Of each number, from the game that has not ended: an older one may be of a master that was given up."""
    two = [any_hall.player(number) for number in range(2)]
    ended = any_hall.game("pig", two)
    any_hall.play_out(ended, two)
    later = open_house(any_hall.services.settings.database_url, key_number=2)
    for player in two:
        player.harness = later
    later.game("pig", two)
    database = later.services.database
    recorded = keys_of(later)
    downgrade(database, "0001")
    migrate.migrate(database)
    assert keys_of(later) == recorded == {n: later.services.server_key(n) for n in (1, 2)}
    with database.read() as session:
        assert None not in session.scalars(sa.select(Game.audit_at)).all(), "each is audited once more"


def downgrade(database: Database, number: str) -> None:
    with database.writer.begin() as connection:
        config = migrate.config()
        config.attributes["connection"] = connection
        command.downgrade(config, number)


def keys_of(hall: Harness) -> dict[int, bytes]:
    with hall.services.database.read() as session:
        return {row.number: row.public for row in session.scalars(sa.select(ServerKey))}


@pytest.mark.slow
def test_a_migration_that_fails_leaves_the_database_as_it_was(any_hall: Harness):
    """The last statement of all fails, so nothing before it may have been committed. The next attempt succeeds."""
    any_hall.game("pig", [any_hall.player(number) for number in range(2)])
    database = any_hall.services.database
    downgrade(database, "0001")
    before = everything(database)

    def fail_at_the_end(_connection: Any, _cursor: Any, statement: str, given: Any, *_: Any) -> tuple[str, Any]:
        return ("SELECT 1 FROM nowhere", given) if schema.NEWEST in statement else (statement, given)

    sa.event.listen(database.writer, "before_cursor_execute", fail_at_the_end, retval=True)
    with pytest.raises(DatabaseError, match="nowhere"):
        migrate.migrate(database)
    assert everything(database) == before
    sa.event.remove(database.writer, "before_cursor_execute", fail_at_the_end)
    migrate.migrate(database)
    with database.read() as session:
        assert schema.version(session) == schema.NEWEST


@pytest.mark.slow
def test_a_migration_gives_way_to_a_process_that_it_would_hold_up(open_house, postgres_url: str):
    """The process uses a table and then another one, which the migration has taken meanwhile: neither fails."""
    database = open_house(postgres_url).services.database
    downgrade(database, "0016")  # 0017 adds to `inbound_mail`, 0022 to `game`
    with database.reader.connect() as process, ThreadPoolExecutor(1) as pool:
        process.execute(sa.text("SELECT 1 FROM game"))
        migrating = pool.submit(migrate.migrate, database)
        until(lambda: waits_for_game(database), "the migration waits for nobody")
        process.execute(sa.text("SELECT 1 FROM inbound_mail"))
        process.commit()
        migrating.result(PATIENCE)
    with database.read() as session:
        assert schema.version(session) == schema.NEWEST


def waits_for_game(database: Database) -> bool:
    with database.read() as session:
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'game'::regclass"
        return bool(session.scalar(sa.text(waiting)))


def test_a_migration_gives_up_if_a_table_stays_in_use(open_house, postgres_url: str, monkeypatch: pytest.MonkeyPatch):
    """As during a backup: nothing has changed then, and the site goes on."""
    database = open_house(postgres_url).services.database
    downgrade(database, "0024")
    monkeypatch.setattr(migrate, "TRIES", 2)
    with database.reader.connect() as backup:
        backup.execute(sa.text("SELECT 1 FROM game"))
        refused = CliRunner().invoke(migrate_command.migrate, env={"DATABASE_URL": postgres_url})
        assert (refused.exit_code, "is in use" in refused.output) == (1, True), refused.output
        with database.read() as session:
            assert schema.version(session) == "0024"


# Tables in which SQLite may give the number of a deleted row to another one, with the reason.
GIVEN_AGAIN = {
    "no row is deleted": {"account", "api_token", "operator_log", "outage", "pause", "waiting_act"},
    "the newest row is kept": {"login_link", "notification", "outbox"},
    "a number sorts the rows, and nothing else": {
        *("account_key", "device_grant", "hook_answer", "idempotency_key", "key_challenge", "mail_report"),
        *("shown_note", "unnumbered_event"),
    },
}


def test_a_number_that_others_may_mean_is_given_once():
    """A result, a page or a mail that comes late must not concern the row after it. PostgreSQL gives all once."""
    again = {
        table.name
        for table in Base.metadata.tables.values()
        if table.autoincrement_column is not None and not table.dialect_options["sqlite"]["autoincrement"]
    }
    assert again == set().union(*GIVEN_AGAIN.values())


def test_a_database_from_before_keeps_its_rows_when_numbers_become_unique(hall: Harness):
    """Their tables are made anew, although other rows refer to theirs."""
    game, database = hall.game("pig", [hall.player(number) for number in range(2)]), hall.services.database
    values, now = {int: 1, bool: True, str: game, bytes: game.encode()}, hall.services.now()
    remade = [name for name, table in Base.metadata.tables.items() if table.dialect_options["sqlite"]["autoincrement"]]
    with database.write() as session:
        for table in [table for table in Base.metadata.sorted_tables if table.name in {*remade, "hook_answer"}]:
            row = {column.name: values.get(column.type.python_type, now) for column in table.columns}
            session.execute(sa.delete(table))
            session.execute(sa.insert(table).values(row))
    before = everything(database)
    downgrade(database, "0025")
    migrate.migrate(database)
    assert everything(database) == before
    with database.write() as session:
        assert session.execute(sa.text("PRAGMA foreign_key_check")).all() == []
        session.execute(sa.delete(Uninvited))
        refused = session.scalar(sa.insert(Uninvited).values(at=now).returning(Uninvited.id))
    assert refused == 2, "the numbers before the migration count too"


TRIGGERS = {
    "sqlite": "SELECT sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
    "postgresql": "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1",
}


def everything(database: Database) -> list[Any]:
    """Columns, indexes, constraints, triggers and rows."""
    with database.reader.connect() as connection:
        found = sa.inspect(connection)
        tables = found.get_table_names()
        rows = {table: sorted(map(repr, connection.execute(sa.text(f'SELECT * FROM "{table}"')))) for table in tables}
        made = [indexes(found, table) | constraints(found, table) for table in tables]
        triggers = connection.scalars(sa.text(TRIGGERS[connection.dialect.name])).all()
        return [columns(connection), rows, made, triggers]


def indexes(found: sa.Inspector, table: str) -> dict[str | None, Any]:
    """By their names: the columns, whether they are unique, and the condition."""
    return {
        index["name"]: (index["column_names"], index["unique"], [*map(str, index["dialect_options"].values())])
        for index in found.get_indexes(table)
    }


def constraints(found: sa.Inspector, table: str) -> dict[str | None, Any]:
    return {unique["name"]: unique["column_names"] for unique in found.get_unique_constraints(table)}
