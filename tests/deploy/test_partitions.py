"""The entries of a server can be divided by game: everything goes on, and nothing can be changed there either."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from server.evidence import audit
from server.kernel.db.migrate import migrate
from server.kernel.db.models import Entry
from server.kernel.db.session import Database
from server.operate import facts
from tests.server.harness import Harness, harness
from tests.servers.postgres import RUNS, given_to_owner

pytestmark = [pytest.mark.slow, pytest.mark.postgresql]
SQL = Path(__file__).parents[2] / "deploy/partitions.sql"
TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]


@pytest.fixture
def hall(postgres_url: str):
    made = harness(postgres_url)
    yield made
    made.close()


def divide(database: Database) -> None:
    with database.writer.begin() as connection:
        connection.connection.driver_connection.execute(SQL.read_text("utf-8"))


def test_games_go_on_after_their_entries_are_divided(hall: Harness):
    """Entries from before and after are one log, an act sent again gets its first answer, and new games begin."""
    two = [hall.player(number) for number in range(2)]
    game = hall.game("pig", two)
    act = two[0].signed_move(game, TURN)
    first = hall.client.post(f"/v1/games/{game}/moves", json=act)
    divide(hall.services.database)
    two[1].move(game, TURN)
    again = hall.client.post(f"/v1/games/{game}/moves", json=act)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.get_json()["entry"] == first.get_json()["entry"]
    games = [game, *(hall.game("pig", two) for _ in range(2))]
    assert {audit.judged(hall.services, one)[1].verdict for one in games} == {"holds"}
    with hall.services.database.read() as session:
        used = set(session.scalars(sa.text("SELECT DISTINCT tableoid::regclass::text FROM entry")))
    assert used <= {f"entry_{number}" for number in range(16)}


@pytest.mark.parametrize("table", ["entry", "entry_0"])
@pytest.mark.parametrize("change", ["UPDATE {} SET kind = 'left'", "DELETE FROM {}", "TRUNCATE {}"])
def test_divided_entries_stay_as_they_are(hall: Harness, table: str, change: str):
    divide(hall.services.database)
    with pytest.raises(sa.exc.DBAPIError, match="append-only"), hall.services.database.write() as session:
        session.execute(sa.text(change.format(table)))


@pytest.fixture
def owner(postgres_url: str):
    """The database as the owner of its tables sees it, who is not the role that the server runs under."""
    made = Database(given_to_owner(postgres_url))
    migrate(made, RUNS)
    yield made
    made.dispose()


@pytest.fixture
def own_role(owner: Database):
    """The server under that role."""
    made = harness(str(owner.url.set(username=RUNS)))
    yield made
    made.close()


def test_a_server_under_a_role_of_its_own_goes_on_after_its_rights_are_given_again(owner: Database, own_role: Harness):
    """The doctor names them until then. The role changes neither the table nor a part of it."""
    two = [own_role.player(number) for number in range(2)]
    game = own_role.game("pig", two)
    two[0].move(game, TURN)
    divide(owner)
    assert rights(own_role) == {f"The role {RUNS} lacks rights: SELECT, INSERT on entry."}
    migrate(owner, RUNS)
    assert rights(own_role) == set()
    assert two[1].move(game, TURN).status_code == 201
    games = [game, own_role.game("pig", two)]
    assert {audit.judged(own_role.services, one)[1].verdict for one in games} == {"holds"}
    for table in ("entry", "entry_0"):
        refused = pytest.raises(sa.exc.ProgrammingError, match="permission denied")
        with refused, own_role.services.database.write() as session:
            session.execute(sa.text(f"DELETE FROM {table}"))


def rights(hall: Harness) -> set[str]:
    """The doctor's findings about them."""
    found = [one for one in facts.thorough(hall.services) if one.check in ("database", "rights")]
    return {one.detail or one.wrong for one in found if one.wrong}


def test_an_act_is_unique_within_its_game(hall: Harness):
    game = hall.game("pig", [hall.player(number) for number in range(2)])
    divide(hall.services.database)
    with hall.services.database.read() as session:
        last = session.scalars(sa.select(Entry).where(Entry.game_id == game, Entry.jws_sha256.is_not(None))).first()
    copy = {column.name: getattr(last, column.name) for column in Entry.__table__.columns} | {"seq": 99}
    with pytest.raises(sa.exc.IntegrityError), hall.services.database.write() as session:
        session.execute(sa.insert(Entry).values(copy))
