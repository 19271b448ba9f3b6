"""Prepared statements give the same rows, errors and events as SQLAlchemy's own way, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Base
from server.kernel.db.session import Database, Prepared
from server.log import ledger
from tests.server.harness import Harness

ACCOUNT = Base.metadata.tables["account"]
NOW = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)


def test_rows_have_the_values_that_sqlalchemy_reads(each_hall: Harness):
    """Moments with their zone, bytes, numbers, and what is missing."""
    each_hall.game("pig", [each_hall.player(0), each_hall.player(1)])
    for name in ("game", "seat", "entry", "account"):
        query = sa.select(Base.metadata.tables[name])
        with each_hall.services.database.read() as session:
            usual = session.connection().execute(query).all()
            assert Prepared(query).all(session.connection(), {}) == [tuple(row) for row in usual]


def test_one_row_or_none_is_found(each_hall: Harness):
    player = each_hall.player(0)
    query = Prepared(sa.select(ACCOUNT.c.id, ACCOUNT.c.name).where(ACCOUNT.c.id == sa.bindparam("number")))
    with each_hall.services.database.read() as session:
        assert query.one_or_none(session.connection(), {"number": player.account}).id == player.account
        assert query.one_or_none(session.connection(), {"number": 999}) is None


def test_a_change_returns_how_many_rows_it_made(each_hall: Harness):
    player = each_hall.player(0)
    number: sa.BindParameter[int] = sa.bindparam("number")
    rename = Prepared(sa.update(ACCOUNT).where(ACCOUNT.c.id == number).values(name=sa.bindparam("new")))
    with each_hall.services.database.write() as session:
        assert rename.run(session.connection(), {"number": player.account, "new": "Ada"}) == 1
        assert rename.run(session.connection(), {"number": 999, "new": "Ada"}) == 0
        rename.run_each(session.connection(), [{"number": player.account, "new": name} for name in ("Ben", "Cleo")])
        assert session.scalar(sa.select(ACCOUNT.c.name)) == "Cleo"


def test_a_duplicate_is_sqlalchemys_error_without_values(each_hall: Harness):
    game = each_hall.game("pig", [each_hall.player(0), each_hall.player(1)])
    row = {
        "game_id": game,
        "seq": 0,
        "kind": "moved",
        "at": NOW,
        "line": b"secret",
        "leaf_hash": b"",
        "jws_sha256": None,
    }
    with pytest.raises(sa.exc.IntegrityError) as raised, each_hall.services.database.write() as session:
        ledger.INSERT_ENTRY.run(session.connection(), row)
    assert "secret" not in str(raised.value)


def test_listeners_hear_of_it(each_hall: Harness):
    heard: list[str] = []
    engine = each_hall.services.database.reader

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        heard.append(statement)

    for name in ("before_cursor_execute", "after_cursor_execute"):
        sa.event.listen(engine, name, note)
    with each_hall.services.database.read() as session:
        Prepared(sa.select(ACCOUNT.c.id)).all(session.connection(), {})
    for name in ("before_cursor_execute", "after_cursor_execute"):
        sa.event.remove(engine, name, note)
    assert [one.split()[0] for one in heard if "account" in one] == ["SELECT", "SELECT"]


@pytest.mark.postgresql
def test_a_lost_connection_is_replaced(postgres_url: str):
    """The one in use is given up with an error; the next transaction has a new one."""
    query, database = Prepared(sa.select(sa.func.pg_backend_pid())), Database(postgres_url)
    end = sa.text("SELECT pg_terminate_backend(:number)")

    def lose() -> None:
        with database.write() as session, database.write() as other:
            other.execute(end, {"number": query.all(session.connection(), {})[0][0]})
            query.all(session.connection(), {})

    with pytest.raises(sa.exc.OperationalError) as raised:
        lose()
    assert raised.value.connection_invalidated
    with database.write() as session:
        assert len(query.all(session.connection(), {})) == 1
    database.dispose()
