"""Holidays, pauses and outages, killed between any two statements: nothing is lost, nothing happens twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Game, Holiday, Outage
from server.kernel.text import iso
from server.play.write import expire
from server.tables.calendar import holidays, outages, pauses
from tests.server import surfaces
from tests.server.harness import Harness, Player
from tests.server.kills import KilledError, killed_at
from tests.server.test_deadlines import CLOCK, kinds, mover
from tests.server.test_holidays import due
from workers.calendars import follow

pytestmark = pytest.mark.slow
DAY, MOST = timedelta(days=1), 200


class Scene:
    """A table with a host, the player who owes a move there, and the deadline that they were told."""

    def __init__(self, hall: Harness, people: list[Player]) -> None:
        self.hall, self.people = hall, people
        with hall.services.database.write() as session:
            for table in (Holiday, Outage):
                session.execute(sa.delete(table))
            session.execute(sa.update(Game).values(status="cancelled"))  # so that no statement is for earlier scenes
        outages.beat(hall.services)
        self.game = hall.game("pig", people, clock=CLOCK, host_pause=14)
        self.player = mover(hall, people, self.game)
        self.told = self.due

    @property
    def due(self) -> datetime:
        return due(self.hall, self.game, self.player)

    def announce(self) -> None:
        holidays.announce(self.hall.services, self.player.account, None, 3)

    def pause(self) -> None:
        pauses.pause(self.hall.services, self.game, self.people[0].account, self.hall.clock() + 3 * DAY)

    def give_back(self) -> None:
        outages.beat(self.hall.services)
        follow(surfaces.context(self.hall))


def announced(scene: Scene) -> Callable[[], None]:
    return scene.announce


def ended(scene: Scene) -> Callable[[], None]:
    scene.announce()
    mine = scene.player.get("/me/holidays").get_json()["holidays"][0]["id"]
    return lambda: holidays.end(scene.hall.services, scene.player.account, mine)


def paused(scene: Scene) -> Callable[[], None]:
    return scene.pause


def given_back(scene: Scene) -> Callable[[], None]:
    scene.hall.clock.forward(hours=6)
    return scene.give_back


VERBS = {"announce": announced, "end": ended, "pause": paused, "give back": given_back}


@pytest.mark.parametrize("verb", VERBS)
def test_a_killed_verb_is_whole_after_it_is_repeated(any_hall: Harness, verb):
    """The same deadline as without the kill; until then nobody is played for before the deadline they were told."""
    people = [any_hall.player(number) for number in range(2)]
    gained = None
    for number in range(1, MOST):
        scene = Scene(any_hall, people)
        act, done = VERBS[verb](scene), False
        try:
            with killed_at(any_hall, number):
                act()
                done = True
        except KilledError:
            pass
        between = scene.due
        assert not expire(any_hall.services, scene.game, scene.player.seat)
        act()
        follow(surfaces.context(any_hall))
        assert surfaces.last_event(any_hall, scene.player, scene.game)["deadline"] == iso(scene.due)
        assert scene.told <= between
        gained = scene.due - scene.told if gained is None else gained
        assert scene.due - scene.told == gained
        assert kinds(any_hall, scene.game)[-1] == "started"
        if done:
            assert number > 5
            return
    raise AssertionError("the verb does not end")
