"""An item that a loop fails at is set aside, reported once and tried again, and the loop reaches the others."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from server.kernel import quarantine
from server.kernel.db.models import Game, Notification, Outbox, Seat
from tests.server.harness import BY
from tests.workers.harness import DAY
from workers import deadlines, reminders
from workers.deadlines import tick
from workers.dispatch import dispatch, dispatch_first
from workers.sweeper import sweep

LATE = 4 * DAY
N = 5


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch):
    """Rounds of few items, which few failing ones could fill."""
    monkeypatch.setattr(deadlines, "MOST", N)
    monkeypatch.setattr(reminders, "MOST", N)
    monkeypatch.setattr("workers.sweeper.MOST", N)


def unplayable(house, count: int) -> list[str]:
    """Games whose log cannot be read here any more: their rules are not installed."""
    games = [house.game() for _ in range(count)]
    with house.services.database.write() as session:
        session.execute(sa.update(Game).where(Game.id.in_(games)).values(head_hash=bytes(32)))
    house.services.tables._cached.clear()
    return games


def expired(house, game: str) -> bool:
    return "expired" in house.kinds(game)


def test_seats_that_nobody_can_play_do_not_stop_the_clock_for_the_others(house, set_aside):
    """They would fill a round, and all are older than the seat that can be played. The log names each once."""
    broken = unplayable(house, N)
    house.pass_time(seconds=60)
    game = house.game()
    house.pass_time(seconds=LATE)
    tick(house.ctx)
    tick(house.ctx)
    assert expired(house, game)
    for _ in range(20):
        house.pass_time(seconds=5)
        tick(house.ctx)
    assert sorted(item for _, item, _ in set_aside()) == sorted(f"{one} 0" for one in broken)
    assert {loop for loop, _, _ in set_aside()} == {"clock"}


def test_items_that_are_due_again_take_no_more_than_their_share(house, monkeypatch):
    """New items come first, even if all the others are due again."""
    unplayable(house, 2 * N)
    house.pass_time(seconds=LATE)
    for _ in range(2):
        tick(house.ctx)
    house.pass_time(days=2)
    games = [house.game() for _ in range(N)]
    house.pass_time(seconds=LATE)
    monkeypatch.setattr(quarantine, "RETRIES", 1)
    tick(house.ctx)
    assert all(expired(house, game) for game in games)
    assert sorted(row["failures"] for row in quarantine.listed(house.services)) == [1] * (2 * N - 1) + [2]


def test_the_time_to_the_next_attempt_grows(house, monkeypatch):
    """Ten seconds, then four times as long each time; a day at most."""
    tried = []
    monkeypatch.setattr(deadlines, "expire", lambda *_: tried.append(house.time) or 1 // 0)
    house.game()
    house.pass_time(seconds=LATE)
    begin = house.time
    for _ in range(200):
        tick(house.ctx)
        house.pass_time(seconds=10)
    assert [(at - begin).seconds for at in tried] == [0, 10, 50, 210, 850]
    assert quarantine._wait(50).total_seconds() == DAY


def test_an_item_that_succeeds_leaves_the_quarantine(house, monkeypatch):
    """Its next failure is a first one again."""
    game = house.game()
    house.pass_time(seconds=LATE)
    monkeypatch.setattr(deadlines, "expire", lambda *_: 1 // 0)
    tick(house.ctx)
    assert [row["error"] for row in quarantine.listed(house.services)] == ["ZeroDivisionError"]
    monkeypatch.undo()
    house.pass_time(seconds=10)
    tick(house.ctx)
    assert expired(house, game)
    assert quarantine.listed(house.services) == []


def test_the_operator_has_all_items_tried_in_the_next_round(house, monkeypatch):
    """As after a repair."""
    game = house.game()
    house.pass_time(seconds=LATE)
    with monkeypatch.context() as broken:
        broken.setattr(deadlines, "expire", lambda *_: 1 // 0)
        tick(house.ctx)
    tick(house.ctx)
    assert not expired(house, game)
    assert quarantine.retry(house.services, BY) == 1
    tick(house.ctx)
    assert expired(house, game)


def test_two_processes_that_fail_at_the_same_item_count_one_failure(house, set_aside):
    """And one of them names it."""
    loop = quarantine.Loop("clock", deadlines.A_SEAT)
    for _ in range(2):
        assert quarantine.attempt(house.services, loop, "an item", lambda: 1 // 0) == []
    assert [row["failures"] for row in quarantine.listed(house.services)] == [1]
    assert set_aside() == [("clock", "an item", "ZeroDivisionError")]


def test_a_seat_whose_row_and_log_disagree_is_set_aside(house, set_aside):
    """Its row has a deadline that has passed. In its log nothing is due, so nothing is played."""
    game = house.game()
    with house.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game, Seat.seat == 1).values(deadline=house.time))
    tick(house.ctx)
    assert set_aside() == [("clock", f"{game} 1", "StillOverdueError")]
    assert not expired(house, game)


def test_a_row_with_a_deadline_before_that_of_its_log_is_written_again(house, set_aside):
    """Nothing is played."""
    game = house.game()
    right = house.seat(game, 0).deadline
    with house.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game, Seat.seat == 0).values(deadline=house.time))
    tick(house.ctx)
    assert set_aside() == []
    assert house.seat(game, 0).deadline == right
    assert not expired(house, game)


def test_items_that_their_loop_no_longer_finds_are_forgotten(house):
    """A game was cancelled meanwhile, for instance."""
    unplayable(house, 1)
    house.pass_time(seconds=LATE)
    tick(house.ctx)
    house.pass_time(days=1)
    sweep(house.ctx)
    assert len(quarantine.listed(house.services)) == 1
    house.pass_time(days=2)
    sweep(house.ctx)
    assert quarantine.listed(house.services) == []


def test_without_its_database_a_loop_blames_no_item(house, monkeypatch):
    """The round ends; nothing is set aside."""

    def away(*_):
        raise sa.exc.OperationalError("", {}, Exception())

    house.game()
    house.pass_time(seconds=LATE)
    monkeypatch.setattr(deadlines, "expire", away)
    monkeypatch.setattr(quarantine, "_set_aside", away)
    with pytest.raises(sa.exc.OperationalError):
        tick(house.ctx)


# --- the other loops --------------------------------------------------------------------------------------------------


def undispatchable(house, count: int) -> None:
    """Outbox rows about things that do not exist."""
    with house.services.database.write() as session:
        rows = [
            {"kind": "waiting", "waiting_act_id": 4711 + number, "created_at": house.time} for number in range(count)
        ]
        session.execute(sa.insert(Outbox).values(rows))


def kinds(house) -> list[str]:
    with house.services.database.read() as session:
        return list(session.scalars(sa.select(Notification.kind).order_by(Notification.id)))


def test_outbox_rows_that_nobody_can_dispatch_do_not_stop_the_sweeper(house, set_aside):
    undispatchable(house, N)
    house.game()
    house.pass_time(seconds=5)
    for _ in range(2):
        sweep(house.ctx)
    assert kinds(house) == ["turn", "started"]
    assert [loop for loop, _, _ in set_aside()] == ["outbox"] * N


def test_urgent_mails_that_nobody_can_dispatch_do_not_stop_the_sweeper(house, set_aside):
    """They are dispatched together, and each alone if one of them fails."""
    undispatchable(house, N)
    with house.services.database.write() as session:
        session.execute(sa.insert(Outbox).values({"kind": "login", "created_at": house.time}))
    for _ in range(2):
        dispatch_first(house.ctx, ("login", "waiting"), N)
    assert len(set_aside()) == N + 1  # a link that does not exist cannot be mailed either
    dispatch_first(house.ctx, ("login", "waiting"), N)
    assert len(set_aside()) == N + 1


def test_a_job_goes_on_after_a_row_that_fails(house, monkeypatch):
    monkeypatch.setattr("workers.context._open", [house.ctx])
    undispatchable(house, 1)
    house.game()
    with house.services.database.read() as session:
        numbers = session.scalars(sa.select(Outbox.id).order_by(Outbox.id)).all()
    dispatch(*numbers)
    assert kinds(house) == ["turn", "started"]


def test_a_reminder_that_cannot_be_made_does_not_stop_the_others(house, monkeypatch, set_aside):
    first = house.game()
    house.pass_time(seconds=60)
    house.game()
    house.pass_time(seconds=3 * DAY * 4 // 5)
    notify = deadlines.notify

    def fails(session, ctx, news, now):
        return 1 // 0 if news.game_id == first else notify(session, ctx, news, now)

    monkeypatch.setattr(deadlines, "notify", fails)
    assert len(deadlines.remind(house.ctx)) == 1
    assert set_aside() == [("reminders", f"{first} 0", "ZeroDivisionError")]
