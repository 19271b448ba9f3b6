"""The mailer of a worker: a loop that leases mails and stores results in groups, and lanes that send them.

    outbox ──dispatch──► notification rows ──lease, 25 at once──► in_flight ──► lanes ──► SMTP
                                   ▲                                        │
                                   └──── note: at once what was sent, ──────┘
                                         everything else in groups

Each lane is a thread with its own connection to the relay. The loop polls the rows every second; a wake-up only makes
it poll sooner. One lane sends sign-in mails only, and every other lane sends them first, so a slow relay or a flood of
other mails does not delay them. A lane stores at once that its mail was sent, and only then may another lane end its
letter: a process that is killed leaves at most one mail that the relay has and no row records. If that fails, the loop
tries again, and the lane sends nothing until then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import sqlalchemy as sa

from server.kernel import quarantine
from server.kernel.db.models import Notification
from server.kernel.logs import apart, bind_request, log
from workers.dispatch import dispatch_first
from workers.failure_log import FailureLog
from workers.mail import leases
from workers.mail.deliver import deliver
from workers.mail.handover import HandoverTurn
from workers.mail.in_flight import MailsInFlight
from workers.mail.leases import FIRST, LeasedMail, MailResult
from workers.mail.smtp import KeptConnection
from workers.outage_log import OutageLog
from workers.queues import WorkerContext

RESULTS = quarantine.Loop("mail-results", Notification.id)
LANES = 4  # the first of them for sign-in mails alone
BATCH = 25
LOW = 8  # mails waiting for a lane, below which the next group is leased
LONG = 200  # due mails, above which pictures are left out: drawing takes longer than everything else
EVERY = 1.0  # seconds between two polls
IDLE = 10.0  # seconds until an unused connection is closed
LAST = 5.0  # seconds for open transfers to finish when the process ends


class Mailer:
    """The mailer of a worker, which starts and ends it."""

    def __init__(self, ctx: WorkerContext, lanes: int = LANES) -> None:
        self.ctx = replace(ctx, wake_up=self.wake_up)
        self.in_flight = MailsInFlight()
        self._turn, self._relay = HandoverTurn(), OutageLog("relay-away", "relay-back")
        self._has_opened = threading.Event()  # a connection to the relay, since mails that waited for one were released
        self._failures = FailureLog()
        self._plain = replace(self.ctx, draw=lambda _: None)
        self._is_long = False
        self._has_more = {True: False, False: False}  # sign-in mails, and all others
        self._looked = self._renewed = 0.0
        self._leasing = threading.Lock()  # held until what was leased is in flight: in between, nothing is due or held
        self._loop = threading.Thread(target=self._serve, name="mail", daemon=True)
        self._lanes = [
            threading.Thread(target=self._lane, args=(lane == 0,), name=f"mail-{lane}", daemon=True)
            for lane in range(lanes)
        ]

    def start(self) -> None:
        for thread in (self._loop, *self._lanes):
            thread.start()

    def wake_up(self) -> None:
        """Wake the mailer: there may be new mail."""
        self.in_flight.wake_up()

    def drain(self) -> None:
        """Wait until nothing is due."""
        while self._is_busy():
            self.wake_up()
            time.sleep(0.05)

    def _is_busy(self) -> bool:
        with self._leasing:
            return bool(self.in_flight.held()) or self._is_due()

    def stop(self) -> None:
        """Take no more mail, let open transfers finish for a while, and give back the rest."""
        self.in_flight.close()
        end = time.monotonic() + LAST
        for thread in (*self._lanes, self._loop):
            thread.join(max(0.0, end - time.monotonic()))
        self._try(self._note)
        self._try(lambda: self._note_each(self.in_flight.aside()))
        self._try(lambda: leases.give_back(self.ctx, self.in_flight.untried()))

    # --- the loop -----------------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        woken = True
        while not self.in_flight.is_closed:
            if not self._try(lambda told=woken: self._round(is_told=told)):  # type: ignore[misc]  # bound at once
                time.sleep(EVERY)
            woken = self.in_flight.wait(EVERY, lambda: any(map(self._lacks, (True, False))))

    def _try(self, part: Callable[[], None]) -> bool:
        try:
            part()
        except Exception as fault:  # noqa: BLE001 - the database may be back in a second, and the rows stay
            self._failures.note("mail", fault)
            return False
        return True

    def _round(self, *, is_told: bool) -> None:
        self._note()
        self._renew()
        self._release()
        is_time = time.monotonic() - self._looked >= EVERY
        if is_told or is_time:
            dispatch_first(self.ctx, FIRST, BATCH)  # the worker's main thread may be busy with a long job
        for first in (True, False):
            if is_told or is_time or self._lacks(first):
                self._take(first)
        if is_time:
            self._take_late()
            self._looked = time.monotonic()

    def _lacks(self, first: bool) -> bool:
        """True if more mail should be leased than is waiting here."""
        return self._has_more[first] and self.in_flight.waiting(first=first) < LOW

    def _note(self) -> None:
        """Store all results in one transaction; if that fails, each alone, so that one cannot hold up the others."""
        ends = self.in_flight.ended()
        if not ends:
            return
        try:
            self._store(ends)
            self.in_flight.noted(ends)
        except Exception:  # noqa: BLE001 - the one that failed is found, set aside and logged here
            self._note_each(ends)

    def _note_each(self, ends: list[MailResult]) -> None:
        """Results that fail stay here, with their leases, so that no other process sends the mail again."""
        for end in ends:
            if quarantine.attempt(self.ctx.services, RESULTS, end.of.id, partial(self._store, [end])):
                self.in_flight.noted([end])
            else:
                self.in_flight.set_aside(end)

    def _store(self, ends: list[MailResult]) -> None:
        with self.ctx.services.database.write() as session:
            leases.store_results(session, ends)
        for end in ends:
            apart(partial(_log, end))

    def _renew(self) -> None:
        held = self.in_flight.held()
        if held and time.monotonic() - self._renewed >= self.ctx.pace.lease / 3:
            until = self._until()
            self.in_flight.renewed(leases.renew(self.ctx, held), until)
            self._renewed = time.monotonic()
            self._note_each(self.in_flight.aside())

    def _release(self) -> None:
        """Once a connection is open, make due what waits only because there was none."""
        if self._has_opened.is_set():
            leases.release(self.ctx)
            self._has_opened.clear()

    def _until(self) -> datetime:
        """Shortly before the lease ends; later transfers are not started."""
        return self.ctx.services.now() + timedelta(seconds=self.ctx.pace.lease * 0.8)

    def _take(self, first: bool) -> None:
        """Lease a group, unless enough mails are waiting here."""
        if self.in_flight.waiting(first=first) >= LOW:
            return
        self._has_more[first] = self._lease(leases.waiting(self.ctx.services.now()), first) == BATCH
        if not first:
            self._is_long = self._has_more[first] and self._is_due(LONG)

    def _take_late(self) -> None:
        """Lease mails that others left, even when busy, but no more than the lanes can send."""
        for first in (True, False):
            if self.in_flight.waiting(first=first) < 2 * BATCH:
                self._lease(leases.late(self.ctx.services.now()), first)

    def _lease(self, where: leases.Where, first: bool) -> int:
        until = self._until()  # counted from before the query, which may take a while
        is_first = Notification.kind.in_(FIRST)
        with self._leasing:
            got = leases.lease(self.ctx, BATCH, where, is_first if first else ~is_first)
            self._renewed = self._renewed if self.in_flight.held() else time.monotonic()
            self.in_flight.add(got, until)
        return len(got)

    def _is_due(self, more_than: int = 0) -> bool:
        due = sa.select(Notification.id).where(leases.waiting(self.ctx.services.now()))
        with self.ctx.services.database.read() as session:
            return session.scalar(due.offset(more_than).limit(1)) is not None

    # --- a lane -------------------------------------------------------------------------------------------------------

    def _lane(self, first_only: bool) -> None:
        line = KeptConnection(self.ctx.smtp, self._turn.take, self._opened)
        while not self.in_flight.is_closed:
            one = self.in_flight.take(first_only=first_only, patience=IDLE)
            if one is None:
                line.close()
            elif self.in_flight.is_ours(one, self.ctx.services.now()):
                self._send(one, line)
            else:
                self.in_flight.forget(one)
        line.close()

    def _opened(self, why: str | None) -> None:
        """An attempt to open a connection has failed, or `why` is None."""
        self._relay.note(why)
        if why is None:
            self._has_opened.set()

    def _send(self, one: LeasedMail, line: KeptConnection) -> None:
        """Store at once that it was sent, while no other lane can end a letter."""
        try:
            end = deliver(self._plain if self._is_long else self.ctx, one, line)
            if end.state == "sent" and self._try(partial(self._store, [end])):
                self.in_flight.noted([end])
            else:
                self.in_flight.end(end)
                if end.state == "sent":
                    self.in_flight.wait_for(end)
        finally:
            self._turn.give()


def _log(end: MailResult) -> None:
    bind_request(end.of.request)
    log.info("notification", notification=end.of.id, state=end.state, reason=end.values.get("reason"))
