"""The standing auditor: a thread of the worker that judges the games that are due, one after the other.

It takes only a share of a processor's time: after each audit it rests as long as the share demands. So many games
that end at once, or thousands that were never audited, delay no mail.
"""

from __future__ import annotations

import threading
import time
from datetime import datetime

from server.evidence import audit
from server.kernel import quarantine
from server.kernel.db.models import Game
from workers.failure_log import FailureLog
from workers.queues import WorkerContext

LOOP = quarantine.Loop("audits", Game.id)
EVERY = 5.0  # seconds between two looks when no game is due
LAST = 2.0  # seconds for the current audit when the process ends; otherwise another process makes it


class Auditor:
    """Started by a worker; ends with it."""

    def __init__(self, ctx: WorkerContext) -> None:
        self._ctx = ctx
        self._stop = threading.Event()
        self._failures = FailureLog()
        self._thread = threading.Thread(target=self._serve, name="auditor", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(LAST)

    def _serve(self) -> None:
        while not self._stop.is_set():
            begun = time.thread_time()
            has_more = self._round()
            rest = pause(time.thread_time() - begun, self._ctx.services.settings.audit_share)
            self._stop.wait(rest if has_more else max(rest, EVERY))

    def _round(self) -> bool:
        try:
            return audit_next(self._ctx)
        except Exception as fault:  # noqa: BLE001 - the database may be back at the next look
            self._failures.note("auditor", fault)
            return False


def audit_next(ctx: WorkerContext) -> bool:
    """Audit the game that has been due longest, and one whose audit failed before; False if nothing was due."""
    tried: list[str] = []

    def act(game_id: str, at: datetime) -> None:
        tried.append(game_id)
        audit.make_audit(ctx.services, game_id, at)

    quarantine.process(ctx.services, LOOP, audit.due(ctx.services.now()), 1, act, retries=1)
    return bool(tried)


def pause(used: float, share: int) -> float:
    """How long to rest after this much work, in seconds, at a share in percent of one processor."""
    return used * (100 - share) / share
