"""Reminders at the hours that a player has chosen."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from engine.errors import EngineFault
from server.kernel.db.models import Game, Seat
from server.log.ledger import stop_game
from server.tables.write import TimeGrant, grant
from tests.workers.harness import DAY, about
from tests.workers.test_wanted import choose, round_and_mail, text_of
from workers import reminders
from workers.reminders import plan, remind_early

ADA, BEN = 1, 2


@pytest.mark.slow
def test_reminders_come_at_the_chosen_hours(house, sink):
    """Instead of the usual one; each once, however often the clock ticks."""
    choose(house, remind="hours", hours=(24, 3))
    house.game()
    for hours in (47, 1, 9, 10, 1, 1, 2):  # of three days; the usual one would come after 57.6 hours
        house.pass_time(hours=hours)
        remind_early(house.ctx)
        round_and_mail(house, sink)
    texts = [text_of(mail) for mail in sink.mails if about(mail).endswith("Reminder: your turn")]
    assert [text[text.index("Time left") :].split(",")[0] for text in texts] == [
        "Time left: 1 day",
        "Time left: 3 hours",
    ]


def test_reminders_missed_by_a_stopped_clock_are_sent_once(house, sink):
    """Only the last one, since they say the same."""
    choose(house, remind="hours", hours=(48, 24, 3))
    house.game()
    house.pass_time(hours=60)
    for _ in range(2):
        remind_early(house.ctx)
    assert [row.dedupe_key.split(".")[0] for row in house.rows()] == ["reminder24"]


def test_reminder_hours_that_have_passed_send_no_reminder(house):
    """The player has just visited the page; a change of another setting does not remind them either."""
    house.game()
    house.pass_time(hours=60)
    choose(house, remind="hours", hours=(24, 3))
    remind_early(house.ctx)
    assert house.rows() == []
    house.pass_time(hours=9, minutes=6)
    remind_early(house.ctx)
    choose(house, picture=False)
    assert plan(house.ctx) == 1
    remind_early(house.ctx)
    assert [row.dedupe_key.split(".")[0] for row in house.rows()] == ["reminder3"]


def test_a_change_of_other_choices_does_not_repeat_a_reminder(house):
    """Nor does a partly played turn: a reminder belongs to the deadline."""
    choose(house, remind="hours", hours=(24, 3))
    game = house.game()
    house.pass_time(hours=49)
    remind_early(house.ctx)
    with house.services.database.write() as session:  # a later question of the same stretch
        session.execute(sa.update(Seat).where(Seat.game_id == game, Seat.seat == 0).values(question_seq=9))
    choose(house, picture=False)
    remind_early(house.ctx)
    assert [row.dedupe_key.split(".")[0] for row in house.rows()] == ["reminder24"]


def test_a_stopped_game_does_not_delay_other_reminders(house, monkeypatch):
    """Its clock is stopped, and its reminder is sent once it continues."""
    monkeypatch.setattr(reminders, "MOST", 1)
    choose(house, remind="hours", hours=(24,))
    stopped, other = house.game(), house.game()
    for _ in range(2):
        plan(house.ctx)
    stop_game(house.services, stopped, EngineFault("planted"))
    house.pass_time(hours=49)
    remind_early(house.ctx)
    assert [row.game_id for row in house.rows()] == [other]


def test_granted_time_moves_chosen_reminders_with_the_deadline(house):
    """Reminders are planned for one deadline."""
    choose(house, remind="hours", hours=(24,))
    game = house.game()
    with house.services.database.write() as session:  # a player who gives time to their own seat is refused
        session.execute(sa.update(Game).where(Game.id == game).values(host_id=BEN))
    plan(house.ctx)
    grant(house.services, game, BEN, TimeGrant([0], DAY))
    house.pass_time(days=2, minutes=10)
    remind_early(house.ctx)
    assert house.rows() == []
    house.pass_time(days=1)
    remind_early(house.ctx)
    assert [row.kind for row in house.rows()] == ["reminder"]
