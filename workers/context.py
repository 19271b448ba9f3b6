"""The context of this process: opened by whoever starts it, or from the environment when the first job needs it."""

from __future__ import annotations

from workers.queues import WorkerContext, open_context

_open: list[WorkerContext] = []


def use(ctx: WorkerContext) -> WorkerContext:
    """From here on, jobs of this process work in this context."""
    _open[:] = [ctx]
    return ctx


def current() -> WorkerContext:
    return _open[0] if _open else use(open_context())
