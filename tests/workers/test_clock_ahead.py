"""A host whose clock stays an hour ahead, and whose own web server beats by it: it plays no default moves early."""

from __future__ import annotations

from datetime import timedelta

import pytest

from server.kernel.services import utc_now
from server.play.write import expire
from server.tables.calendar import outages
from tests.workers.harness import Harness
from workers.clock import ClockAheadError, play_in_time
from workers.deadlines import tick

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


def test_a_clock_that_is_ahead_of_the_database_plays_for_nobody(house):
    game = begun(house, since=timedelta(0))
    house.time = utc_now() + AHEAD
    with pytest.raises(ClockAheadError):
        play_in_time(house.ctx)
    assert "expired" not in house.kinds(game)
    tick(house.ctx)
    assert "expired" in house.kinds(game)  # what would have happened


def test_a_clock_that_is_set_ahead_once_it_was_compared_plays_for_nobody(house, monkeypatch):
    """All that it plays was due at the moment that was compared."""
    game = begun(house, since=timedelta(0))
    house.time = utc_now()
    compared = house.services.database.time

    def then_ahead(session):
        there = compared(session)
        house.time = utc_now() + AHEAD
        return there

    monkeypatch.setattr(house.services.database, "time", then_ahead)
    play_in_time(house.ctx)
    assert "expired" not in house.kinds(game)


def test_a_default_move_is_due_at_the_moment_that_is_given(house):
    """And not only by the machine's clock."""
    game, now = begun(house, since=timedelta(0)), utc_now()
    [seat] = house.table(game).active
    house.time = now + AHEAD
    assert not expire(house.services, game, seat, now)
    assert expire(house.services, game, seat)


def test_once_it_is_right_it_plays_what_is_due(house):
    game = begun(house, since=AHEAD)
    house.time = utc_now()
    play_in_time(house.ctx)
    assert "expired" in house.kinds(game)
