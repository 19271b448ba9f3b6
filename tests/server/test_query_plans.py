"""Lists and the clock's queries use their indexes, so that they cost the same however many games have ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.sql import visitors

from server.evidence import audit
from server.kernel.db.models import Game
from server.operate import retention, row_metrics
from server.tables import lists, time_controls
from server.tables.calendar import holidays
from server.tables.invitations import read as invitations
from tests.bench import store_speed
from tests.server.harness import Harness
from workers import clock
from workers.mail.facts import MailOrigin
from workers.mail.smtp import Smtp
from workers.queues import WorkerContext

GAMES = 1500
NOBODY = lists.Viewer(None, datetime(2026, 11, 29, tzinfo=UTC))
GROWING = (
    *("account", "game", "seat", "entry", "former_holder", "place", "audit", "message", "holiday", "pause"),
    *("outbox", "notification", "account_event", "inbound_mail", "login_link", "hook_delivery", "mail_reminder"),
)
SCANNED = {"sqlite": "SCAN {}", "postgresql": "Seq Scan on {}"}  # a whole table; SQLite adds the index if there is one
WITH_INDEX = "SCAN {} USING"
SEARCHED = {"sqlite": "USING INDEX ix_game_audit_at (audit_at<?)", "postgresql": "Index Cond: (audit_at <= "}


@pytest.fixture
def store(each_hall: Harness) -> Harness:
    """On each database, with enough games that a plan matters."""
    store_speed.fill(each_hall.services, 0, GAMES)
    return each_hall


@contextmanager
def noted(store: Harness) -> Iterator[list[tuple[str, Any]]]:
    """The queries that are sent meanwhile."""
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith("SELECT") and " FROM " in statement.replace("\n", " "):
            found.append((statement, parameters))

    sa.event.listen(store.services.database.reader, "before_cursor_execute", note)
    yield found
    sa.event.remove(store.services.database.reader, "before_cursor_execute", note)


def plans(store: Harness, work: Callable[[], object]) -> list[str]:
    """How the database would carry out each query of this work."""
    with noted(store) as found:
        work()
    engine = store.services.database.reader
    word = "EXPLAIN QUERY PLAN" if engine.dialect.name == "sqlite" else "EXPLAIN"
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            # It reads small tables as a whole, and is right. Which index would it use if they were large?
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        asked = [connection.exec_driver_sql(f"{word} {statement}", given).all() for statement, given in found]
    return ["\n".join(str(row[-1]) for row in plan) for plan in asked]


def scans(store: Harness, plan: str, table: str) -> bool:
    """Whether it reads all rows of this table."""
    whole = SCANNED[store.services.database.reader.dialect.name].format(table)
    return any(whole in row and WITH_INDEX.format(table) not in row for row in plan.splitlines())


def listed(store: Harness, reader: int | None = None, **filters: Any) -> str:
    """The plan of the query that finds the games of a page."""
    return plans(store, lambda: lists.games(store.services, filters, 50, reader))[-4]


@pytest.mark.parametrize(
    ("filters", "index"),
    [
        ({}, "ix_game_newest"),
        ({"status": "running"}, "ix_game_status_newest"),
        ({"type": "tikal"}, "ix_game_type_newest"),
        ({"stopped": True}, "ix_game_missing_since"),
        ({"player": "Nobody"}, "ix_account_name"),
    ],
)
def test_a_list_of_games_is_read_by_an_index(store: Harness, filters: dict[str, Any], index: str):
    plan = listed(store, **filters)
    assert index in plan, plan
    assert not scans(store, plan, "game"), plan


RARE: dict[str, Any] = {"seats": 6, "hidden": True, "bots": "none", "handover": "none", "pace": "none"}


@pytest.mark.parametrize("name", RARE)
def test_a_filter_that_few_games_fulfil_is_answered_by_the_index_of_the_list(store: Harness, name: str):
    """Only rows of these games are read, and none is sorted. PostgreSQL says so itself."""
    asked = {"status": "finished", name: RARE[name]}
    for filters in ({name: RARE[name]}, asked):
        plan = listed(store, **filters)
        assert "newest" in plan, plan
        assert "Sort" not in plan, plan
        assert "TEMP B-TREE" not in plan, plan
        if not store.services.database.is_sqlite:
            condition = next(row for row in plan.splitlines() if "Index Cond" in row)
            assert {"pace": "clock_move"}.get(name, name) in condition, plan


@pytest.mark.parametrize("pace", time_controls.KEYS)
def test_the_indexes_of_lists_hold_every_column_of_these_filters(pace: str):
    """SQLite reads the row only if what the index holds fulfils the filter, but its plan does not say so."""
    conditions = [Game.door == "open"]
    conditions += [lists.FILTERS[name](value, NOBODY) for name, value in (RARE | {"pace": pace}).items()]
    named = {one.name for condition in conditions for one in visitors.iterate(condition) if isinstance(one, sa.Column)}
    found = {one.name: {column.name for column in one.columns} for one in Game.__table__.indexes}
    for index in ("ix_game_newest", "ix_game_status_newest", "ix_game_type_newest"):
        assert named <= found[index]


def test_the_newest_games_need_no_sorting(store: Harness):
    """Nor does the next page, which begins in the midst of them."""
    with store.services.database.read() as session:
        somewhere = session.scalars(sa.text("SELECT id FROM game ORDER BY created_at LIMIT 1 OFFSET 700")).one()
    for plan in (listed(store), listed(store, after=somewhere), listed(store, status="finished")):
        assert "TEMP B-TREE" not in plan, plan
        assert "Sort" not in plan, plan


def test_moves_that_are_owed_are_found_without_the_finished_games(store: Harness):
    (plan,) = plans(store, lambda: lists.turns(store.services, 1))
    assert "ix_seat_owes" in plan, plan
    (plan,) = plans(store, lambda: lists.offers(store.services, 1))
    assert "ix_seat_open" in plan, plan


def test_stopped_games_are_counted_without_the_others(store: Harness):
    def count() -> None:
        with store.services.database.read() as session:
            row_metrics._stopped(session)

    missing, *faulted = plans(store, count)
    assert "ix_game_missing_since" in missing
    assert ["ix_game_faulted_at" in one for one in faulted] == [True, True]


def test_games_to_audit_are_found_by_their_time(store: Harness):
    """The auditor looks every few seconds, and almost all games have none. The longest due comes first, unsorted."""

    def ask() -> None:
        with store.services.database.read() as session:
            session.execute(audit.due(store.services.now()).limit(1)).all()

    (plan,) = plans(store, ask)
    assert SEARCHED[store.services.database.reader.dialect.name] in plan, plan
    assert "TEMP B-TREE" not in plan, plan
    assert "Sort" not in plan, plan


def test_rows_that_are_no_longer_needed_are_found_by_their_times(store: Harness):
    """A round of the clock comes every five seconds, and mostly finds none."""
    for plan in plans(store, lambda: retention.forget(store.services)):
        for served in retention.SERVED:
            assert not scans(store, plan, served.table.__tablename__), plan


def test_a_round_of_the_clock_and_a_scrape_read_no_growing_table_as_a_whole(store: Harness):
    """They come every few seconds, whether or not anything is due."""
    sender = MailOrigin("sealed@example.org", "https://example.org", None, None)
    ctx = WorkerContext(store.services, sender, Smtp.at("smtp://127.0.0.1:9"))
    for work in (lambda: clock.round_of(ctx), lambda: list(row_metrics.Rows(store.services).collect())):
        found = plans(store, work)
        assert len(found) > 10
        for plan in found:
            assert not [table for table in GROWING if scans(store, plan, table)], plan


def test_the_queries_of_every_page_read_no_growing_table_as_a_whole(store: Harness):
    """Invitations and holidays of a reader, their own games, and what waits for them there."""

    def ask() -> None:
        invitations.received(store.services, 1)
        holidays.running(store.services, 1)
        lists.frame_facts(store.services, 1)
        lists.own_games(store.services, 1, {"order": "urgent"}, 50)

    for plan in plans(store, ask):
        assert not [table for table in GROWING if scans(store, plan, table)], plan
