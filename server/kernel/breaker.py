"""The connections of a process to Redis, behind a circuit breaker: a Redis that hangs costs one second, once.

All uses share one pool: the limiter, the wakes, the kept notes. The first command that gets no answer within `PATIENCE`
opens the breaker. From then on every use fails at once, as without Redis, and does without it. A thread pings Redis
every second and closes the breaker once it answers, so no request ever waits for that
(docs/adr/redis-away.md).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.connection import ConnectionPool
from redis.retry import Retry

from server.kernel import metrics
from server.kernel.logs import log

PATIENCE = 1.0  # seconds for an answer, and between two checks whether Redis is back
BRIEF = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE, "retry": Retry(NoBackoff(), 0)}
AWAY = (redis.ConnectionError, redis.TimeoutError)
SILENT = "Redis does not answer."
REFUSES = "Redis refuses the user or the password of REDIS_URL, or needs one."


class Breaker:
    """Open while Redis does not answer. Thread-safe."""

    def __init__(self, failure: Callable[[], Exception | None]) -> None:
        self.is_open = False
        self.why = SILENT
        self._is_closed = threading.Event()
        self._failure = failure
        self._lock = threading.Lock()

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Open the breaker if the block gets no answer."""
        try:
            yield
        except AWAY as error:
            self._open(error)
            raise

    def _open(self, error: Exception) -> None:
        with self._lock:
            if self.is_open:
                return
            self.is_open = True
        metrics.REDIS_AWAY.inc()
        self._report(error)
        threading.Thread(target=self._close_when_back, name="redis-probe", daemon=True).start()

    def _report(self, error: Exception) -> None:
        self.why = _why(error)
        log.error("redis-away", error=type(error).__name__)

    def _close_when_back(self) -> None:
        """What is wrong may change meanwhile: a server that was restarted may require a password."""
        while (error := self._failure()) is not None:
            if _why(error) != self.why:
                self._report(error)
            if self._is_closed.wait(PATIENCE):
                return
        self.is_open = False
        log.info("redis-back")

    def close(self) -> None:
        """Ask no more: nobody uses the connections from now on."""
        self._is_closed.set()


class WatchedConnection:
    """A mixin for connections of each kind (TCP, TLS, Unix socket), under the breaker of their pool."""

    breaker: Breaker

    def connect(self) -> None:
        with self.breaker.watch():
            super().connect()  # type: ignore[misc]  # of redis-py

    def send_packed_command(self, *given: Any, **more: Any) -> None:
        with self.breaker.watch():
            super().send_packed_command(*given, **more)  # type: ignore[misc]  # of redis-py

    def read_response(self, *given: Any, **more: Any) -> Any:
        with self.breaker.watch():
            return super().read_response(*given, **more)  # type: ignore[misc]  # of redis-py


class GuardedPool(ConnectionPool):
    """A pool that gives no connection while the breaker is open."""

    breaker: Breaker

    def get_connection(self, *given: Any, **more: Any) -> Any:
        if self.breaker.is_open:
            raise redis.ConnectionError("Redis does not answer")
        return super().get_connection(*given, **more)


def guarded_pool(url: str) -> GuardedPool:
    """The pool of a process. Nothing connects before it is used."""
    pool = GuardedPool.from_url(url, **BRIEF)
    pool.breaker = Breaker(lambda: _failure(url))
    kind = pool.connection_class
    pool.connection_class = type(f"Watched{kind.__name__}", (WatchedConnection, kind), {"breaker": pool.breaker})
    return pool


def _why(error: Exception) -> str:
    return REFUSES if isinstance(error, redis.AuthenticationError) else SILENT


def _failure(url: str) -> Exception | None:
    try:
        with redis.Redis.from_url(url, **BRIEF) as client:
            client.ping()
    except Exception as error:  # noqa: BLE001 - whatever it is, the check is repeated
        return error
    return None
