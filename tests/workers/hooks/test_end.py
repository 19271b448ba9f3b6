"""A process that sends webhooks ends, whatever its libraries make of a cancellation."""

import asyncio
from contextlib import suppress

from workers.hooks import main


def test_a_task_that_misses_a_cancellation_is_cancelled_again():
    """As if it had been a lost connection."""

    async def deaf() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        await asyncio.sleep(3600)

    async def run() -> bool:
        task = asyncio.create_task(deaf())
        await asyncio.sleep(0)
        await main.end(task, pause=0.01)
        return task.cancelled()

    assert asyncio.run(run())
