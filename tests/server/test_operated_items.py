"""What an operator does with items in quarantine and with failed jobs; the lists of bots and of limits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import redis
import sqlalchemy as sa
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from server.accounts.bots import write as bots
from server.kernel import quarantine
from server.kernel.db.models import Game
from server.kernel.errors import Problem
from server.operate import jobs
from tests.server.harness import BY, WHY, Harness, Player, sqlite_url
from tests.server.metrics import of_rows
from tests.server.test_give_up import run
from tests.server.test_operator_log import acts

LOOP = quarantine.Loop("audits", Game.id)


def rows(hall: Harness, *words: str, **env: str) -> list[dict]:
    done = run(hall, "operate", *words, **env)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.output.splitlines()]


def set_aside(hall: Harness, *keys: str) -> None:
    for key in keys:
        assert quarantine.attempt(hall.services, LOOP, key, lambda: 1 // 0) == []


def due(hall: Harness) -> list[str]:
    """The items that the loop would try now."""
    with hall.services.database.read() as session:
        found = session.scalars(LOOP.any_due(hall.services.now()).limit(9)).all()
    return sorted(found)


# --- quarantine -----------------------------------------------------------------------------------------------------


def test_one_item_in_quarantine_is_tried_again_at_once(each_hall: Harness):
    set_aside(each_hall, "a", "b")
    assert due(each_hall) == []
    assert quarantine.retry(each_hall.services, BY, "audits", "b") == 1
    assert due(each_hall) == ["b"]
    assert acts(each_hall) == [("kim", "quarantine-retry", "audits b", "a test")]


def test_a_dropped_item_is_not_tried_again_until_it_is_named(each_hall: Harness):
    """Nor counted; it stays in the list, and retrying all items leaves it out."""
    set_aside(each_hall, "a", "b")
    assert quarantine.drop(each_hall.services, BY, "audits", "a") == 1
    each_hall.clock.forward(days=400)
    assert due(each_hall) == ["b"]
    assert quarantine.retry(each_hall.services, BY) == 1
    assert {row["key"]: row["dropped"] for row in rows(each_hall, "quarantine", "list")} == {"a": True, "b": False}
    assert of_rows(each_hall.services)['sealedmove_quarantined{loop="audits"}'] == 1
    assert quarantine.forget(each_hall.services) == 0
    assert quarantine.retry(each_hall.services, BY, "audits", "a") == 1
    assert due(each_hall) == ["a", "b"]


def test_the_commands_of_the_quarantine(hall: Harness):
    """They end with an error for an item that is not there, and log nothing then."""
    set_aside(hall, "a")
    assert run(hall, "operate", "quarantine", "retry", *WHY).output == "items to try again: 1\n"
    assert run(hall, "operate", "quarantine", "drop", "audits", "a", *WHY).output == "audits a is dropped\n"
    before = acts(hall)
    for words, status in ((["retry", "audits", "c"], 1), (["drop", "audits", "c"], 1), (["retry", "audits"], 2)):
        assert run(hall, "operate", "quarantine", *words, *WHY).exit_code == status
    assert acts(hall) == before


# --- jobs -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def queued(tmp_path: Path, open_house, redis_url: str) -> Harness:
    """A server with a job that has failed."""
    hall = open_house(sqlite_url(tmp_path), redis_url=redis_url)
    queue: Queue = hall.services.waker.queue
    queue.enqueue("operator.truediv", 1, 0, failure_ttl=60)
    worker = SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer)
    worker.work(burst=True, logging_level="CRITICAL")
    return hall


def test_failed_jobs_are_listed_without_the_facts_of_their_errors(queued: Harness, redis_url: str):
    (job,) = rows(queued, "jobs", "list", REDIS_URL=redis_url)
    assert (job["does"], job["args"], job["error"]) == ("operator.truediv", [1, 0], "ZeroDivisionError")


def test_a_failed_job_is_put_into_the_queue_again(queued: Harness):
    (job,) = jobs.failed(queued.services)
    jobs.retry(queued.services, BY, job["job"])
    assert jobs.failed(queued.services) == []
    assert queued.services.waker.queue.job_ids == [job["job"]]
    assert acts(queued) == [("kim", "job-retry", f"job {job['job']}", "a test")]


def test_a_failed_job_is_deleted(queued: Harness, redis_url: str):
    """Once: then there is none to retry or to delete."""
    (job,) = jobs.failed(queued.services)
    assert run(queued, "operate", "jobs", "drop", job["job"], *WHY, REDIS_URL=redis_url).exit_code == 0
    assert (jobs.failed(queued.services), queued.services.waker.queue.job_ids) == ([], [])
    before = acts(queued)
    for word in ("retry", "drop"):
        assert run(queued, "operate", "jobs", word, job["job"], *WHY, REDIS_URL=redis_url).exit_code == 1
    assert acts(queued) == before


def test_a_job_stays_as_it_is_if_the_act_cannot_be_logged(queued: Harness):
    """The log is committed before Redis acts, so no act is without its row."""
    (job,) = jobs.failed(queued.services)

    def fail(_connection: sa.Connection) -> None:
        raise OSError

    sa.event.listen(queued.services.database.writer, "commit", fail)
    for act in (jobs.retry, jobs.drop):
        with pytest.raises(OSError):
            act(queued.services, BY, job["job"])
    sa.event.remove(queued.services.database.writer, "commit", fail)
    assert jobs.failed(queued.services) == [job]
    assert acts(queued) == []


def test_an_act_that_redis_did_not_answer_is_logged_as_failed(queued: Harness, monkeypatch: pytest.MonkeyPatch):
    """Nobody knows then whether it was carried out."""
    (job,) = jobs.failed(queued.services)

    def hang(*_: object, **__: object) -> None:
        raise redis.TimeoutError

    monkeypatch.setattr(jobs.FailedJobRegistry, "requeue", hang)
    with pytest.raises(Problem, match="Redis does not answer"):
        jobs.retry(queued.services, BY, job["job"])
    about = f"job {job['job']}"
    assert [row[1:3] for row in acts(queued)] == [("job-retry", about), ("job-retry-failed", about)]


@pytest.mark.parametrize(
    ("url", "says"), [("", "REDIS_URL is not set"), ("unix:///nowhere/redis.sock", "Redis does not answer")]
)
def test_without_redis_the_jobs_cannot_be_listed(hall: Harness, url: str, says: str):
    done = run(hall, "operate", "jobs", "list", REDIS_URL=url)
    assert (done.exit_code, says in done.output) == (1, True)


# --- lists ----------------------------------------------------------------------------------------------------------


def test_bots_are_listed_with_their_owners(hall: Harness, two: list[Player]):
    made = two[0].post("/me/bots", {"name": "Deep"}).get_json()
    number, _ = bots.create_house(hall.services, BY, "York", "fair")
    shown = [(row["id"], row["owner_id"], row["level"]) for row in rows(hall, "bots")]
    assert shown == [(made["id"], two[0].account, None), (number, None, "fair")]


def test_the_limits_of_the_settings_are_listed(hall: Harness):
    shown = {row["limit"]: row["value"] for row in rows(hall, "limits", LIMIT_LOGIN="7/minute")}
    assert (shown["LIMIT_LOGIN"], shown["MOST_STREAMS"]) == ("7/minute", 4000)
