"""The schema of the database: which versions a process works with, and what the migrations make of old games."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from alembic import command

from server.kernel.db import migrate, schema
from server.kernel.db.models import Game, ServerKey
from server.operate import startup
from tests.server.harness import Harness

OLD = f"The database has schema 0001, but this version of the program needs {schema.OLDEST}: run `sealedmove migrate`"
NEW = "The database has schema 9999, but this version of the program ends at"
NONE = "The database has no tables yet: run `sealedmove migrate`"


@pytest.mark.parametrize(("found", "says"), [("0001", OLD), ("9999", NEW), (None, NONE)])
def test_a_process_starts_only_with_a_schema_that_it_works_with(any_hall: Harness, found, says, monkeypatch):
    """One that runs when the schema changes is not ready."""
    any_hall.game("pig", [any_hall.player(number) for number in range(2)])
    with any_hall.services.database.write() as session:
        session.execute(sa.text(f"UPDATE alembic_version SET version_num = '{found}'"))
        if found is None:
            session.execute(sa.text("DROP TABLE alembic_version"))
    monkeypatch.setattr(startup.config, "settings", lambda: any_hall.services.settings)
    with pytest.raises(SystemExit, match=says):
        startup.checked_settings()
    answer = any_hall.client.get("/readyz")
    assert (answer.status_code, answer.get_data(as_text=True).startswith(says)) == (503, True)


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
    with database.writer.begin() as connection:
        config = migrate.config()
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
    migrate.migrate(database)
    assert keys_of(later) == recorded == {n: later.services.server_key(n) for n in (1, 2)}
    with database.read() as session:
        assert None not in session.scalars(sa.select(Game.audit_at)).all(), "each is audited once more"


def keys_of(hall: Harness) -> dict[int, bytes]:
    with hall.services.database.read() as session:
        return {row.number: row.public for row in session.scalars(sa.select(ServerKey))}
