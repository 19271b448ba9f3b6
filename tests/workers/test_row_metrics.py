"""The metrics that an operator watches, counted from the rows."""

from dataclasses import replace
from datetime import timedelta

import sqlalchemy as sa
from prometheus_client import REGISTRY

from engine.errors import EngineFault
from server.kernel.db.models import Account, Game, InboundMail, Notification, Outbox, Place
from server.kernel.services import Waker
from server.log.ledger import stop_game
from server.mailbox import inbound
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


def test_a_letter_to_the_operator_is_not_a_mail_that_could_not_be_read(house):
    settings = replace(house.settings, reply_address="move+{token}@play.example")
    letter = inbound.IncomingMail("abuse@play.example", b"Subject: stop this\r\n\r\nx\r\n", "smtp")
    assert inbound.keep(replace(house.services, settings=settings), [letter]) == ["kept"]
    found = of_rows(house.services)
    pending = {state: found[f'sealedmove_inbound_pending{{state="{state}"}}'] for state in ("letter", "quarantined")}
    assert pending == {"letter": 1, "quarantined": 0}


def test_without_a_database_there_are_no_rows_to_count(house, monkeypatch):
    """Only that it is away; the numbers of the processes are still served."""

    def away():
        raise sa.exc.OperationalError("SELECT 1", {}, Exception("away"))

    monkeypatch.setattr(type(house.services.database), "read", lambda _: away())
    assert of_rows(house.services) == {'sealedmove_check_failed{check="database"}': 1}


def test_mails_that_should_have_been_sent_are_late_and_those_that_their_readers_postponed_are_not(house):
    """A mail that the relay does not take stays late between two attempts."""
    house.game()
    house.dispatch()
    assert of_rows(house.services)["sealedmove_mails_late"] == 0
    house.sink.answer = "451 later"
    house.deliver()
    house.pass_time(minutes=5)
    assert of_rows(house.services)["sealedmove_mails_late"] == 2
    with house.services.database.write() as session:
        session.execute(sa.update(Notification).values(waited="quiet", next_at=house.time + timedelta(hours=1)))
    assert of_rows(house.services)["sealedmove_mails_late"] == 0


def test_answers_that_house_players_owe_are_counted_with_the_age_of_the_oldest(house):
    """Moves, and seats that are reserved for them; not the moves of people, nor of removed house players."""
    game = house.game()
    names = ('sealedmove_house_answers_owed{what="move"}', 'sealedmove_house_answers_owed{what="seat"}')
    assert [of_rows(house.services)[name] for name in names] == [0, 0]
    with house.services.database.write() as session:
        session.execute(sa.update(Account).values(level="easy"))
    house.pass_time(seconds=30)
    found = of_rows(house.services)
    assert [found[name] for name in names] == [1, 0]
    assert found["sealedmove_house_answer_age_seconds"] == 30
    with house.services.database.write() as session:
        asked = house.time - timedelta(seconds=70)
        session.add(Place(game_id=game, seat=1, account_id=2, kind="house", made_at=asked, until=house.time))
    found = of_rows(house.services)
    assert [found[name] for name in names] == [1, 1]
    assert found["sealedmove_house_answer_age_seconds"] == 70
    with house.services.database.write() as session:
        session.execute(sa.update(Account).values(blocked_at=house.time))
    assert [of_rows(house.services)[name] for name in names] == [0, 1]
    stop_game(house.services, game, EngineFault("planted"))
    assert [of_rows(house.services)[name] for name in names] == [0, 0]


def test_the_jobs_of_the_queue_are_counted_unless_redis_is_away(house, redis_url):
    """Without Redis there are no numbers, rather than zeros."""
    assert 'sealedmove_queue_jobs{state="waiting"}' not in of_rows(house.services)
    waker = Waker(redis_url)
    object.__setattr__(house.services, "waker", waker)
    names = ('sealedmove_queue_jobs{state="waiting"}', 'sealedmove_queue_jobs{state="failed"}')
    waker.wake([1, 2])
    waker.wake([3])
    found = of_rows(house.services)
    assert [found[name] for name in names] == [2, 0]


def test_connections_in_use_are_counted_by_pool(house):
    """On PostgreSQL readers and writers share one."""
    database = house.services.database
    pool = "write" if database.reader is database.writer else "read"
    used = lambda: REGISTRY.get_sample_value("sealedmove_database_connections", {"pool": pool})  # noqa: E731
    with database.read() as one, database.read() as other:
        for session in (one, other):
            session.execute(sa.text("SELECT 1"))
        assert used() == 2
        one.connection().invalidate()
    with database.read() as session:
        session.execute(sa.text("SELECT 1"))
        assert used() == 1
    assert used() == 0
