"""The replies of one worker: lanes that read mails, each with a child of its own to parse them in.

Incoming mail waits only in its rows: each lane polls them every second and reads what is due. Replies to one question
are read one at a time across all lanes, so flooding a question holds up nothing but that question; a mail that uses its
child's whole time holds up one lane for some seconds.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import sqlalchemy as sa

from server.kernel.db.models import InboundMail
from workers.failure_log import FailureLog
from workers.queues import WorkerContext
from workers.replies.child import ReadingChild
from workers.replies.process import is_due, process_in

LANES = 2
EVERY = 1.0  # seconds between two polls
LAST = 5.0  # seconds for the current mail when the process ends
MOST = 16  # mails that a lane considers: if another lane takes one first, it tries the next


class ReplyLanes:
    """Started by a worker; ends with it."""

    def __init__(self, ctx: WorkerContext, lanes: int = LANES) -> None:
        self._ctx = ctx
        self._stop = threading.Event()
        self._failures = FailureLog()
        self._lanes = [
            threading.Thread(target=self._lane, name=f"replies-{lane}", daemon=True) for lane in range(lanes)
        ]

    def start(self) -> None:
        for lane in self._lanes:
            lane.start()

    def drain(self) -> None:
        """Wait until nothing is due."""
        while due(self._ctx, 1) or _is_read(self._ctx):
            time.sleep(0.05)

    def stop(self) -> None:
        """Start nothing new; the current mail has a while to end, otherwise it is read again when its lease ends."""
        self._stop.set()
        end = time.monotonic() + LAST
        for lane in self._lanes:
            lane.join(max(0.0, end - time.monotonic()))

    def _lane(self) -> None:
        child = ReadingChild()
        ctx = replace(self._ctx, read_mail=child.read)
        while not self._stop.is_set():
            if not self._round(ctx):
                self._stop.wait(EVERY)
        child.close()

    def _round(self, ctx: WorkerContext) -> bool:
        """Read one mail; False if there is none to read."""
        try:
            return any(process_in(ctx, number) != "not-due" for number in due(ctx, MOST))
        except Exception as fault:  # noqa: BLE001 - the database may be back in a second, and the rows stay
            self._failures.note("replies", fault)
            return False


def due(ctx: WorkerContext, most: int) -> list[int]:
    """Mails that are due now, longest first: one for each question, and none while one is being read."""
    now, row = ctx.services.now(), InboundMail
    due = sa.select(sa.func.min(row.id)).where(is_due(now)).group_by(row.notification_id)
    read = sa.select(row.notification_id).where(row.state == "leased", row.lease_until > now)
    chosen = sa.select(row.id).where(row.id.in_(due), row.notification_id.not_in(read))
    with ctx.services.database.read() as session:
        return list(session.scalars(chosen.order_by(row.next_at, row.id).limit(most)))


def _is_read(ctx: WorkerContext) -> bool:
    with ctx.services.database.read() as session:
        return session.scalar(sa.select(InboundMail.id).where(InboundMail.state == "leased").limit(1)) is not None
