"""A host whose clock is an hour ahead of PostgreSQL's, and whose own web server beats by it, plays nothing early."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import Mock

import pytest

from server.kernel.services import utc_now
from server.tables.calendar import outages
from tests.workers.harness import Harness
from workers.clock import ClockAheadError, in_step, round_of

MOVE = 1800  # seconds, less than the clock is ahead
AHEAD = timedelta(hours=1)
pytestmark = [pytest.mark.postgresql, pytest.mark.long]


@pytest.fixture
def house(postgres_url, sink):
    made = Harness(postgres_url, sink)
    yield made
    made.close()


def begun(house: Harness, since: timedelta) -> str:
    """A game at another host, while this one's web server, ahead all the time, has beaten for two hours and longer."""
    house.time = utc_now() - since - timedelta(hours=2) + AHEAD
    while house.time < utc_now() + AHEAD:
        outages.beat(house.services)
        house.pass_time(minutes=4)
    house.time = utc_now() - since
    return house.game(clock=MOVE)


def test_a_clock_that_is_ahead_of_the_database_plays_nothing_early(house):
    game = begun(house, since=timedelta(0))
    house.time = utc_now() + AHEAD
    round_of(house.ctx, timed=in_step)
    assert "expired" not in house.kinds(game)
    round_of(house.ctx)
    assert "expired" in house.kinds(game)  # what would have happened


def test_a_clock_that_is_set_ahead_once_it_was_compared_plays_nothing_early(house, monkeypatch):
    """A round counts on from the time that was compared."""
    game = begun(house, since=timedelta(0))
    house.time = utc_now()
    compared = house.services.database.time

    def then_ahead(session):
        there = compared(session)
        house.time = utc_now() + AHEAD
        return there

    monkeypatch.setattr(house.services.database, "time", then_ahead)
    round_of(house.ctx, timed=in_step)
    assert "expired" not in house.kinds(game)


@pytest.mark.parametrize("ahead", [timedelta(0), AHEAD])
def test_what_is_due_is_played_however_far_the_clock_is_ahead(house, ahead):
    """An operator who reads the log sees that it is."""
    game, failures = begun(house, since=AHEAD), Mock()
    house.time = utc_now() + ahead
    round_of(house.ctx, failures, in_step)
    assert "expired" in house.kinds(game)
    assert [type(call.args[1]) for call in failures.note.call_args_list] == [ClockAheadError] * bool(ahead)
