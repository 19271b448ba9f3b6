"""Mail settings and reminders while a move is logged do not deadlock. PostgreSQL; SQLite has one writer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from server.kernel import secrets
from server.kernel.db import tables
from server.kernel.db.models import Account
from server.log import outbox
from server.log.outbox import SeatEvent
from server.mailbox import delivery_reports
from server.mailbox import write as mailbox
from server.mailbox.choices import Exceptions
from tests.kit.patience import PATIENCE, until
from tests.workers.harness import DAY, MASTER, Harness
from workers.deadlines import remind

ADA = 1
WAITS = sa.text("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")


@pytest.fixture
def database_url(postgres_url):
    return postgres_url


def chooses(house: Harness, game: str):
    """Each way to change a setting, as a player does it."""
    with house.services.database.read() as session:
        ada = session.get_one(Account, ADA)
    table = secrets.choice_token(MASTER, "digest", ada, game)
    return {
        "everywhere": lambda: mailbox.change_choices(house.services, ADA, {"turn": "digest"}),
        "at the table": lambda: mailbox.change_exceptions(house.services, ADA, game, {"turn": "off", "muted": True}),
        "by a link": lambda: mailbox.apply_linked_choice(house.services, table),
        "by a link, everywhere": lambda: mailbox.apply_linked_choice(
            house.services, secrets.choice_token(MASTER, "off", ada)
        ),
    }


def waits(house: Harness) -> bool:
    with house.services.database.read() as session:
        return session.scalar(WAITS) is not None


@pytest.mark.slow
def test_a_choice_while_a_move_is_logged_does_not_deadlock(house):
    """The move locks its game first and refers to the notified accounts last; each change ends after it."""
    for how in ("everywhere", "at the table", "by a link", "by a link, everywhere"):
        game = house.game()
        if how.endswith("everywhere"):
            mailbox.change_exceptions(house.services, ADA, game, {"delay": 5})
        _while_a_move_is_logged(house, game, chooses(house, game)[how])
        assert mailbox.show_exceptions(house.services, ADA, game)[0].in_force.turn in ("off", "digest"), how


def _while_a_move_is_logged(house, game, choose) -> None:
    with ThreadPoolExecutor(1) as pool:
        with house.services.database.write() as session:
            session.execute(tables.LOCK, {"id": game})
            chosen = pool.submit(choose)
            until(lambda: chosen.done() or waits(house), "it neither waits nor ends")
            event = SeatEvent("news", game, 0, 5, house.time, None)
            outbox.write_events_to(session.connection(), [(ADA, event)], house.time)
        chosen.result(PATIENCE)


def test_of_two_concurrent_choices_for_a_table_both_are_kept(house):
    """The second sees the first."""
    game = house.game()
    with ThreadPoolExecutor(1) as pool:
        with house.services.database.write() as session:
            mailbox.lock_choices(session, ADA, game)
            mailbox.change_exceptions_in(session, ADA, game, {"turn": "off"}, house.time)
            chosen = pool.submit(mailbox.change_exceptions, house.services, ADA, game, {"delay": 5})
            until(lambda: chosen.done() or waits(house), "it neither waits nor ends")
        chosen.result(PATIENCE)
    assert mailbox.show_exceptions(house.services, ADA, game)[0].exceptions == Exceptions(turn="off", delay=5)


@pytest.mark.slow
def test_a_locked_game_does_not_delay_other_reminders(house):
    """Its own comes with the next tick."""
    game, _ = house.game(), house.game()
    house.pass_time(seconds=3 * DAY * 4 // 5)
    with ThreadPoolExecutor(1) as pool, house.services.database.write() as session:
        session.execute(tables.LOCK, {"id": game})
        reminded = pool.submit(remind, house.ctx)
        until(lambda: reminded.done() or waits(house), "it neither waits nor ends")
        assert reminded.done()
    assert len(reminded.result()) == 1
    assert len(remind(house.ctx)) == 1


@pytest.mark.slow
def test_a_report_and_a_request_for_mail_do_not_deadlock(house):
    """Each locks the mails first and the stop last."""
    house.game()
    house.sink.answer = "550 5.1.1 no such mailbox"
    house.react()
    with ThreadPoolExecutor(1) as pool:
        with house.services.database.write() as session:
            row = house.row("turn", 0)
            session.execute(sa.select(type(row).id).where(type(row).id == row.id).with_for_update())
            wanted = pool.submit(delivery_reports.want_mail, house.services, ADA)
            until(lambda: wanted.done() or waits(house), "it neither waits nor ends")
            delivery_reports.add_report(
                house.services, session, row, ADA, delivery_reports.DeliveryReport("complaint", "abuse"), "smtp"
            )
        wanted.result(PATIENCE)
