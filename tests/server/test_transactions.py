"""A transaction of prepared statements, and the session that it makes when one is asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Account, Base
from server.kernel.db.session import Prepared, Transaction, UtcDateTime
from tests.server.harness import Harness

ACCOUNT = Base.metadata.tables["account"]
NUMBER: sa.BindParameter[int] = sa.bindparam("number")
RENAME = Prepared(sa.update(ACCOUNT).where(ACCOUNT.c.id == NUMBER).values(name=sa.bindparam("new")))
NOW = datetime(2026, 11, 21, 10, 0, 0, 7, tzinfo=UTC)


def change_both(transaction: Transaction, one: int, other: int) -> None:
    """One account by a prepared statement, another by the session, which has not written it yet."""
    RENAME.run(transaction.connection(), {"number": one, "new": "Ada"})
    transaction.session.get_one(Account, other).name = "Ben"


def names(hall: Harness) -> list[str]:
    with hall.services.database.read() as session:
        return list(session.scalars(sa.select(Account.name).order_by(Account.id)))


def test_both_are_committed_together(each_hall: Harness):
    one, other = each_hall.player(0), each_hall.player(1)
    with each_hall.services.database.transaction() as transaction:
        change_both(transaction, one.account, other.account)
    assert names(each_hall) == ["Ada", "Ben"]


def test_an_error_rolls_both_back_and_the_connection_is_free_again(each_hall: Harness):
    one, other = each_hall.player(0), each_hall.player(1)
    before = names(each_hall)

    def fail() -> None:
        with each_hall.services.database.transaction() as transaction:
            change_both(transaction, one.account, other.account)
            transaction.session.flush()
            raise RuntimeError("the process goes on")

    with pytest.raises(RuntimeError):
        fail()
    assert names(each_hall) == before
    assert each_hall.services.database.held() == 0


def test_no_session_is_made_for_prepared_statements_alone(each_hall: Harness):
    player = each_hall.player(0)
    with each_hall.services.database.transaction() as transaction:
        RENAME.run(transaction.connection(), {"number": player.account, "new": "Ada"})
    assert "session" not in vars(transaction)
    assert names(each_hall) == ["Ada"]


def test_moments_are_stored_in_utc_whatever_their_zone(each_hall: Harness):
    player, east = each_hall.player(0), NOW.astimezone(timezone(timedelta(hours=9)))
    with each_hall.services.database.write() as session:
        session.get_one(Account, player.account).created_at = east
    with each_hall.services.database.read() as session:
        assert session.scalar(sa.select(Account.created_at)) == NOW
        if each_hall.services.database.is_sqlite:  # text, so that it sorts by time
            assert session.scalar(sa.text("SELECT created_at FROM account")) == "2026-11-21 10:00:00.000007"


def test_a_moment_without_a_zone_is_refused(each_hall: Harness):
    with (
        pytest.raises(sa.exc.StatementError, match="must have a time zone"),
        each_hall.services.database.read() as session,
    ):
        session.execute(sa.select(sa.bindparam("at", type_=UtcDateTime)), {"at": NOW.replace(tzinfo=None)})
