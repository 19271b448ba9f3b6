"""PostgreSQL: the role that runs the server plays everything and changes no entry, and no statement waits forever."""

from __future__ import annotations

import socket
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from sqlalchemy.engine import make_url

from server.accounts.write import erase_account
from server.kernel.db import schema
from server.kernel.db.migrate import migrate
from server.kernel.db.models import Audit, Game
from server.kernel.db.session import Database, TimeLimits
from server.kernel.services import open_services
from server.operate import facts, migrate_command, retention, startup
from server.operate.checks import Finding
from server.operate.stopped_games import cancel
from tests.server.harness import BY, Harness, Player, settings, sqlite_url
from tests.servers.postgres import OWNER, RUNS, given_to_owner
from tests.workers import harness as worked
from workers import clock
from workers.auditor import audit_next

pytestmark = [pytest.mark.postgresql, pytest.mark.long]


@pytest.fixture
def owner_url(postgres_url: str) -> str:
    """An empty database that belongs to a role which is not a superuser."""
    return given_to_owner(postgres_url)


@pytest.fixture
def run_url(owner_url: str) -> str:
    """The same, migrated, as the role that runs the server sees it."""
    database = Database(owner_url)
    migrate(database, RUNS)
    migrate(database, RUNS)  # as with every new version
    database.dispose()
    return str(make_url(owner_url).set(username=RUNS))


def as_owner(owner_url: str, statement: str) -> None:
    """Also if the database is made to refuse writes."""
    url = make_url(owner_url).set(drivername="postgresql")
    with psycopg.connect(str(url), autocommit=True, options="-c default_transaction_read_only=off") as owner:
        owner.execute(statement)


@pytest.fixture
def hall(run_url: str, open_house) -> Harness:
    return open_house(run_url)


@pytest.fixture
def game(hall: Harness, two: list[Player]) -> str:
    made = hall.game("pig", two, clock={"move": 600, "grace": 60})
    assert two[0].move(made, [{"do": "roll"}]).status_code == 201
    return made


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET line = 'x'",
        "UPDATE entry SET kind = kind WHERE false",
        "DELETE FROM entry_private",
        "TRUNCATE entry CASCADE",
        "ALTER TABLE entry DISABLE TRIGGER entry_append_only",
        "ALTER TABLE entry DISABLE TRIGGER ALL",
        "DROP TRIGGER entry_append_only ON entry",
        "CREATE OR REPLACE FUNCTION refuse_append_only() RETURNS trigger LANGUAGE sql AS $$ SELECT NULL $$",
        "SET session_replication_role = replica",
        "DROP TABLE entry CASCADE",
        "UPDATE operator_log SET why = 'x'",
        "DELETE FROM operator_log",
        "UPDATE server_key SET public = 'x'",
        "UPDATE alembic_version SET version_num = '0001'",
        "CREATE TABLE mine (id integer)",
    ],
)
def test_the_running_role_changes_no_entry_and_no_table(hall: Harness, game: str, statement: str):
    before = hall.head(game)
    refused = pytest.raises(sa.exc.ProgrammingError, match=r"permission denied|must be owner")
    with refused, hall.services.database.write() as session:
        session.execute(sa.text(statement))
    assert hall.head(game) == before


def test_the_running_role_has_the_rights_that_the_doctor_wants(hall: Harness, game: str):
    """And it writes the operator's log."""
    cancel(hall.services, BY, game, "operator")
    assert [one for one in facts.thorough(hall.services) if one.check == "rights"] == [Finding("rights")]


def test_a_role_without_rights_is_told_which_it_lacks_and_what_to_run(owner_url: str, hall: Harness):
    """The database answers, so it is not to be looked for."""
    as_owner(owner_url, f"REVOKE ALL ON alembic_version, game FROM {RUNS}")
    (found,) = facts.quick(hall.services)
    assert (found.check, found.is_critical, "does not answer" in found.sentence) == ("database", True, False)
    assert "`sealedmove migrate --grant ROLE`" in found.do
    lacks = "SELECT, INSERT, UPDATE, DELETE on game; SELECT on alembic_version"
    assert found.detail == f"The role {RUNS} lacks rights: {lacks}."
    assert [one for one in facts.thorough(hall.services) if one.check == "database"] == [found]


@pytest.mark.parametrize(
    ("lost", "lacks"),
    [
        ("UPDATE ON game", "UPDATE on game"),
        ("DELETE ON outbox", "DELETE on outbox"),
        ("ALL ON SEQUENCE outbox_id_seq", "USAGE on public.outbox_id_seq"),
    ],
)
def test_the_doctor_names_each_right_that_the_server_would_miss(owner_url: str, hall: Harness, lost: str, lacks: str):
    """Also one that only a move or a round of the clock uses; the remedy gives it back."""
    as_owner(owner_url, f"REVOKE {lost} FROM {RUNS}")
    (found,) = (one for one in facts.thorough(hall.services) if one.check == "rights")
    assert found.sentence == (
        f"The role {RUNS} lacks rights: {lacks}. As the owner, run `sealedmove migrate --grant {RUNS}`."
    )
    database = Database(owner_url)
    migrate(database, RUNS)
    database.dispose()
    assert [one for one in facts.thorough(hall.services) if one.check == "rights"] == [Finding("rights")]


def test_an_owner_that_took_a_right_from_itself_is_told_which(owner_url: str, run_url: str, open_house):
    """`migrate --grant` refuses an owner, so it is not the remedy."""
    del run_url  # the tables exist
    hall = open_house(owner_url)
    as_owner(owner_url, f"REVOKE UPDATE ON game FROM {OWNER}")
    (found,) = (one for one in facts.thorough(hall.services) if one.check == "rights")
    assert found.wrong == f"The role {OWNER} lacks rights: UPDATE on game."
    assert found.do.startswith("It owns the tables: give them back with GRANT")


@pytest.mark.parametrize("changed", [{}, {"database": "nowhere"}, {"username": "nobody-at-all"}])
def test_a_refused_connection_is_not_reported_as_silence(run_url: str, changed: dict[str, str]):
    """Without the right to connect, or to a database or as a role that does not exist: the server is there."""
    url = make_url(run_url)
    with psycopg.connect(str(url.set(drivername="postgresql", username="sealedmove")), autocommit=True) as admin:
        admin.execute(f'REVOKE CONNECT ON DATABASE "{url.database}" FROM PUBLIC')
    services = open_services(settings(str(url.set(**changed))))
    (found,) = facts.quick(services)
    services.database.dispose()
    assert (found.check, found.is_critical, found.wrong) == ("database", True, "the database refuses the connection")
    assert "FATAL:" in found.detail


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            f"REVOKE USAGE ON SCHEMA public FROM PUBLIC, {RUNS}",
            "may not use: as the owner of the schema, grant it USAGE",
        ),
        (f'ALTER ROLE {RUNS} IN DATABASE "{{}}" SET search_path = other', "does not search: add it to its search_path"),
    ],
)
def test_tables_that_the_role_does_not_see_are_not_reported_as_missing(
    postgres_url: str, hall: Harness, game: str, statement: str, says: str, monkeypatch
):
    """To migrate, as for an empty database, would not help. No process starts, and one that runs waits."""
    name = make_url(postgres_url).database
    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as admin:
        admin.execute(statement.format(name))  # type: ignore[arg-type]  # our own words
    hall.services.database.dispose()
    monkeypatch.setattr(startup.config, "settings", lambda: hall.services.settings)
    with pytest.raises(SystemExit, match=f"The tables are in the schema public, which the role of this process {says}"):
        startup.checked_settings()
    ready, read = hall.client.get("/readyz"), hall.client.get(f"/v1/games/{game}/log")
    assert (ready.status_code, says in ready.get_data(as_text=True)) == (503, True)
    assert (read.status_code, read.get_json()["code"]) == (503, "unavailable")


def test_everything_else_works_under_the_running_role(run_url: str, caplog: pytest.LogCaptureFixture):
    """A game from its table to its audit with mails, the clock's rounds, an erased account and what is forgotten."""
    sink = worked.Sink()
    house = worked.Harness(run_url, sink)
    try:
        game = house.game("pig")
        assert sorted(house.react()) == ["ada: Your turn", "ben: The game has started"]
        house.pass_time(days=4)
        clock.round_of(house.ctx)
        assert "expired" in house.kinds(game)
        while house.table(game).stage == "running":
            house.play_default(game)
        house.react()
        assert audit_next(house.ctx)
        assert house.ask(lambda _: sa.select(Audit.verdict)) == [("holds",)]
        erase_account(house.services, 1)
        house.pass_time(days=90)
        clock.round_of(house.ctx)
        assert not retention.forget(house.services)  # the round has deleted everything that is no longer needed
    finally:
        house.close()
        sink.stop()
    assert not [record for record in caplog.records if record.levelname == "ERROR"], caplog.text


@pytest.mark.parametrize(
    ("refuse", "allow", "says"),
    [
        (
            f"REVOKE UPDATE ON game FROM {RUNS}",
            f"GRANT UPDATE ON game TO {RUNS}",
            "permission denied for table game",
        ),
        (
            'ALTER DATABASE "{database}" SET default_transaction_read_only = on',
            'ALTER DATABASE "{database}" RESET default_transaction_read_only',
            "cannot execute SELECT FOR UPDATE in a read-only transaction",
        ),
    ],
    ids=["lacks rights", "is a replica"],
)
def test_a_refusal_of_the_database_is_named_and_the_same_move_counts_later(
    hall: Harness,
    two: list[Player],
    owner_url: str,
    caplog: pytest.LogCaptureFixture,
    refuse: str,
    allow: str,
    says: str,
):
    """With 503; the operator's log has the database's own message."""
    game = hall.game("pig", two)
    body = two[0].signed_move(game, [{"do": "roll"}])

    def change(statement: str) -> None:
        as_owner(owner_url, statement.format(database=make_url(owner_url).database))
        hall.services.database.dispose()  # connections have their settings from their beginning

    change(refuse)
    refused = hall.client.post(f"/v1/games/{game}/moves", json=body)
    assert (refused.status_code, refused.get_json()["code"]) == (503, "unavailable")
    (told,) = (one.msg for one in caplog.records if isinstance(one.msg, dict) and one.msg["event"] == "database-away")
    assert told["says"] == says
    change(allow)
    assert hall.client.post(f"/v1/games/{game}/moves", json=body).status_code == 201


def test_a_database_that_accepts_only_reads_is_not_ready(hall: Harness, owner_url: str):
    """A standby says so in the same way: every act there would be refused."""
    name = make_url(owner_url).database
    as_owner(owner_url, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    hall.services.database.dispose()  # connections have their settings from their beginning
    answer = hall.client.get("/readyz")
    assert (answer.status_code, answer.text.startswith("The database accepts only reads: ")) == (503, True)
    assert [one.check for one in facts.thorough(hall.services) if one.is_critical] == ["writes"]
    as_owner(owner_url, f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
    hall.services.database.dispose()
    assert hall.client.get("/readyz").status_code == 200


def test_a_wait_for_a_lock_ends_and_the_same_move_counts_later(postgres_url: str, open_house):
    """With 503; no request holds its thread until the web server kills it."""
    hall = open_house(postgres_url, lock_timeout=1)
    two = [hall.player(number) for number in range(2)]
    game = hall.game("pig", two)
    body = two[0].signed_move(game, [{"do": "roll"}])
    with hall.services.database.write() as session:
        session.execute(sa.select(Game.id).where(Game.id == game).with_for_update())
        refused = hall.client.post(f"/v1/games/{game}/moves", json=body)
    assert (refused.status_code, refused.get_json()["code"]) == (503, "unavailable")
    assert hall.client.post(f"/v1/games/{game}/moves", json=body).status_code == 201


def test_a_statement_ends_after_its_time_but_not_in_a_migration(postgres_url: str):
    limited, unlimited = Database(postgres_url, TimeLimits(1, 1)), Database(postgres_url)
    sleep = sa.text("SELECT pg_sleep(1.5)")
    with pytest.raises(sa.exc.OperationalError, match="statement timeout"), limited.read() as session:
        session.execute(sleep)
    with unlimited.read() as session:
        session.execute(sleep)
    limited.dispose()
    unlimited.dispose()


def test_a_transaction_that_does_not_go_on_gives_up_its_locks(postgres_url: str, open_house):
    """That of a host that is gone, for example: its locks hold up everybody else."""
    hall = open_house(postgres_url)
    game = hall.game("pig", [hall.player(number) for number in range(2)])
    locked = sa.select(Game.id).where(Game.id == game).with_for_update()
    gone, other = Database(postgres_url, TimeLimits(30, 30, idle=1)), Database(postgres_url, TimeLimits(30, 30))
    with gone.writer.connect() as hanging:
        hanging.execute(locked)
        with other.write() as waiting:
            assert waiting.scalar(locked) == game
        with pytest.raises(sa.exc.InternalError, match="idle-in-transaction timeout"):
            hanging.execute(locked)
    gone.dispose()
    other.dispose()


def test_both_ends_of_a_connection_find_out_that_the_other_is_gone(postgres_url: str, open_house):
    """Within a minute. The system alone would ask after two hours."""
    hall = open_house(postgres_url)
    asked = ("idle_in_transaction_session_timeout", "tcp_keepalives_idle", "tcp_keepalives_interval")
    with hall.services.database.read() as session:
        there = [session.scalar(sa.text(f"SHOW {name}")) for name in asked]
        connection = session.connection().connection.driver_connection
        assert connection is not None
        with socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM) as here:
            found = [
                here.getsockopt(socket.IPPROTO_TCP, option)
                for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_USER_TIMEOUT)
            ]
    assert there == ["5min", "30", "10"]
    assert found == [30, 10, 60_000]


@pytest.mark.parametrize(
    ("role", "says"),
    [
        (RUNS, "is up to date"),
        (OWNER, f"{OWNER} is a superuser or may act for the owner of the tables: name another role"),
        ("nobody_here", "there is no role nobody_here: create it first, with CREATE ROLE nobody_here LOGIN"),
    ],
)
def test_migrate_gives_a_role_its_rights(owner_url: str, monkeypatch: pytest.MonkeyPatch, role: str, says: str):
    """Or says why it cannot, and then leaves the database as it was."""
    monkeypatch.setenv("DATABASE_URL", owner_url)
    ended = CliRunner().invoke(migrate_command.migrate, ["--grant", role])
    assert says in ended.output
    database = Database(owner_url)
    with database.read() as session:
        assert (schema.version(session) is not None) == (ended.exit_code == 0) == (role == RUNS)
    database.dispose()


def test_sqlite_has_no_roles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", sqlite_url(tmp_path))
    ended = CliRunner().invoke(migrate_command.migrate, ["--grant", RUNS])
    assert (ended.exit_code, "SQLite has no roles" in ended.output) == (1, True)


def test_a_new_database_that_cannot_store_every_name_is_refused(postgres_url: str):
    """Debian's PostgreSQL has the encoding SQL_ASCII on a machine without a locale; nothing is made in it."""
    url = make_url(postgres_url).set(database="ascii")
    with psycopg.connect(str(url.set(drivername="postgresql", database="postgres")), autocommit=True) as admin:
        admin.execute("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0")
        refused = CliRunner().invoke(migrate_command.migrate, env={"DATABASE_URL": str(url)})
        admin.execute("DROP DATABASE ascii")
    assert refused.exit_code == 1
    assert refused.output == (
        "Error: The database has the encoding SQL_ASCII, which cannot store every name. "
        "Create it again with ENCODING 'UTF8' TEMPLATE template0\n"
    )
