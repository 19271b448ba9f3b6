"""Messages from Redis: names of what has changed (`server.kernel.services`). Without it events are late, not lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

import redis.asyncio
from redis.exceptions import RedisError

from server.kernel.services import EVENTS
from workers.outage_log import OutageLog

AGAIN = 1.0  # seconds


async def listen(redis_url: str, wake_up: Callable[[Iterable[str]], None]) -> None:
    """Listen forever, and reconnect as often as needed."""
    outage = OutageLog("no-pokes", "pokes-back")
    while True:
        try:
            await _hear(redis_url, wake_up, outage)
        except (RedisError, OSError) as error:
            outage.note(f"{type(error).__name__}: {error}")
        await asyncio.sleep(AGAIN)


async def _hear(redis_url: str, wake_up: Callable[[Iterable[str]], None], outage: OutageLog) -> None:
    connection = redis.asyncio.Redis.from_url(redis_url, socket_connect_timeout=5, health_check_interval=30)
    async with connection, connection.pubsub() as heard:
        await heard.subscribe(EVENTS)
        outage.note(None)
        async for message in heard.listen():
            if message["type"] == "message":
                wake_up(message["data"].decode("ascii", "replace").split())
