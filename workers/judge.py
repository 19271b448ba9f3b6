"""The audit of a finished game, as a job: a second or less for a long one, and never while somebody waits for it."""

from __future__ import annotations

import redis

from server.evidence.audit import make_audit, unjudged
from server.kernel.logs import log
from workers.context import current
from workers.queues import JOB_TIMEOUT, JUDGE, WorkerContext

MOST = 20  # in a round of the sweeper: a house with thousands of finished games catches up in peace


def judge(game_id: str) -> None:
    """The job; the second one of a game does nothing."""
    make_audit(current().services, game_id)


def ask(ctx: WorkerContext, games: list[str]) -> None:
    """Have these judged, each once; at best effort, since the sweeper asks again."""
    queue = ctx.queue()
    if queue is None:
        return
    try:
        waiting = set(queue.job_ids)
        for game_id in games:
            if f"judge-{game_id}" not in waiting:
                queue.enqueue(JUDGE, game_id, job_id=f"judge-{game_id}", job_timeout=JOB_TIMEOUT, result_ttl=0)
    except redis.RedisError as error:
        log.warning("not-enqueued", error=type(error).__name__)


def sweep_audits(ctx: WorkerContext) -> None:
    """Ask for what was lost on the way, and for games that were over before this house judged any."""
    ask(ctx, unjudged(ctx.services, MOST))
