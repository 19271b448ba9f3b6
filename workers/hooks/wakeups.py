"""Redis says that there is something to look at; without it the process looks each second all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import redis.asyncio as redis

from server.wake import EVENTS

AGAIN = 1.0  # seconds until a lost connection is tried anew


def listen(redis_url: str | None, look: Callable[[], None]) -> asyncio.Task[None]:
    """Call `look` at each poke, until cancelled."""
    return asyncio.create_task(_listen(redis_url, look))


async def _listen(redis_url: str | None, look: Callable[[], None]) -> None:
    while redis_url is not None:
        try:
            await _subscribe(redis_url, look)
        except (redis.RedisError, OSError):
            await asyncio.sleep(AGAIN)


async def _subscribe(redis_url: str, look: Callable[[], None]) -> None:
    """Looks after subscribing too: what was poked before was for nobody."""
    async with redis.Redis.from_url(redis_url, health_check_interval=30) as client, client.pubsub() as channel:
        await channel.subscribe(EVENTS)
        async for _ in channel.listen():
            look()
