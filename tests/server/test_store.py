"""Laws of the store, on SQLite and PostgreSQL alike."""

import json

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, IntegrityError

from engine.record.compose.entries import compose_expired
from server.kernel.db import migrate
from server.kernel.db.models import Base, Entry, EntryPrivate, Game, Outbox, Seat
from server.kernel.db.tables import TableCache
from server.kernel.errors import Problem
from server.log.ledger import open_for_writing
from tests.server.harness import Harness


def started(hall: Harness, key: str = "bids", **wish) -> str:
    return hall.game(key, [hall.player(number) for number in range(2)], **wish)


def append_expired(hall: Harness, game: str, after=lambda _: None, before=lambda _: None) -> None:
    with open_for_writing(hall.services, game) as ledger:
        before(ledger)
        ledger.append(compose_expired(ledger.table, ledger.secret, ledger.at, 0))
        after(ledger)


@pytest.mark.parametrize("table", ["entry", "entry_private"])
@pytest.mark.parametrize("verb", ["UPDATE {} SET seq = seq + 1000", "DELETE FROM {}"])
def test_entries_cannot_be_changed_or_removed(each_hall: Harness, table: str, verb: str):
    started(each_hall)
    with pytest.raises(DatabaseError, match="append-only"), each_hall.services.database.write() as session:
        session.execute(sa.text(verb.format(table)))


def test_sqlite_cannot_replace_an_entry_either(hall: Harness):
    started(hall)
    with pytest.raises(DatabaseError, match="append-only"), hall.services.database.write() as session:
        session.execute(sa.text("INSERT OR REPLACE INTO entry SELECT * FROM entry"))


def test_postgresql_cannot_empty_the_table_of_entries_either(open_house, postgres_url):
    hall = open_house(postgres_url)
    started(hall)
    with pytest.raises(DatabaseError, match="append-only"), hall.services.database.write() as session:
        session.execute(sa.text("TRUNCATE entry_private"))


def test_a_number_is_given_once(each_hall: Harness):
    game = started(each_hall)
    with each_hall.services.database.read() as session:
        row = session.get(Entry, (game, 0))
        same = {column.key: getattr(row, column.key) for column in sa.inspect(Entry).columns}
    with pytest.raises(IntegrityError), each_hall.services.database.write() as session:
        session.execute(sa.insert(Entry).values(same))


def test_stored_bytes_are_the_hashed_bytes(each_hall: Harness):
    from engine.record.encoding.canonical import leaf

    game = started(each_hall)
    with each_hall.services.database.read() as session:
        rows = session.scalars(sa.select(Entry).where(Entry.game_id == game).order_by(Entry.seq)).all()
        head = session.get(Game, game)
    assert [row.seq for row in rows] == list(range(head.head_seq + 1))
    assert all(leaf(row.line) == row.leaf_hash for row in rows)
    assert rows[-1].leaf_hash == head.head_hash


def test_a_rolled_back_append_leaves_no_trace_in_the_store_or_in_memory(each_hall: Harness):
    game = started(each_hall, clock={"move": 60, "grace": 60})
    each_hall.clock.forward(hours=1)
    kept = each_hall.services.tables.cached(game)
    with pytest.raises(ZeroDivisionError):
        append_expired(each_hall, game, lambda _: 1 // 0)
    assert each_hall.services.tables.cached(game) == kept
    with each_hall.services.database.read() as session:
        assert session.get(Game, game).head_seq == kept.size - 1


def test_an_expected_version_that_is_not_the_head_appends_nothing(each_hall: Harness):
    game = started(each_hall, clock={"move": 60, "grace": 60})
    each_hall.clock.forward(hours=1)
    moved_on = sa.update(Game).where(Game.id == game).values(head_seq=Game.head_seq + 1)
    with pytest.raises(Problem, match="unavailable"):
        append_expired(each_hall, game, before=lambda ledger: ledger.session.execute(moved_on))


@pytest.mark.parametrize("key", ["pig", "bids"])
def test_loading_from_the_store_gives_the_table_that_was_kept(each_hall: Harness, key: str):
    players = [each_hall.player(number) for number in range(2)]
    game = each_hall.game(key, players)
    each_hall.play_out(game, players, most=400)
    kept = each_hall.services.tables.cached(game)
    with each_hall.services.database.read() as session:
        assert TableCache().of(session, session.get(Game, game)) == kept


def test_a_kept_table_that_is_not_of_this_log_is_thrown_away(each_hall: Harness):
    from msgspec.structs import replace

    game = started(each_hall)
    kept, tables = each_hall.services.tables.cached(game), TableCache()
    tables.keep(replace(kept, head=bytes(32)))
    with each_hall.services.database.read() as session:
        assert tables.of(session, session.get(Game, game)) == kept


def test_outbox_rows_and_clocks_are_written_with_their_entry(each_hall: Harness):
    game = started(each_hall, clock={"move": 60, "bank": 30, "grace": 60})
    with each_hall.services.database.read() as session:
        rows = session.scalars(sa.select(Outbox).where(Outbox.game_id == game).order_by(Outbox.id)).all()
        seats = session.scalars(sa.select(Seat).where(Seat.game_id == game)).all()
        line = session.scalar(sa.select(Entry.line).where(Entry.game_id == game, Entry.kind == "started"))
    assert [(row.kind, row.seq) for row in rows] == [("started", 3), ("turn", 3)]
    assert {seat.question_seq for seat in seats} == {3}
    assert {(seat.deadline - seat.active_since).total_seconds() for seat in seats} == {150.0}
    assert json.loads(line)["at"] == seats[0].active_since.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_a_hidden_games_full_events_lie_only_in_the_private_table(each_hall: Harness):
    game = started(each_hall)
    with each_hall.services.database.read() as session:
        private = session.get(EntryPrivate, (game, 3))
        line = session.scalar(sa.select(Entry.line).where(Entry.game_id == game, Entry.seq == 3))
    full = [event for event in json.loads(private.opening)["events"] if event["is"] == "FavouriteDealt"]
    public = [event for event in json.loads(line)["events"] if event["is"] == "FavouriteDealt"]
    assert all(event["colour"] for event in full)
    assert all(event.get("colour") is None for event in public)


def test_migrations_make_the_tables_that_the_models_describe_and_run_twice_in_peace(each_hall: Harness):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    migrate.migrate(each_hall.services.database)
    with each_hall.services.database.writer.begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
