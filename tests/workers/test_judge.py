"""The audit of a finished game: made by a job, once, shown as it was found, and never of another log."""

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
    """A game that was played to its end by what its clock would do."""
    game = house.game(kind)
    while house.table(game).stage == "running":
        house.play_default(game)
    return game


def test_a_finished_game_is_judged_once(house):
    """The verdict of the file that everybody gets; the second job finds it made."""
    game = finished(house)
    assert found_audit(house.services, game) == NONE
    assert make_audit(house.services, game) is True
    told = found_audit(house.services, game)
    assert told["verdict"] == "holds"
    assert told["says"].startswith("holds: a finished game, under a key that was compared with nothing\n  ok   chain")
    assert make_audit(house.services, game) is False
    assert unjudged(house.services, 10) == []


def test_a_game_that_runs_is_not_judged(house):
    """Nothing is kept, and nobody is asked for it."""
    game = house.game()
    assert make_audit(house.services, game) is False
    assert unjudged(house.services, 10) == []
    assert found_audit(house.services, game) == NONE


def test_a_verdict_counts_for_the_log_that_it_was_made_of(house):
    """With another last entry there is none, until it is made anew."""
    game = finished(house)
    make_audit(house.services, game)
    with house.services.database.write() as session:
        session.execute(sa.update(Audit).values(head_hash=bytes(32)))
    assert found_audit(house.services, game) == NONE
    assert unjudged(house.services, 10) == [game]
    assert make_audit(house.services, game) is True
    assert found_audit(house.services, game)["verdict"] == "holds"


@pytest.mark.slow
def test_the_end_and_the_clock_ask_for_it(house, redis_url):
    """With the mails of the end a job is queued; if it is lost, a round of the clock queues it again, once."""
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


def test_the_job_takes_an_id(house, monkeypatch):
    """As the queue calls it, in the context of its process."""
    game = finished(house, "pig")
    monkeypatch.setattr("workers.context._open", [house.ctx])
    judge(game)
    assert found_audit(house.services, game)["verdict"] == "holds"


def test_a_fault_of_the_auditor_says_nothing_of_the_game(house, monkeypatch):
    """It is told as what it is, and not tried again for ever."""
    game = finished(house, "pig")
    monkeypatch.setattr("server.evidence.audit.audit.audit", lambda _: 1 / 0)
    make_audit(house.services, game)
    assert found_audit(house.services, game)["verdict"] == "unknown"
    assert "a fault of this auditor" in found_audit(house.services, game)["says"]
    assert unjudged(house.services, 10) == []
