"""The audit of a finished game: made once by a job, shown unchanged, and only for its own log."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from server.evidence.audit import make_audit, unjudged
from server.evidence.read import NONE, found_audit
from server.kernel.db.models import Audit
from workers.clock import round_of
from workers.judge import judge
from workers.queues import JUDGE, open_queue


def finished(house, kind="bids"):
    """A game played to its end by default moves."""
    game = house.game(kind)
    while house.table(game).stage == "running":
        house.play_default(game)
    return game


def test_a_finished_game_is_judged_once(house):
    """The verdict on the public bundle; a second job finds it."""
    game = finished(house)
    assert found_audit(house.services, game) == NONE
    assert make_audit(house.services, game) is True
    told = found_audit(house.services, game)
    assert told["verdict"] == "holds"
    assert told["says"].startswith("holds: a finished game, under a key that was compared with nothing\n  ok   chain")
    assert make_audit(house.services, game) is False
    assert unjudged(house.services, 10) == []


def test_a_running_game_is_not_judged(house):
    game = house.game()
    assert make_audit(house.services, game) is False
    assert unjudged(house.services, 10) == []
    assert found_audit(house.services, game) == NONE


def test_a_verdict_counts_for_its_own_log(house):
    """With another last entry there is none, until it is made again."""
    game = finished(house)
    make_audit(house.services, game)
    with house.services.database.write() as session:
        session.execute(sa.update(Audit).values(head_hash=bytes(32)))
    assert found_audit(house.services, game) == NONE
    assert unjudged(house.services, 10) == [game]
    assert make_audit(house.services, game) is True
    assert found_audit(house.services, game)["verdict"] == "holds"


@pytest.mark.slow
def test_the_end_of_a_game_and_the_clock_queue_the_audit(house, redis_url):
    """With the mails of the end; if the job is lost, a round of the clock queues it again, once."""
    queue = open_queue(redis_url)
    object.__setattr__(house.ctx, "queue", lambda: queue)
    game = finished(house)
    house.react()
    asked = [job for job in queue.jobs if job.func_name == JUDGE]
    assert [(job.id, job.args) for job in asked] == [(f"judge-{game}", [game])]
    asked[0].delete()
    for _ in range(2):
        round_of(house.ctx)
    assert [job.id for job in queue.jobs if job.func_name == JUDGE] == [f"judge-{game}"]


def test_the_job_accepts_an_id(house, monkeypatch):
    """As the queue calls it, in the context of its process."""
    game = finished(house, "pig")
    monkeypatch.setattr("workers.context._open", [house.ctx])
    judge(game)
    assert found_audit(house.services, game)["verdict"] == "holds"


def test_a_fault_of_the_auditor_is_not_a_verdict(house, monkeypatch):
    """It is reported as a fault, and not retried for ever."""
    game = finished(house, "pig")
    monkeypatch.setattr("server.evidence.audit.audit.audit", lambda _: 1 / 0)
    make_audit(house.services, game)
    assert found_audit(house.services, game)["verdict"] == "unknown"
    assert "a fault of this auditor" in found_audit(house.services, game)["says"]
    assert unjudged(house.services, 10) == []
