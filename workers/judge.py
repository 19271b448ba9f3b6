"""The audit of a finished game, as a job. A long game takes up to a second, and no request waits for it."""

from __future__ import annotations

import redis

from server.evidence.audit import make_audit, unjudged
from server.kernel.logs import log
from workers.context import current
from workers.queues import JOB_TIMEOUT, JUDGE, WorkerContext

MOST = 20  # per round of the sweeper, so that thousands of finished games do not crowd out other jobs


def judge(game_id: str) -> None:
    """Audit a game, unless that is done already."""
    make_audit(current().services, game_id)


def ask(ctx: WorkerContext, games: list[str]) -> None:
    """Enqueue the audits of these games. If that fails, the sweeper does it again."""
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
    """Enqueue audits that were lost, and those of games that ended before there were audits."""
    ask(ctx, unjudged(ctx.services, MOST))
