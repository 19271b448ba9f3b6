"""The context of this process: set when it starts, or opened from the environment when the first job needs it."""

from __future__ import annotations

from workers.queues import WorkerContext, open_context

_open: list[WorkerContext] = []


def use(ctx: WorkerContext) -> WorkerContext:
    """Set the context for all jobs of this process."""
    _open[:] = [ctx]
    return ctx


def current() -> WorkerContext:
    return _open[0] if _open else use(open_context())
