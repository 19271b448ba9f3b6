"""Jobs of the queue that failed: RQ keeps each for a day, and the rows behind it are found by the loops anyway.

Redis and the database share no transaction. The operator's log is committed first, so no act is without its row; if
Redis does not carry the act out, or does not answer, a second row records that.
"""

from __future__ import annotations

from typing import Any

from redis import RedisError
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.job import Job
from rq.registry import FailedJobRegistry

from server.kernel import operator_log
from server.kernel.errors import Problem
from server.kernel.operator_log import Operator
from server.kernel.services import Services


def failed(services: Services) -> list[dict[str, Any]]:
    """The failed jobs, oldest first, each with the kind of its error; without its facts, which may be hidden."""
    try:
        return [_shown(job) for job in _jobs(_registry(services))]
    except RedisError as error:
        raise _away(error) from None


def _jobs(registry: FailedJobRegistry) -> list[Job]:
    found = Job.fetch_many(registry.get_job_ids(), registry.connection, registry.serializer)
    return sorted((job for job in found if job is not None), key=lambda job: str(job.ended_at))


def _shown(job: Job) -> dict[str, Any]:
    result = job.latest_result()
    said = (result.exc_string or "").strip().splitlines() if result is not None else []
    error = said[-1].partition(":")[0] if said else None
    return {"job": job.id, "does": job.func_name, "args": job.args, "failed_at": job.ended_at, "error": error}


def retry(services: Services, by: Operator, number: str) -> None:
    """Put a failed job into the queue again."""
    _act(services, by, "job-retry", number)


def drop(services: Services, by: Operator, number: str) -> None:
    """Delete a failed job."""
    _act(services, by, "job-drop", number)


def _act(services: Services, by: Operator, act: str, number: str) -> None:
    registry = _registry(services)
    _check_failed(registry, number)
    _log(services, by, act, number)
    try:
        if act == "job-retry":
            registry.requeue(number)
        else:
            registry.remove(number, delete_job=True)
    except (NoSuchJobError, InvalidJobOperation):  # it was retried or forgotten meanwhile
        _log(services, by, f"{act}-failed", number)
        raise Problem("not-found") from None
    except RedisError as error:
        _log(services, by, f"{act}-failed", number)
        raise _away(error) from None


def _check_failed(registry: FailedJobRegistry, number: str) -> None:
    try:
        if number not in registry.get_job_ids():
            raise Problem("not-found")
    except RedisError as error:
        raise _away(error) from None


def _log(services: Services, by: Operator, act: str, number: str) -> None:
    with services.database.write() as session:
        operator_log.record(services, session, by, act, f"job {number}")


def _registry(services: Services) -> FailedJobRegistry:
    if services.settings.redis_url is None:
        raise Problem("unavailable", says="REDIS_URL is not set, so there is no queue.")
    return FailedJobRegistry(queue=services.waker.queue)


def _away(error: RedisError) -> Problem:
    return Problem("unavailable", says=f"Redis does not answer ({type(error).__name__}).")
