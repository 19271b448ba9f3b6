"""Wake-ups from Redis. Without Redis the process checks the rows every second all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import redis.asyncio as redis

from server.kernel.services import EVENTS

AGAIN = 1.0  # seconds until a lost connection is tried anew


def listen(redis_url: str | None, wake_up: Callable[[], None]) -> asyncio.Task[None]:
    """Call `wake_up` for each message, until cancelled."""
    return asyncio.create_task(_listen(redis_url, wake_up))


async def _listen(redis_url: str | None, wake_up: Callable[[], None]) -> None:
    while redis_url is not None:
        try:
            await _subscribe(redis_url, wake_up)
        except (redis.RedisError, OSError):
            await asyncio.sleep(AGAIN)


async def _subscribe(redis_url: str, wake_up: Callable[[], None]) -> None:
    """Also wake once after subscribing, since earlier messages were not received."""
    async with redis.Redis.from_url(redis_url, health_check_interval=30) as client, client.pubsub() as channel:
        await channel.subscribe(EVENTS)
        async for _ in channel.listen():
            wake_up()
