"""After a commit: tell the workers by name, at best effort. What gets lost here the sweeper finds in the outbox.

Jobs are named by strings and take ids only; `workers.dispatch.dispatch(outbox_id)` is the one that the web wakes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from server import metrics
from server.logs import log

QUEUE = "sealedmove"
DISPATCH = "workers.dispatch.dispatch"


class Waker:
    """Enqueues jobs; without a Redis URL it does nothing."""

    def __init__(self, redis_url: str | None) -> None:
        self._redis_url = redis_url

    @cached_property
    def redis(self) -> Any:
        """The connection, made on first use; short timeouts, since a request waits."""
        import redis

        return redis.Redis.from_url(self._redis_url or "", socket_timeout=1, socket_connect_timeout=1)

    @cached_property
    def _queue(self) -> Any:
        from rq import Queue
        from rq.serializers import JSONSerializer

        return Queue(QUEUE, connection=self.redis, serializer=JSONSerializer)

    def wake(self, outbox_ids: Iterable[int]) -> None:
        """Enqueue the dispatch of these outbox rows. They are committed: nothing is lost if this fails."""
        if self._redis_url is None:
            return
        import redis

        try:
            for number in outbox_ids:
                self._queue.enqueue(DISPATCH, number, job_timeout=60, result_ttl=0, failure_ttl=86400)
        except redis.RedisError as error:
            metrics.WAKES_FAILED.inc()
            log.warning("not-woken", error=type(error).__name__)
