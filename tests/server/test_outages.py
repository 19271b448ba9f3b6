"""Outages: noticed by the beats of web workers, and given back before anybody is played for."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Outage
from server.tables.calendar import outages
from tests.server import surfaces
from tests.server.harness import Harness, Player
from tests.server.test_deadlines import CLOCK, kinds, mover
from tests.server.test_holidays import due
from workers.calendars import follow
from workers.deadlines import tick

HOUR = timedelta(hours=1)


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(2)]


@pytest.fixture
def asked(any_hall: Harness, people: list[Player]) -> tuple[str, Player]:
    """A web worker that has beaten, a table, and the player who owes a move there."""
    assert not outages.beat(any_hall.services)
    game = any_hall.game("pig", people, clock=CLOCK)
    return game, mover(any_hall, people, game)


def known(hall: Harness) -> list[tuple[timedelta, bool]]:
    """How long each outage was, and whether it was given back."""
    with hall.services.database.read() as session:
        rows = session.scalars(sa.select(Outage).order_by(Outage.id)).all()
    return [(one.ends_at - one.starts_at, one.applied_at is not None) for one in rows]


def test_only_a_gap_of_more_than_five_minutes_is_an_outage(any_hall: Harness):
    """However many workers beat."""
    for _ in range(20):
        any_hall.clock.forward(seconds=30)
        assert not [one for one in range(2) if outages.beat(any_hall.services)]
    any_hall.clock.forward(minutes=5)
    assert not outages.beat(any_hall.services)
    assert known(any_hall) == []


def test_an_outage_is_given_back_everywhere(any_hall: Harness, asked):
    """One worker writes it, although several come back; one of a few hours is mailed."""
    (game, player), before = asked, due(any_hall, *asked)
    any_hall.clock.forward(hours=6)
    assert [outages.beat(any_hall.services) for _ in range(2)] == [True, False]
    for _ in range(2):
        follow(surfaces.context(any_hall))
    assert known(any_hall) == [(6 * HOUR, True)]
    shown = surfaces.shown(any_hall, game, player)
    assert shown == dict.fromkeys(shown, before + 6 * HOUR)
    assert [kind for _, kind, _ in surfaces.notices(any_hall, "time")] == ["time"]
    assert surfaces.last_event(any_hall, player, game)["kind"] == "time"


def test_nobody_is_played_for_while_no_web_worker_answers(any_hall: Harness, asked):
    """Nor before the outage is given back, nor within two hours after it."""
    game, player = asked
    any_hall.clock.at = due(any_hall, game, player) + HOUR
    ctx = surfaces.context(any_hall)
    tick(ctx)
    assert "expired" not in kinds(any_hall, game)
    assert outages.beat(any_hall.services)
    tick(ctx)
    assert "expired" not in kinds(any_hall, game)
    follow(ctx)
    tick(ctx)
    assert "expired" not in kinds(any_hall, game)
    back, later = any_hall.clock.at, due(any_hall, game, player)
    assert later >= back + 2 * HOUR
    while any_hall.clock.at < later:
        any_hall.clock.at = min(later, any_hall.clock.at + timedelta(minutes=4))
        outages.beat(any_hall.services)
        tick(ctx)
        assert ("expired" in kinds(any_hall, game)) == (any_hall.clock.at == later)


def test_a_second_clock_and_a_broken_table_hold_up_nobody(any_hall: Harness, people, asked, monkeypatch):
    """A table that cannot be given back is set aside; its own clock computes the deadline before it plays."""
    (game, player), before = asked, due(any_hall, *asked)
    broken = any_hall.game("pig", people, clock=CLOCK)
    any_hall.clock.forward(hours=6)
    outages.beat(any_hall.services)
    opened = outages.open_for_writing

    def opens(services, number):
        if number == broken:
            raise ZeroDivisionError
        return opened(services, number)

    monkeypatch.setattr(outages, "open_for_writing", opens)
    follow(surfaces.context(any_hall))
    assert known(any_hall) == [(6 * HOUR, True)]
    assert due(any_hall, game, player) == before + 6 * HOUR
    other = mover(any_hall, people, broken)
    any_hall.clock.at = due(any_hall, broken, other)
    outages.beat(any_hall.services)
    follow(surfaces.context(any_hall))
    tick(surfaces.context(any_hall))
    assert "expired" not in kinds(any_hall, broken)


def test_a_process_that_dies_while_it_gives_back_is_followed_by_another(any_hall: Harness, asked, monkeypatch):
    """Deadlines move once; the clock plays for nobody until all have moved."""
    (game, player), before = asked, due(any_hall, *asked)
    any_hall.clock.forward(hours=6)
    outages.beat(any_hall.services)

    def killed(*_):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(outages, "open_for_writing", killed)
        with pytest.raises(SystemExit):
            follow(surfaces.context(any_hall))
    with any_hall.services.database.read() as session:
        assert not outages.may_play(session, any_hall.clock.at)
    for _ in range(2):
        follow(surfaces.context(any_hall))
    assert due(any_hall, game, player) == before + 6 * HOUR


def test_an_outage_that_nobody_owed_a_move_in_moves_nothing(any_hall: Harness, people, asked):
    """A turn that begins after it has its usual time."""
    game, player = asked
    any_hall.clock.forward(hours=1)
    outages.beat(any_hall.services)
    follow(surfaces.context(any_hall))
    while mover(any_hall, people, game) is player:
        player.move(game, [player.legal(game)[-1]])
    other = mover(any_hall, people, game)
    assert due(any_hall, game, other) == any_hall.clock.at + timedelta(days=2, hours=12)
