"""A worker that is killed while it hands letters over sends at most one of them again."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

import pytest

from tests.kit.patience import until
from tests.workers.harness import Sink
from tests.workers.live.test_law import drain, ids
from tests.workers.processes import CLOCK, WORKER

pytestmark = pytest.mark.slow

KILLS, GAMES = 6, 30


class Unhurried(Sink):
    """Has a letter before it says so: each answer takes a while, in which `before` may end the worker."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        answer = await super().handle_DATA(server, session, envelope)
        await asyncio.sleep(0.05)
        return answer


@pytest.fixture
def sink():
    made = Unhurried()
    yield made
    made.stop()


@pytest.fixture
def database_url(tmp_path):
    """SQLite only: the law of mail runs on both databases."""
    return f"sqlite:///{tmp_path / 'house.db'}"


def test_a_kill_makes_at_most_one_second_copy(house, sink, crew):
    """All lanes are busy, and the relay has taken whatever it was sent."""
    dice, left = random.Random(7), [0]

    def count_down() -> None:
        left[0] -= 1
        if left[0] == 0:
            crew.kill("worker")

    sink.before = count_down
    for _ in range(GAMES):
        house.game(clock=None)
    crew.start("clock", CLOCK)
    for kills in range(1, KILLS + 1):
        left[0] = dice.randint(1, 6)
        crew.start("worker", WORKER)
        until(lambda so_far=kills: len(crew.killed) == so_far, "the worker was not killed")
    crew.start("worker", WORKER)
    drain(house, crew)
    copies = Counter(ids(sink))
    assert len(copies) == 2 * GAMES
    assert sum(times - 1 for times in copies.values()) <= KILLS
