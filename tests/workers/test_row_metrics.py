"""The metrics that an operator watches, counted from the rows."""

from datetime import timedelta

import sqlalchemy as sa

from engine.errors import EngineFault
from server.kernel.db.models import Game, InboundMail, Outbox
from server.log.ledger import stop_game
from tests.server.metrics import of_rows
from tests.workers.test_deadlines import GRACE, MOVE
from workers import deadlines
from workers.deadlines import tick


def test_the_outbox_shows_its_depth_and_the_age_of_its_oldest_event(house):
    """Both are zero once mails are made from all of them."""
    house.game()
    with house.services.database.read() as session:
        depth = session.scalar(sa.select(sa.func.count(Outbox.id)).where(Outbox.dispatched_at.is_(None)))
    house.pass_time(seconds=90)
    found = of_rows(house.services)
    assert depth > 0
    assert (found["sealedmove_outbox_waiting"], found["sealedmove_outbox_age_seconds"]) == (depth, 90)
    house.dispatch()
    found = of_rows(house.services)
    assert (found["sealedmove_outbox_waiting"], found["sealedmove_outbox_age_seconds"]) == (0, 0)


def test_the_clock_lags_behind_the_oldest_deadline_that_it_has_not_played(house):
    house.game()
    house.pass_time(seconds=MOVE + GRACE)
    assert of_rows(house.services)["sealedmove_clock_lag_seconds"] == 0
    house.pass_time(seconds=40)
    assert of_rows(house.services)["sealedmove_clock_lag_seconds"] == 40
    tick(house.ctx)
    assert of_rows(house.services)["sealedmove_clock_lag_seconds"] == 0


def test_stopped_games_do_not_make_the_clock_lag_and_are_counted_by_reason(house):
    one, other = house.game(), house.game()
    stop_game(house.services, one, EngineFault("planted"))
    with house.services.database.write() as session:
        session.execute(sa.update(Game).where(Game.id == other).values(missing_since=house.time))
    house.pass_time(seconds=MOVE + GRACE + 40)
    found = of_rows(house.services)
    assert found["sealedmove_clock_lag_seconds"] == 0
    assert found['sealedmove_games_stopped{why="engine-fault"}'] == 1
    assert found['sealedmove_games_stopped{why="lines-missing"}'] == 1


def test_a_seat_that_was_set_aside_is_counted_and_does_not_make_the_clock_lag(house, monkeypatch):
    house.game()
    house.pass_time(seconds=MOVE + GRACE + 40)
    monkeypatch.setattr(deadlines, "expire", lambda *_: 1 // 0)
    tick(house.ctx)
    found = of_rows(house.services)
    assert found["sealedmove_clock_lag_seconds"] == 0
    assert found['sealedmove_quarantined{loop="clock"}'] == 1


def test_received_mails_are_counted_until_they_are_processed(house):
    about = {"token": "t", "notification_id": 1, "via": "smtp", "relayed": False, "room": "answer"}
    times = {"next_at": house.time, "received_at": house.time - timedelta(hours=1)}
    with house.services.database.write() as session:
        for state in ("waiting", "waiting", "quarantined", "done"):
            session.add(InboundMail(kind="move", state=state, **about, **times))
    found = of_rows(house.services)
    states = {state: found[f'sealedmove_inbound_pending{{state="{state}"}}'] for state in ("waiting", "leased")}
    assert states == {"waiting": 2, "leased": 0}
    assert found['sealedmove_inbound_pending{state="quarantined"}'] == 1


def test_without_a_database_there_are_no_rows_to_count(house, monkeypatch):
    """The numbers of the processes are still served."""

    def away():
        raise sa.exc.OperationalError("SELECT 1", {}, Exception("away"))

    monkeypatch.setattr(type(house.services.database), "read", lambda _: away())
    assert of_rows(house.services) == {}
