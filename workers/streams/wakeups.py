"""Messages from Redis: names of what has changed (`server.kernel.services`). Without it events are late, not lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

import redis.asyncio
from redis.exceptions import RedisError

from server.kernel.logs import log
from server.kernel.services import EVENTS

AGAIN = 1.0  # seconds


async def listen(redis_url: str, wake_up: Callable[[Iterable[str]], None]) -> None:
    """Listen forever, and reconnect as often as needed."""
    while True:
        try:
            await _hear(redis_url, wake_up)
        except (RedisError, OSError) as error:
            log.warning("no-pokes", error=type(error).__name__)
        await asyncio.sleep(AGAIN)


async def _hear(redis_url: str, wake_up: Callable[[Iterable[str]], None]) -> None:
    connection = redis.asyncio.Redis.from_url(redis_url, socket_connect_timeout=5, health_check_interval=30)
    async with connection, connection.pubsub() as heard:
        await heard.subscribe(EVENTS)
        async for message in heard.listen():
            if message["type"] == "message":
                wake_up(message["data"].decode("ascii", "replace").split())
