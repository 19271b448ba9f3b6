"""Calendars, moves and clocks at once: whichever comes first, every seat has the deadline that follows from both."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest

from server.play.write import expire, submit
from server.tables.calendar import holidays, outages, pauses
from tests.server import surfaces
from tests.server.harness import Harness, Player
from tests.server.test_deadlines import CLOCK, kinds, mover
from tests.server.test_holidays import due, take_days
from workers.calendars import follow
from workers.deadlines import tick

DAY = timedelta(days=1)


@pytest.fixture
def people(each_hall: Harness) -> list[Player]:
    return [each_hall.player(number) for number in range(2)]


@pytest.fixture
def asked(each_hall: Harness, people: list[Player]) -> tuple[str, Player]:
    game = each_hall.game("pig", people, clock=CLOCK, host_pause=14)
    return game, mover(each_hall, people, game)


def at_once(*acts: Callable[[], object]) -> list[object]:
    """The result of each; a fault in one of them fails the test."""
    done: dict[int, object] = {}

    def run(number: int) -> None:
        done[number] = acts[number]()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(acts))]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return [done[number] for number in range(len(acts))]


@pytest.mark.parametrize("first", [0, 1])
def test_a_pause_and_a_clock(each_hall: Harness, people: list[Player], asked, first):
    """If the clock has not played, the pause counts."""
    game, player = asked
    each_hall.clock.at = due(each_hall, game, player)
    host = people[0].account
    acts = [
        lambda: expire(each_hall.services, game, player.seat),
        lambda: pauses.pause(each_hall.services, game, host, each_hall.clock.at + 3 * DAY),
    ]
    done = at_once(*acts) if first == 0 else at_once(*acts[::-1])[::-1]
    assert done[1]
    assert (kinds(each_hall, game)[-1] == "expired") == done[0]
    if not done[0]:
        assert due(each_hall, game, player) == each_hall.clock.at + 3 * DAY


def test_the_end_of_a_holiday_and_a_move(each_hall: Harness, people: list[Player], asked):
    """It ends once, and all tables follow."""
    elsewhere, player = asked
    games = (each_hall.game("pig", people, clock=CLOCK) for _ in range(9))
    game = next(one for one in games if mover(each_hall, people, one) is player)
    made = take_days(player, 5).get_json()["id"]
    told = due(each_hall, elsewhere, player)
    each_hall.clock.forward(hours=30)
    body = player.signed_move(game, [player.legal(game)[-1]])["jws"]
    at_once(
        lambda: submit(each_hall.services, game, body),
        lambda: holidays.end(each_hall.services, player.account, made),
        lambda: follow(surfaces.context(each_hall)),
    )
    follow(surfaces.context(each_hall))
    row = surfaces.seat(each_hall, elsewhere, player.seat)
    assert row.promised + timedelta(hours=30) == row.deadline < told
    assert player.get("/me/holidays").get_json()["holidays"] == []


def test_an_outage_and_two_clocks(each_hall: Harness, asked):
    """It is given back once, and nobody is played for."""
    game, player = asked
    outages.beat(each_hall.services)
    told, begun = due(each_hall, game, player), each_hall.clock.at
    each_hall.clock.at = told + timedelta(hours=1)
    ctx = surfaces.context(each_hall)

    def a_round() -> None:
        outages.beat(each_hall.services)
        follow(ctx)
        tick(ctx)

    at_once(a_round, a_round, lambda: expire(each_hall.services, game, player.seat), a_round)
    assert "expired" not in kinds(each_hall, game)
    assert due(each_hall, game, player) == told + (each_hall.clock.at - begun)


def test_two_announcements_spend_one_holiday(each_hall: Harness, people: list[Player]):
    account = people[0].account
    at_once(*[lambda: holidays.announce(each_hall.services, account, None, 3)] * 3)
    assert people[0].get("/me/holidays").get_json()["left"] == 2


def test_two_pauses_spend_their_days_once(each_hall: Harness, people: list[Player], asked):
    game, player = asked
    told, until = due(each_hall, game, player), each_hall.clock.at + 5 * DAY
    at_once(*[lambda: pauses.pause(each_hall.services, game, people[0].account, until)] * 3)
    assert pauses.shown(each_hall.services, game)["host_pause"] == 9
    assert due(each_hall, game, player) == told + 5 * DAY
